import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { requireAgentIn } from '../agents/agents.ts';
import { presentationIn } from '../agents/management/presentation.ts';
import { timelineIn } from '../evidence/find.ts';
import { performanceOf } from '../reputation/performance.ts';

/** The parts of the service that reading a profile uses. */
export interface ProfileContext {
  store: Store;
  clock: Clock;
}

/** The number of items of evidence that a profile shows. */
const TIMELINE = 50;

/**
 * Returns the public data about an agent, without payloads, signatures and its sponsor.
 * @throws ApiError not_found
 */
export async function getProfile({ store, clock }: ProfileContext, commitment: string) {
  return store.read(async (snapshot) => {
    const { agentSeq, subjectCommitment, state, name } = await requireAgentIn(snapshot, commitment);
    const { totals, rolling_30d, trajectory_7d, score } = await performanceOf(
      snapshot,
      { agentSeq },
      clock.now(),
    );
    return {
      subject_commitment: subjectCommitment,
      state,
      name,
      presentation: await presentationIn(snapshot, agentSeq),
      totals,
      rolling_30d,
      trajectory_7d,
      score,
      timeline: await timelineIn(snapshot, agentSeq, TIMELINE),
    };
  });
}
