/** The errors of notes. */
export const notesErrors = {
  notes_full: {
    status: 409,
    message: 'The operator has as many notes as it may store.',
    remedy: 'Delete one of them first.',
  },
} as const;
