import { type Static, Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { PageRequest } from '../../../platform/http/pagination/page.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { pageRequest } from '../../http/paging.ts';
import { signResponse } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import { type LeaderboardOrder, rankedAfter } from './leaderboard-store.ts';
import type { Leaderboard } from './schema.ts';
import { dayOf, ratesOf, windowBounds, windowsOf } from './score.ts';

/** The leaderboard's cursor: score, evidence count, agent, and how many agents come before the page. */
const LEADERBOARD = {
  name: 'leaderboard',
  position: Type.Tuple([positionNumber, positionNumber, positionNumber, positionNumber]),
};
type Position = Static<typeof LEADERBOARD.position>;
const BEGINNING: Position = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0, 0];

export interface LeaderboardContext extends StatementContext {
  cursors: Cursors;
}

/**
 * Returns a page of the agents that are not revoked, those with most evidence first, or those with the
 * highest score, as it was at most a minute ago; agents with the same number in the order of enrollment. With
 * signed=1 the page is signed, with its order, limit and cursor.
 * @throws ApiError validation_error for an invalid cursor; for a signed page also ReadOnly and clock_wrong
 */
export async function getLeaderboard(context: LeaderboardContext, query: Leaderboard) {
  const { sort = 'evidence' } = query;
  const request = pageRequest(query, context.cursors.of(LEADERBOARD, sort === 'evidence' ? [] : [sort]));
  const now = context.clock.now();
  if (query.signed !== '1') {
    const unsigned = await context.store.read((snapshot) => pageIn(snapshot, sort, request, now));
    return { ...unsigned, signed: false as const };
  }
  const page = { sort, limit: request.limit, cursor: query.cursor ?? null };
  return signResponse(context, 'leaderboard', now, async (snapshot) => ({
    ...(await pageIn(snapshot, sort, request, now)),
    page,
  }));
}

async function pageIn(
  snapshot: Snapshot,
  sort: LeaderboardOrder,
  { limit, after = BEGINNING, takePage }: PageRequest<Position>,
  now: number,
) {
  const [score, evidenceCount, agentSeq, before] = after;
  const bounds = windowBounds(dayOf(now));
  const rows = await rankedAfter(snapshot, sort, {
    ...{ score, evidenceCount, agentSeq },
    ...bounds,
    limit: limit + 1,
  });
  const { page, next_cursor } = takePage(rows, (last) => [
    ...([last.storedScore, last.evidenceCount, last.agentSeq] as const),
    before + limit,
  ]);
  return {
    agents: page.map((row, index) => ({
      rank: before + index + 1,
      subject_commitment: row.subjectCommitment,
      name: row.name,
      evidence_count: row.evidenceCount,
      ...ratesOf(windowsOf(row, row)),
    })),
    next_cursor,
  };
}
