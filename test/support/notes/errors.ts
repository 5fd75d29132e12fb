import { defineErrors } from '../../../src/platform/http/errors/define-errors.ts';

/** The errors of notes. */
export const notesErrors = defineErrors({
  notes_full: {
    status: 409,
    message: 'The operator has as many notes as it may store.',
    remedy: 'Delete one of them first.',
  },
});
