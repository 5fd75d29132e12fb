import { count, lt } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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
}));

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

/** Removes the notes from before a time, in RFC 3339. */
export function deleteNotesBefore(tx: Transaction, at: string): Promise<void> {
  return query(tx, (sql) => void sql.deleteUntil.run({ at }));
}
