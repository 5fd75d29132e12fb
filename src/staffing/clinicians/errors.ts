/** What searching the registry can be refused for. */
export const cliniciansErrors = {
  INVALID_NPI: {
    status: 400,
    message: 'An NPI has ten digits, the last of them a check digit.',
    remedy: 'Check the number for a typing error.',
  },
  UNKNOWN_SPECIALTY: {
    status: 400,
    message: 'No specialty has this code or name; GET /specialties?query= finds those there are.',
  },
} as const;
