import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { pageRequest } from '../http/paging.ts';
import { dayOf, ratesOf, windowBounds, windowsOf } from './rates.ts';
import type { Leaderboard } from './schema.ts';
import { rankedAfter } from './store.ts';

/** The leaderboard's cursor: evidence count, agent, and how many agents come before the page. */
const LEADERBOARD = {
  name: 'leaderboard',
  position: Type.Tuple([positionNumber, positionNumber, positionNumber]),
};
const BEGINNING = [Number.MAX_SAFE_INTEGER, 0, 0] as const;

/** The parts of the service that reading the leaderboard uses. */
export interface LeaderboardContext {
  store: Store;
  clock: Clock;
  cursors: Cursors;
}

/**
 * Returns a page of the agents that are not revoked, those with most evidence first; agents with the same number in the order of
 * enrollment. @throws ApiError validation_error for an invalid cursor
 */
export async function getLeaderboard({ store, clock, cursors }: LeaderboardContext, query: Leaderboard) {
  const { limit, after = BEGINNING, takePage } = pageRequest(query, cursors.of(LEADERBOARD, []));
  const [evidenceCount, agentSeq, before] = after;
  const bounds = windowBounds(dayOf(clock.now()));
  const found = await store.read((snapshot) =>
    rankedAfter(snapshot, { evidenceCount, agentSeq }, bounds, limit + 1),
  );
  const { page, next_cursor } = takePage(found, (last) => [
    last.evidenceCount,
    last.agentSeq,
    before + limit,
  ]);
  return {
    agents: page.map((row, index) => ({
      rank: before + index + 1,
      subject_commitment: row.subjectCommitment,
      name: row.name,
      evidence_count: row.evidenceCount,
      ...ratesOf(windowsOf(row)),
    })),
    next_cursor,
  };
}
