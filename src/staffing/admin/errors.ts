/** The errors of administration. */
export const adminErrors = {
  INVALID_ADMIN_TOKEN: {
    status: 401,
    message: 'The request has no valid admin token.',
    remedy: 'Send the header Authorization: Bearer adm_…',
  },
} as const;
