/** What keys, sessions and tokens can be refused for. */
export const operatorsErrors = {
  unauthorized: {
    status: 401,
    message: 'A valid API key is needed: Authorization: Bearer pp_…, or the cookie of a session.',
  },
  service_auth_failed: {
    status: 401,
    message: 'The service token is needed: Authorization: Bearer svc_…',
  },
  forbidden: {
    status: 403,
    message: 'This key may not do that.',
    remedy: 'Use a key with the role, scope or admin flag that the operation needs.',
  },
} as const;
