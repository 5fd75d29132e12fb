import {
  type AuditedTable,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../src/platform/audit/table.ts';
import type { Snapshot } from '../../../src/platform/store/transaction.ts';
import { parseTimestamp } from '../../../src/proof/encoding/timestamp.ts';
import type { Problem } from '../../../src/proof/log/problem.ts';
import { countNotes, type NoteRow, newestNote, notesOf } from './store.ts';

/** The maximum number of notes, for any value of the setting. */
const MOST = 1000;

const notes: AuditedTable = {
  name: 'note',
  stage: 'rows',
  rows: { column: 'note_seq', counted: 'notes', cost: 1, examine: notesReport },
  begin: async ({ snapshot }) => ({
    reach: await newestNote(await snapshot),
    whole: async (now) => {
      const found = await countNotes(now);
      const what = 'there are more notes than can be kept';
      return { problems: found > MOST ? [{ table: 'note', row: {}, what, found: String(found) }] : [] };
    },
  }),
};

/** What fsck audits of notes. */
export const audited = [notes];

async function notesReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await notesOf(snapshot, range);
  return { ...NOTHING, problems: rows.flatMap(problemsOf), rows: rows.length };
}

function problemsOf({ noteSeq, at }: NoteRow): Problem[] {
  if (parseTimestamp(at) !== null) return [];
  return [{ table: 'note', row: { note_seq: noteSeq }, what: 'at is no time', found: at }];
}
