import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { reputationClockOf } from './days-store.ts';
import { dayOf, ratesOf, windowBounds, windowsOf } from './score.ts';
import { setScore, staleAgents, sumsOfEach } from './store.ts';

/** Agents per transaction: a few milliseconds, so that requests are not delayed. */
const BATCH = 25;
/** Batches of one run, so that it ends soon. */
const BATCHES = 400;

/**
 * Computes the scores by which the leaderboard is sorted, of the agents for which something changed. Waits
 * until the outcomes of the day that ended have left the window. Before a first day ends, none has to.
 */
export async function scoreAgents({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const today = dayOf(clock.now());
  const { day } = (await store.read(reputationClockOf)) ?? { day: today };
  if (day < today) return;
  // Most runs find nothing, and need no turn of the writer.
  if ((await store.read((snapshot) => staleAgents(snapshot, 1))).length === 0) return;
  for (let batch = 0; batch < BATCHES; batch++)
    if ((await store.writeAsService((tx) => scoreBatchIn(tx, day))) < BATCH) return;
}

async function scoreBatchIn(tx: Transaction, day: number): Promise<number> {
  const agents = await staleAgents(tx, BATCH);
  const sums = await sumsOfEach(
    tx,
    agents.map(({ agentSeq }) => agentSeq),
    windowBounds(day),
  );
  for (const [index, agent] of agents.entries()) {
    const own = sums[index];
    if (own === undefined) throw new Error(`agent ${agent.agentSeq} has no sums`);
    await setScore(tx, { agentSeq: agent.agentSeq, score: ratesOf(windowsOf(own, agent)).score });
  }
  return agents.length;
}
