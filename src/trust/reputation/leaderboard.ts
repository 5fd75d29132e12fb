import { readCursor, writeCursor } from '../../platform/http/cursor.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { dayOf, figuresOf, windowBounds, windowsOf } from './rates.ts';
import type { Leaderboard } from './schema.ts';
import { reputationSql } from './store.ts';

const DEFAULT_LIMIT = 50;
const SCOPE = 'leaderboard';

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
  const rows = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  const { evidenceCount, agentSeq, before } = cursor === undefined ? BEGINNING : placeOf(cursor);
  const bounds = windowBounds(dayOf(clock.now()));
  const page = await store.read((snapshot) =>
    reputationSql(snapshot).page.all({ ...bounds, evidenceCount, agentSeq, rows: rows + 1 }),
  );
  const last = page.length > rows ? page[rows - 1] : undefined;
  return {
    agents: page.slice(0, rows).map((row, index) => ({
      rank: before + index + 1,
      subject_commitment: row.subjectCommitment,
      name: row.name,
      evidence_count: row.evidenceCount,
      ...figuresOf(windowsOf(row)),
    })),
    next_cursor:
      last === undefined
        ? null
        : writeCursor([last.evidenceCount, last.agentSeq, before + rows].map(String), SCOPE),
  };
}

/** @throws ApiError validation_error */
function placeOf(cursor: string): Place {
  const place = readCursor(cursor, SCOPE)?.map(Number);
  const [evidenceCount, agentSeq, before] = place?.every((each) => Number.isSafeInteger(each) && each >= 0)
    ? place
    : [];
  if (evidenceCount === undefined || agentSeq === undefined || before === undefined) {
    throw trustError('validation_error', { issues: { cursor: ['is not a cursor of the leaderboard'] } });
  }
  return { evidenceCount, agentSeq, before };
}
