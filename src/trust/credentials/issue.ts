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
import { dayOf } from '../evidence/reputation/score.ts';
import { issueTime, refuseWrongClock } from '../log/clock/dates.ts';
import type { SigningKey } from '../log/keys/signing/signer.ts';
import { refuseReadOnly } from '../log/keys/signing/statements.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { CredentialCache, SignedText } from './cache.ts';
import { LeavesUncovered, whenCovered } from './coverage.ts';
import { type DocumentContext, signCredential, urnOf } from './document.ts';
import { cited, insertCredentialIn, isReusable, REUSE_MS } from './insertion.ts';
import { type Wanted, wantedIn } from './requested-content.ts';
import { type IssuedCredential, type NewCredential, newestCredentialOf, sizesNeeded } from './store.ts';

/** The parts of the service that issuing a credential uses. */
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
  /** The time at which the numbers were found to be those of the credential, in milliseconds since 1970. */
  readAt: number;
  /** The key that signed it. */
  keySeq: number;
}

const DAY_MS = 24 * 3600_000;

/**
 * Returns the credential of an agent as it is sent, from the cache if nothing changed.
 * @throws ApiError not_found for an agent that never enrolled, agent_not_enrolled for a revoked one;
 * clock_wrong; overloaded while no checkpoint covers the newest leaf of the agent; ReadOnly
 */
export function getCredential(
  trust: IssueContext & { store: Store; credentialCache: CredentialCache },
  commitment: string,
): SignedText | Promise<SignedText> {
  const { clock, signer, credentialCache } = trust;
  const known = credentialCache.credentials.get(commitment);
  if (known !== null && isCurrent(known, clock.now(), signer.activeKey('credentials'))) return known;
  refuseReadOnly(trust);
  return credentialCache.credentials.load(commitment, async () => textOf(await issue(trust, commitment)));
}

function isCurrent({ from, until, keySeq }: SignedText, now: number, key: SigningKey): boolean {
  return from <= now && now < until && keySeq === key.keySeq;
}

/**
 * Returns a credential as text. It may be sent until it is issued again, or the day ends, with which its
 * figures can change.
 */
function textOf({ document, credentialId, validFrom, readAt, keySeq }: Issued): SignedText {
  const from = Date.parse(validFrom);
  const until = Math.min(from + REUSE_MS, (dayOf(readAt) + 1) * DAY_MS);
  return { json: JSON.stringify(document), etag: `"${credentialId}"`, from, until, keySeq };
}

function issue(trust: IssueContext & { store: Store }, commitment: string): Promise<Issued> {
  const { store, signer } = trust;
  const readNow = async () => {
    // Before the snapshot is opened, so that the credential knows of everything that was stored until its
    // time.
    const now = issueTime(trust);
    return store.read(async (snapshot) => {
      const wanted = await wantedIn(snapshot, trust, await requireCurrentAgentIn(snapshot, commitment), now);
      const reusable = await reusableIn(snapshot, wanted);
      // Most requests find a credential that still holds, so they need no transaction.
      if (reusable !== null) return { reused: signed(trust, wanted, reusable) };
      return { reused: null, wanted, checkpoints: await requireCoveredIn(snapshot, trust, wanted) };
    });
  };
  return whenCovered(trust, async (earlier) => {
    const read =
      earlier === null
        ? await readNow()
        : { reused: null, wanted: earlier, checkpoints: newestCheckpoints(trust) };
    if (read.reused !== null) return read.reused;
    return store.writeAsService(async (tx) => {
      const agent = await requireCurrentAgentIn(tx, commitment);
      // The key may have been replaced meanwhile. The numbers may have changed too: they are those of the
      // time that the credential says.
      if (signer.activeKey('credentials').keySeq !== read.wanted.key.keySeq)
        return issueCredentialIn(tx, trust, agent);
      return issueWantedIn(tx, trust, read.wanted, () => read.checkpoints);
    });
  });
}

/**
 * Returns what a credential of an agent says now, once checkpoints contain its leaves: for a transaction that
 * issues it and cannot wait.
 * @throws ApiError as getCredential
 */
export function coveredNow(trust: IssueContext & { store: Store }, commitment: string): Promise<Wanted> {
  refuseReadOnly(trust);
  return whenCovered(trust, async (earlier) => {
    if (earlier !== null) return earlier;
    const now = issueTime(trust);
    return trust.store.read(async (snapshot) => {
      const wanted = await wantedIn(snapshot, trust, await requireCurrentAgentIn(snapshot, commitment), now);
      if ((await reusableIn(snapshot, wanted)) === null) await requireCoveredIn(snapshot, trust, wanted);
      return wanted;
    });
  });
}

/** @throws ApiError not_found for an agent that never enrolled, agent_not_enrolled for a revoked one */
export async function requireCurrentAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  return requireEnrolled(await requireAgentIn(snapshot, commitment), commitment);
}

/**
 * Returns the credential of an agent as of this transaction: the newest one if it still holds, else a new
 * one. Call the transaction within `whenCovered`, which waits for the checkpoints that a new credential
 * cites.
 * @param earlier what `whenCovered` or `coveredNow` gives: what was read before, whose leaves are covered now
 * @throws LeavesUncovered if no checkpoint covers the newest leaf of the agent; ApiError clock_wrong;
 * ReadOnly
 */
export async function issueCredentialIn(
  tx: Transaction,
  trust: IssueContext,
  agent: AgentRow,
  earlier: Wanted | null = null,
): Promise<Issued> {
  refuseReadOnly(trust);
  const isOfActiveKey = earlier?.key.keySeq === trust.signer.activeKey('credentials').keySeq;
  if (earlier !== null && isOfActiveKey && earlier.agent.agentSeq === agent.agentSeq)
    return issueWantedIn(tx, trust, earlier, () => newestCheckpoints(trust));
  const wanted = await wantedIn(tx, trust, agent, issueTime(trust));
  return issueWantedIn(tx, trust, wanted, () => requireCoveredIn(tx, trust, wanted));
}

/** Published checkpoints that contain every leaf of an agent. */
type Checkpoints = ReturnType<typeof newestCheckpoints>;

/** Returns the newest credential if it says what is wanted, else stores a new one. */
async function issueWantedIn(
  tx: Transaction,
  trust: IssueContext,
  wanted: Wanted,
  checkpoints: () => Checkpoints | Promise<Checkpoints>,
): Promise<Issued> {
  const reusable = await reusableIn(tx, wanted);
  if (reusable !== null) return signed(trust, wanted, reusable);
  const { evidence, receipts } = await checkpoints();
  const { agent, key, now, contentDigest } = wanted;
  const row = await insertCredentialIn(tx, trust, key, now, {
    type: REPUTATION_TYPE,
    agentSeq: agent.agentSeq,
    clusterSeq: null,
    contentDigest,
    evidenceCheckpointSeq: evidence.checkpointSeq,
    receiptsCheckpointSeq: receipts.checkpointSeq,
  });
  return signed(trust, wanted, { row, evidence: evidence.response, receipts: receipts.response });
}

/**
 * Returns the newest credential of an agent if it says what is wanted and holds for long enough; else null.
 */
async function reusableIn(
  snapshot: Snapshot,
  { agent, contentDigest, now }: Wanted,
): Promise<IssuedCredential | null> {
  const newest = await newestCredentialOf(snapshot, agent.agentSeq);
  return newest !== null && isReusable(newest.row, contentDigest, now) ? newest : null;
}

/**
 * Returns the newest checkpoints of both logs.
 * @throws LeavesUncovered if one does not contain a leaf of the agent
 */
async function requireCoveredIn(
  snapshot: Snapshot,
  trust: Pick<IssueContext, 'log'>,
  wanted: Wanted,
): Promise<Checkpoints> {
  const checkpoints = newestCheckpoints(trust);
  const { evidence, receipts } = checkpoints;
  const sizes = { evidence: evidence.response.tree_size, receipts: receipts.response.tree_size };
  const needed = await sizesNeeded(snapshot, wanted.agent.agentSeq, sizes);
  if (needed === null) return checkpoints;
  throw new LeavesUncovered(wanted, needed);
}

function newestCheckpoints({ log: { publisher } }: Pick<IssueContext, 'log'>) {
  return { evidence: publisher.latest('evidence'), receipts: publisher.latest('receipts') };
}

/** Signs the document of a row. @throws ApiError clock_wrong */
function signed(
  trust: IssueContext,
  { agent, key, now, contexts, figures }: Wanted,
  { row, evidence, receipts }: Pick<IssuedCredential, 'evidence' | 'receipts'> & { row: NewCredential },
): Issued {
  // Last, since the clock may have been set meanwhile.
  refuseWrongClock(trust);
  const { receipts_count, ...figuresBefore } = figures;
  const document = signCredential(trust, key, {
    id: urnOf(row.credentialId),
    type: row.type,
    contexts,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    status: row,
    subject: {
      id: didKey(hexToBytes(agent.publicKey)),
      ...figuresBefore,
      measured_at: row.validFrom,
      receipts_count,
      checkpoint: { evidence: cited(evidence), receipts: cited(receipts) },
    },
  });
  const { credentialId, validFrom } = row;
  return { document, credentialId, validFrom, readAt: now, keySeq: key.keySeq };
}
