import { nativePrimitives, verifyEd25519Async } from '../../platform/crypto/crypto.ts';
import { payloadIssues } from '../../platform/evidence-payload.ts';
import { cacheCanonical, type Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { slices } from '../../platform/turns/slices.ts';
import { type Canonical, canonicalSteps, objectReadingAsync } from '../../proof/agent/agent-signature.ts';
import { CanonicalJsonError } from '../../proof/encoding/canonical-json.ts';
import { jsonTextSteps } from '../../proof/encoding/canonical-steps.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { commitsIn } from '../../proof/evidence/commits.ts';
import { eventHash } from '../../proof/evidence/event.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import type { CredentialChanges } from '../agents/agent-records.ts';
import { type AgentRow, actsForAgent } from '../agents/agents.ts';
import { agentsErrors } from '../agents/errors.ts';
import { agentPayer } from '../agents/payer.ts';
import { commonErrors } from '../http/errors.ts';
import { atIssueTime } from '../log/clock/dates.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { operatorPayer, SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { Events } from '../webhooks/events.ts';
import type { EvidenceCaller } from './auth.ts';
import { compressAsync } from './compression.ts';
import { type Deliverable, type Deliveries, deliverableOf, deliveryOf } from './deliverable.ts';
import { evidenceEvents } from './events.ts';
import { lostItemByPayload } from './log/leaf-store.ts';
import { logItemIn } from './log/leaves.ts';
import { outcomeOf } from './outcome.ts';
import { type CountedEvidence, chainHeadIn, countEvidenceIn } from './reputation/count.ts';
import type { Evidence } from './schema.ts';
import { type EvidenceItem, type EvidenceRow, insertRestoredItem, itemsByPayload } from './store.ts';

export type AnchorContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  principals: Principals;
  agentCache: AgentCache;
  quotas: Quotas;
  events: Events;
  log: TrustLog;
  credentialCache: CredentialChanges;
  deliveries: Deliveries;
};

/** What an agent signed, of any source type. */
export type SignedPayload = Omit<Evidence, 'source_type'> & { source_type: SourceType };

/** The response for an anchored item. */
export type Anchored = ReturnType<typeof anchoredView>;

/** A verified item that has no position in the chain yet. */
export type VerifiedEvidence = Pick<
  EvidenceRow,
  'sourceType' | 'payloadDigest' | 'payload' | 'signature' | 'reading' | 'outcome' | 'operatorSeq'
> & {
  commits: readonly string[];
  deliverable: Deliverable | null;
  /** Whether others than the agent attest it: it came with the service token. */
  attested: boolean;
};

/**
 * Verifies evidence that an agent signed, and appends it to the agent's chain. For a payload that the agent
 * anchored before under the same type it returns the first item and writes nothing.
 * @throws ApiError agent_not_enrolled, including for a revoked agent; forbidden for a holder key of another
 * agent; validation_error for a payload that does not fit its type; invalid_proof; clock_wrong for a new
 * item; rate_limit_exceeded, which counts refused evidence too
 */
export async function anchorEvidence(
  trust: AnchorContext,
  { principal }: EvidenceCaller,
  commitment: string,
  evidence: Evidence,
  once: Once,
): Promise<Anchored> {
  const requireActsForAgent = (agent: AgentRow): void => {
    if (principal?.role === 'holder' && !actsForAgent(principal, agent)) throw notOwnAgent();
  };
  const agent = await trust.agentCache.enrolled(commitment);
  requireActsForAgent(agent);
  // Outside the transaction, so that other requests can write meanwhile.
  const verify = () => verifyEvidence(evidence, agent.publicKey, principal);
  // Refused evidence that comes with the service token is not charged to a payer.
  const verified =
    principal === null ? await verify() : await trust.quotas.checked(operatorPayer(principal), verify);
  const authority = new SignerAuthority(trust.quotas, principal?.authority ?? null);
  return trust.store.write(authority, async (tx) => {
    // The agent may have been revoked, or its sponsor changed, since its key was read.
    const currentAgent = await trust.agentCache.enrolledIn(tx, commitment);
    requireActsForAgent(currentAgent);
    const pay: Pay = (agent) => authority.paidByIn(tx, () => agentPayer(tx, agent));
    return once(tx, async () => {
      const { item, duplicate } = await anchorIn(tx, trust, currentAgent, verified, pay);
      // A worker that could not act when the evidence came may deliver with it later: it is sent again.
      const { deliverable } = verified;
      if (deliverable !== null)
        await trust.deliveries.deliverIn(tx, currentAgent, deliveryOf(deliverable, item), !duplicate);
      return anchoredView(commitment, item, duplicate);
    });
  });
}

/** @throws ApiError validation_error, invalid_proof */
async function verifyEvidence(
  evidence: Evidence,
  publicKey: string,
  principal: OperatorActor | null,
): Promise<VerifiedEvidence> {
  const issues = payloadIssues(evidence.source_type, evidence.payload);
  if (issues !== null) throw commonErrors.validation_error({ issues });
  const verified = await verifySigned(evidence, publicKey, principal);
  return { ...verified, attested: principal === null && evidence.source_type === 'task_deliverable' };
}

/**
 * Verifies the signature of a payload that fits its source type.
 * @param publicKey the key that must have signed it
 * @throws ApiError validation_error for a payload without a canonical form; invalid_proof
 */
export async function verifySigned(
  { source_type: sourceType, payload, signature }: SignedPayload,
  publicKey: string,
  principal: OperatorActor | null,
): Promise<VerifiedEvidence> {
  const canonical = await canonicalPayload(payload);
  const reading = await objectReadingAsync(
    nativePrimitives,
    verifyEd25519Async,
    (steps) => slices.run(steps),
    hexToBytes(signature),
    payload,
    hexToBytes(publicKey),
    canonical,
  );
  if (reading === null) throw agentsErrors.invalid_proof();
  return {
    sourceType,
    payloadDigest: canonical.digest,
    // The canonical form loses the order of nested members, which verifying a shallow reading later needs.
    payload: await compressAsync(
      reading === 'shallow' ? await slices.run(jsonTextSteps(payload)) : canonical.text,
    ),
    signature,
    reading,
    outcome: outcomeOf(sourceType, payload),
    operatorSeq: principal?.operatorSeq ?? null,
    commits: commitsIn(sourceType, payload),
    deliverable: deliverableOf(sourceType, payload),
    attested: false,
  };
}

async function canonicalPayload(payload: Evidence['payload']): Promise<Canonical> {
  try {
    const canonical = await slices.run(canonicalSteps(nativePrimitives, payload));
    cacheCanonical(payload, canonical.text);
    return canonical;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw commonErrors.validation_error({
      issues: { payload: [`has no canonical form: ${error.message}`] },
    });
  }
}

/** Charges an agent's payer for an item. */
type Pay = (agent: AgentRow) => Promise<void> | undefined;

/**
 * Appends a verified item to its agent's chain, or returns the one with the same payload.
 * @param pay called only for a new item, so that repeating an item uses up no quota
 * @returns the item, and whether it was anchored before
 * @throws ApiError clock_wrong for a new item
 */
export async function anchorIn(
  tx: Transaction,
  trust: Pick<AnchorContext, 'clock' | 'clockWatch' | 'events' | 'log' | 'credentialCache'>,
  agent: AgentRow,
  verified: VerifiedEvidence,
  pay: Pay,
): Promise<{ item: EvidenceItem; duplicate: boolean }> {
  const { agentSeq, subjectCommitment: commitment } = agent;
  const { commits, deliverable: _, attested, ...item } = verified;
  const { sourceType, payloadDigest, operatorSeq } = item;
  const ofPayload = await itemsByPayload(tx, { agentSeq, payloadDigest });
  const known = ofPayload.find((other) => other.sourceType === sourceType) ?? null;
  if (known !== null) return { item: known, duplicate: true };
  const { clock, events, log, credentialCache } = atIssueTime(trust);
  await pay(agent);

  const head = await chainHeadIn(tx, agentSeq);
  // Nobody hides a failure that the platform attests by anchoring its payload before, as another type.
  const repeated = ofPayload.length > 0 && !(attested && item.outcome === 'failure');
  if (head.lost > 0) {
    const restored = await restoreIn(tx, { clock, events, credentialCache }, agent, verified, repeated);
    if (restored !== null) return { item: restored, duplicate: true };
  }
  const hash = eventHash(nativePrimitives, {
    subject_commitment: commitment,
    source_type: sourceType,
    payload_digest: payloadDigest,
    prev_event_hash: head.eventHash,
  });
  const createdAt = timestamp(clock);
  const row = {
    ...item,
    agentSeq,
    position: head.length + 1,
    eventHash: hash,
    prevEventHash: head.eventHash,
    createdAt,
  };
  const evidenceSeq = await logItemIn(tx, log.open.evidence, commitment, row, commits);
  tx.afterCommit(() => log.publisher.grown('evidence', createdAt));
  const counted = {
    evidenceSeq,
    eventHash: hash,
    outcome: countedOutcome(item),
    artifacts: artifactsIn(verified),
    at: createdAt,
    attested,
    repeated,
  };
  await countEvidenceIn(tx, { clock, events, credentialCache }, agent, counted);
  events.emitIn(tx, evidenceEvents, {
    event: 'evidence.anchored',
    data: { event_commitment_hash: hash, subject_commitment: commitment, source_type: sourceType },
    timestamp: createdAt,
    operators: [...new Set([agent.sponsorSeq, operatorSeq])].filter((seq) => seq !== null),
  });
  return { item: { ...row, evidenceSeq }, duplicate: false };
}

/**
 * Restores an item that a restored backup lacked and the log kept, in its position. Only its payload was
 * missing, which the log does not have. No subscriber is notified again.
 * @returns null for any other item
 */
async function restoreIn(
  tx: Transaction,
  context: Pick<AnchorContext, 'clock' | 'events' | 'credentialCache'>,
  agent: AgentRow,
  verified: VerifiedEvidence,
  repeated: boolean,
): Promise<EvidenceRow | null> {
  const { agentSeq, subjectCommitment } = agent;
  const { commits, deliverable: _, attested, ...item } = verified;
  const { sourceType, payloadDigest } = item;
  const lost = await lostItemByPayload(tx, { subjectCommitment, payloadDigest, sourceType });
  if (lost === null) return null;
  const { leafSeq: evidenceSeq, position, eventHash, prevEventHash, anchoredAt: createdAt } = lost;
  const row = { ...item, evidenceSeq, agentSeq, position, eventHash, prevEventHash, createdAt };
  await insertRestoredItem(tx, row, commits);
  const counted = {
    evidenceSeq,
    eventHash,
    outcome: countedOutcome(item),
    artifacts: artifactsIn(verified),
    at: createdAt,
    attested,
    repeated,
  };
  await countEvidenceIn(tx, context, agent, counted, 'restored');
  return row;
}

/** An assessment is no work of its signer that could succeed or fail. */
function countedOutcome({
  sourceType,
  outcome,
}: Pick<VerifiedEvidence, 'sourceType' | 'outcome'>): CountedEvidence['outcome'] {
  return sourceType === 'assessment' ? 'neither' : outcome;
}

function artifactsIn({ commits, sourceType }: VerifiedEvidence): number {
  return commits.length + (sourceType === 'task_deliverable' ? 1 : 0);
}

function anchoredView(commitment: string, item: EvidenceItem, duplicate: boolean) {
  return {
    index: item.position - 1,
    event_commitment_hash: item.eventHash,
    prev_event_hash: item.prevEventHash,
    subject_commitment: commitment,
    source_type: item.sourceType,
    payload_digest: item.payloadDigest,
    outcome: item.outcome,
    reading: item.reading,
    created_at: item.createdAt,
    duplicate,
  };
}

/** Returns the error for a holder key that uses the evidence of another agent. */
export function notOwnAgent() {
  return commonErrors.forbidden({
    message: 'A holder key can only use the evidence of its own agent. Use an issuer key for other agents.',
  });
}
