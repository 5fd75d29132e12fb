import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { REPUTATION_TYPE } from '../../proof/credential/contexts.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { didKey } from '../../proof/keys/did-key.ts';
import { type AgentRow, requireAgentIn, requireEnrolled } from '../agents/agents.ts';
import { issueTime, refuseWrongClock } from '../log/clock/dates.ts';
import { refuseReadOnly } from '../log/keys/signing/statements.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { LeavesUncovered, whenCovered } from './coverage.ts';
import { type DocumentContext, signCredential, urnOf } from './document.ts';
import { cited, insertCredentialIn, isReusable } from './insertion.ts';
import { type RequestedContent, requestedContentIn } from './requested-content.ts';
import { type IssuedCredential, type NewCredential, newestCredentialOf, sizesNeeded } from './store.ts';

export type IssueContext = DocumentContext & {
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  log: TrustLog;
  readOnly: boolean;
};

/** A credential, and what a cache needs to know about it. */
export interface Issued {
  document: JsonObject;
  /** A UUID as 32 hexadecimal characters. */
  credentialId: string;
  /** RFC 3339. */
  validFrom: string;
  /** The time at which the metrics were read, in milliseconds since 1970. */
  readAt: number;
  /** The key that signed it. */
  keySeq: number;
}

/**
 * Returns the content of an agent's credential now, once checkpoints contain its leaves. A transaction that
 * issues the credential cannot wait for them.
 * @throws ApiError as getReputationCredential
 */
export function coveredNow(
  trust: IssueContext & { store: Store },
  commitment: string,
): Promise<RequestedContent> {
  refuseReadOnly(trust);
  return whenCovered(trust, async (earlier) => {
    if (earlier !== null) return earlier;
    const now = issueTime(trust);
    return trust.store.read(async (snapshot) => {
      const content = await requestedContentIn(
        snapshot,
        trust,
        await requireCurrentAgentIn(snapshot, commitment),
        now,
      );
      if ((await reusableIn(snapshot, content)) === null) await requireCoveredIn(snapshot, trust, content);
      return content;
    });
  });
}

/** @throws ApiError not_found for an agent that never enrolled, agent_not_enrolled for a revoked one */
export async function requireCurrentAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  return requireEnrolled(await requireAgentIn(snapshot, commitment), commitment);
}

/**
 * Returns the credential of an agent as of this transaction: the newest one if it is still current, else a
 * new one. Call the transaction within `whenCovered`, which waits for the checkpoints of a new credential.
 * @param earlier content from `whenCovered` or `coveredNow`: it was read before; now its leaves are covered
 * @throws LeavesUncovered if no checkpoint covers the agent's newest leaf; ApiError clock_wrong; ReadOnly
 */
export async function issueCredentialIn(
  tx: Transaction,
  trust: IssueContext,
  agent: AgentRow,
  earlier: RequestedContent | null = null,
): Promise<Issued> {
  refuseReadOnly(trust);
  const isOfActiveKey = earlier?.key.keySeq === trust.signer.activeKey('credentials').keySeq;
  if (earlier !== null && isOfActiveKey && earlier.agent.agentSeq === agent.agentSeq)
    return issueContentIn(tx, trust, earlier, () => newestCheckpoints(trust));
  const content = await requestedContentIn(tx, trust, agent, issueTime(trust));
  return issueContentIn(tx, trust, content, () => requireCoveredIn(tx, trust, content));
}

/** Published checkpoints that contain every leaf of an agent. */
type Checkpoints = ReturnType<typeof newestCheckpoints>;

/** Returns the newest credential if it has the requested content, else stores a new one. */
export async function issueContentIn(
  tx: Transaction,
  trust: IssueContext,
  content: RequestedContent,
  checkpoints: () => Checkpoints | Promise<Checkpoints>,
): Promise<Issued> {
  const reusable = await reusableIn(tx, content);
  if (reusable !== null) return signed(trust, content, reusable);
  const { evidence, receipts } = await checkpoints();
  const { agent, key, now, contentDigest } = content;
  const row = await insertCredentialIn(tx, trust, key, now, {
    type: REPUTATION_TYPE,
    agentSeq: agent.agentSeq,
    clusterSeq: null,
    contentDigest,
    evidenceCheckpointSeq: evidence.checkpointSeq,
    receiptsCheckpointSeq: receipts.checkpointSeq,
  });
  return signed(trust, content, { row, evidence: evidence.response, receipts: receipts.response });
}

/** Returns the newest credential of an agent if it has the requested content and may be reused; else null. */
export async function reusableIn(
  snapshot: Snapshot,
  { agent, contentDigest, now }: RequestedContent,
): Promise<IssuedCredential | null> {
  const newest = await newestCredentialOf(snapshot, agent.agentSeq);
  return newest !== null && isReusable(newest.row, contentDigest, now) ? newest : null;
}

/**
 * Returns the newest checkpoints of both logs.
 * @throws LeavesUncovered if one does not contain a leaf of the agent
 */
export async function requireCoveredIn(
  snapshot: Snapshot,
  trust: Pick<IssueContext, 'log'>,
  content: RequestedContent,
): Promise<Checkpoints> {
  const checkpoints = newestCheckpoints(trust);
  const { evidence, receipts } = checkpoints;
  const sizes = { evidence: evidence.response.tree_size, receipts: receipts.response.tree_size };
  const needed = await sizesNeeded(snapshot, content.agent.agentSeq, sizes);
  if (needed === null) return checkpoints;
  throw new LeavesUncovered(content, needed);
}

export function newestCheckpoints({ log: { publisher } }: Pick<IssueContext, 'log'>) {
  return { evidence: publisher.latest('evidence'), receipts: publisher.latest('receipts') };
}

/** What a credential of an agent cannot show. */
const REPUTATION_LIMITS =
  'Work that nobody reported to this service does not appear. Most records are the word of the agent and its sponsor: ' +
  'score_corroborated counts only what others confirmed. Nobody at this service judged the quality of the work.';

/** Signs the document of a row. @throws ApiError clock_wrong */
export function signed(
  trust: IssueContext,
  { agent, key, now, contexts, metrics }: RequestedContent,
  { row, evidence, receipts }: Pick<IssuedCredential, 'evidence' | 'receipts'> & { row: NewCredential },
): Issued {
  // Last, since the clock may have been set meanwhile.
  refuseWrongClock(trust);
  const { receipts_count, ...metricsBefore } = metrics;
  const document = signCredential(trust, key, {
    id: urnOf(row.credentialId),
    type: row.type,
    contexts,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    description: REPUTATION_LIMITS,
    status: row,
    subject: {
      id: didKey(hexToBytes(agent.publicKey)),
      ...metricsBefore,
      measured_at: row.validFrom,
      receipts_count,
      checkpoint: { evidence: cited(evidence), receipts: cited(receipts) },
    },
  });
  const { credentialId, validFrom } = row;
  return { document, credentialId, validFrom, readAt: now, keySeq: key.keySeq };
}
