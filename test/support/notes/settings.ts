import { integer } from '../../../src/platform/config/setting.ts';

/** The settings of notes. */
export const notesSettings = {
  most: integer('notes.most', 1, 1000, { description: 'how many notes are kept', fallback: 2 }),
};
