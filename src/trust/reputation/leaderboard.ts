import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../platform/http/cursor.ts';
import { pageOf } from '../../platform/http/page.ts';
import type { Trust } from '../context.ts';
import { pageRequest } from '../list.ts';
import { dayOf, figuresOf, windowBounds, windowsOf } from './rates.ts';
import type { Leaderboard } from './schema.ts';
import { reputationSql } from './store.ts';

/** The leaderboard: by evidence count and agent, with how many agents stand before. */
const LEADERBOARD = {
  name: 'leaderboard',
  position: Type.Tuple([positionNumber, positionNumber, positionNumber]),
};
const BEGINNING = [Number.MAX_SAFE_INTEGER, 0, 0] as const;

/**
 * A page of those agents that are not revoked, by how much evidence they have; of two with as much, who enrolled first.
 * @throws ApiError validation_error for a cursor that is none
 */
export async function leaderboard({ store, clock, cursors }: Trust, query: Leaderboard) {
  const pages = cursors.of(LEADERBOARD, []);
  const { rows, after = BEGINNING } = pageRequest(query, pages);
  const [evidenceCount, agentSeq, before] = after;
  const bounds = windowBounds(dayOf(clock.now()));
  const found = await store.read((snapshot) =>
    reputationSql(snapshot).page.all({ ...bounds, evidenceCount, agentSeq, rows: rows + 1 }),
  );
  const { page, next_cursor } = pageOf(found, rows, (last) =>
    pages.write([last.evidenceCount, last.agentSeq, before + rows]),
  );
  return {
    agents: page.map((row, index) => ({
      rank: before + index + 1,
      subject_commitment: row.subjectCommitment,
      name: row.name,
      evidence_count: row.evidenceCount,
      ...figuresOf(windowsOf(row)),
    })),
    next_cursor,
  };
}
