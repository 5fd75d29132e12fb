import { Type } from '@sinclair/typebox';

/** The events of notes. */
export const notesEvents = { 'note.kept': Type.Object({ text: Type.String() }) };
