/** What notes can be refused for. */
export const notesErrors = {
  notes_full: { status: 409, message: 'There are as many notes as can be kept.' },
} as const;
