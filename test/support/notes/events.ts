import { Type } from '@sinclair/typebox';

/** What is told of notes. */
export const notesEvents = { 'note.kept': Type.Object({ text: Type.String() }) };
