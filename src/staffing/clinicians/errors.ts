import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of searching the registry. */
export const cliniciansErrors = defineErrors({
  INVALID_NPI: {
    status: 400,
    message: 'The number is not an NPI: ten digits, the last of which is a check digit.',
    remedy: 'Check the number for typing errors.',
  },
  UNKNOWN_SPECIALTY: {
    status: 400,
    message: 'No specialty has this code or name.',
    remedy: 'Search for specialties with GET /specialties?query=.',
  },
});
