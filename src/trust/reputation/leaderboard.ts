import { writeCursor } from '../../platform/http/cursor.ts';
import type { Trust } from '../context.ts';
import { pageOf, placeOf, refuseCursor, rowsOf } from '../list.ts';
import { dayOf, figuresOf, windowBounds, windowsOf } from './rates.ts';
import type { Leaderboard } from './schema.ts';
import { reputationSql } from './store.ts';

const SCOPE = 'leaderboard';
const COMPLAINT = 'is not a cursor of the leaderboard';

/** Behind whom a page begins, and how many stand before it. */
interface Place {
  evidenceCount: number;
  agentSeq: number;
  before: number;
}

const BEGINNING: Place = { evidenceCount: Number.MAX_SAFE_INTEGER, agentSeq: 0, before: 0 };

/**
 * A page of those agents that are not revoked, by how much evidence they have; of two with as much, who enrolled first.
 * @throws ApiError validation_error for a cursor that is none
 */
export async function leaderboard({ store, clock }: Trust, { limit, cursor }: Leaderboard) {
  const rows = rowsOf(limit);
  const { evidenceCount, agentSeq, before } = beginningAt(cursor);
  const bounds = windowBounds(dayOf(clock.now()));
  const found = await store.read((snapshot) =>
    reputationSql(snapshot).page.all({ ...bounds, evidenceCount, agentSeq, rows: rows + 1 }),
  );
  const { page, next_cursor } = pageOf(found, rows, (last) =>
    writeCursor([last.evidenceCount, last.agentSeq, before + rows].map(String), SCOPE),
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

/** @throws ApiError validation_error */
function beginningAt(cursor: string | undefined): Place {
  const place = placeOf(cursor, SCOPE, COMPLAINT)?.map(Number);
  if (place === undefined) return BEGINNING;
  const [evidenceCount, agentSeq, before] = place.every((each) => Number.isSafeInteger(each) && each >= 0)
    ? place
    : [];
  if (evidenceCount === undefined || agentSeq === undefined || before === undefined) {
    return refuseCursor(COMPLAINT);
  }
  return { evidenceCount, agentSeq, before };
}
