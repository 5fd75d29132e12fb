import { and, asc, count, gt, lt, lte, max } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RowRange } from '../../../src/platform/audit/table.ts';
import { bound, everyColumn } from '../../../src/platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../src/platform/store/transaction.ts';

const note = sqliteTable('note', {
  noteSeq: integer('note_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  text: text('text').notNull(),
  at: text('at').notNull(),
});

const query = statements((orm) => ({
  count: () => orm.select({ notes: count() }).from(note).prepare(),
  insert: () =>
    orm
      .insert(note)
      .values(everyColumn(note, ['noteSeq']))
      .prepare(),
  deleteUntil: () =>
    orm
      .delete(note)
      .where(lt(note.at, bound(note.at, 'at')))
      .prepare(),
  newest: () =>
    orm
      .select({ seq: max(note.noteSeq) })
      .from(note)
      .prepare(),
  range: () =>
    orm
      .select()
      .from(note)
      .where(
        and(gt(note.noteSeq, bound(note.noteSeq, 'after')), lte(note.noteSeq, bound(note.noteSeq, 'reach'))),
      )
      .orderBy(asc(note.noteSeq))
      .prepare(),
}));

export type NoteRow = typeof note.$inferSelect;

/** Returns how many notes there are. */
export function countNotes(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.count.get()?.notes ?? 0);
}

/** Adds a note. */
export function insertNote(
  tx: Transaction,
  row: { operatorSeq: number; text: string; at: string },
): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Deletes the notes from before a time, in RFC 3339. */
export function deleteNotesBefore(tx: Transaction, at: string): Promise<void> {
  return query(tx, (sql) => void sql.deleteUntil.run({ at }));
}

/** Returns the highest number of a note; 0 without notes. */
export function newestNote(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newest.get()?.seq ?? 0);
}

/** Returns the notes of a range. */
export function notesOf(snapshot: Snapshot, { after, reach }: RowRange): Promise<NoteRow[]> {
  return query(snapshot, (sql) => sql.range.all({ after, reach }));
}
