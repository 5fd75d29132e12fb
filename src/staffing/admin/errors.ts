/** What administration can be refused for. */
export const adminErrors = {
  INVALID_ADMIN_TOKEN: { status: 401, message: 'The admin token is needed: Authorization: Bearer adm_…' },
} as const;
