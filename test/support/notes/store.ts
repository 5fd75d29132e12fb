import { count, lt } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bound, everyColumn } from '../../../src/platform/store/columns.ts';
import { type Snapshot, syncStatements, type Transaction } from '../../../src/platform/store/transaction.ts';

const note = sqliteTable('note', {
  noteSeq: integer('note_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  text: text('text').notNull(),
  at: text('at').notNull(),
});

const noteSql = syncStatements((orm) => ({
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

/** How many notes there are. */
export function countNotes(snapshot: Snapshot): number {
  return noteSql(snapshot).count.get()?.notes ?? 0;
}

/** Keeps a note. */
export function insertNote(tx: Transaction, row: { operatorSeq: number; text: string; at: string }): void {
  noteSql(tx).insert.run(row);
}

/** Removes the notes from before a time. */
export function forgetNotes(tx: Transaction, at: string): void {
  noteSql(tx).deleteUntil.run({ at });
}
