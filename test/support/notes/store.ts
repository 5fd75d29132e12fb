import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sqlOf } from '../../../src/platform/store/sql.ts';
import type { Snapshot } from '../../../src/platform/store/transaction.ts';

const note = sqliteTable('note', {
  noteSeq: integer('note_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  text: text('text').notNull(),
  at: text('at').notNull(),
});

const sql = sqlOf({ note });

export type NoteRow = typeof note.$inferSelect;

/** Returns how many notes there are. */
export const countNotes = sql.count(note)``;

/** Adds a note. */
export const insertNote = sql.insert(note, { without: ['noteSeq'] });

/** Deletes the notes from before a time, in RFC 3339. */
export const deleteNotesBefore = sql.run`DELETE FROM note WHERE at < ${'at'}`;

const newest = sql.value(sql.number`max(note_seq)`)`FROM note`;

/** Returns the highest number of a note; 0 without notes. */
export async function newestNote(snapshot: Snapshot): Promise<number> {
  return (await newest(snapshot)) ?? 0;
}

/** Returns the notes of a range. */
export const notesOf = sql.rows(note)`
  WHERE note_seq > ${'after:noteSeq'} AND note_seq <= ${'reach:noteSeq'} ORDER BY note_seq`;
