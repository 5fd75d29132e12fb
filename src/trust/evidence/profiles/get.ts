import type { Snapshot } from '../../../platform/store/transaction.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { presentationIn } from '../../agents/presentation.ts';
import { type SignedQuery, signResponse } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import { timelineIn } from '../find-items.ts';
import { abandonedReceipts } from '../reputation/abandoned.ts';
import { performanceOf } from '../reputation/performance.ts';

export type ProfileContext = StatementContext;

/** The public data about an agent. */
export type Profile = Awaited<ReturnType<typeof profileIn>>;

/** How long an abandoned receipt counts, in milliseconds: 30 days. */
const ABANDONED_MS = 30 * 24 * 3600_000;
/** The number of items of evidence that a profile shows. */
const TIMELINE = 50;

/**
 * Returns the public data about an agent, without payloads, signatures and its sponsor. With signed=1:
 * signed.
 * @throws ApiError not_found; for a signed profile also ReadOnly and ApiError clock_wrong
 */
export function getProfile(context: ProfileContext, commitment: string, { signed }: SignedQuery) {
  const now = context.clock.now();
  const read = (snapshot: Snapshot) => profileIn(snapshot, commitment, now);
  if (signed === '1') return signResponse(context, 'agent-profile', now, read);
  return context.store.read(async (snapshot) => ({ ...(await read(snapshot)), signed: false as const }));
}

/**
 * Returns the profile of an agent, without a signature.
 * @param now in milliseconds since 1970
 * @throws ApiError not_found
 */
export async function profileIn(snapshot: Snapshot, commitment: string, now: number) {
  const { agentSeq, subjectCommitment, state, name } = await requireAgentIn(snapshot, commitment);
  const performance = await performanceOf(snapshot, { agentSeq }, now);
  const period = { since: now - ABANDONED_MS, now };
  const abandoned = await abandonedReceipts(snapshot, { agentSeq, subjectCommitment }, period);
  const { totals, rolling_30d, trajectory_7d, score, score_corroborated, score_basis } = performance;
  return {
    subject_commitment: subjectCommitment,
    state,
    name,
    presentation: await presentationIn(snapshot, agentSeq),
    totals,
    rolling_30d,
    trajectory_7d,
    score,
    score_corroborated,
    score_basis,
    abandoned: { abandoned, of: abandoned + score_basis.sponsored },
    timeline: await timelineIn(snapshot, agentSeq, TIMELINE),
  };
}
