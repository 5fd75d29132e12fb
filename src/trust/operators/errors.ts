/** The errors of keys, sessions and tokens. */
export const operatorsErrors = {
  unauthorized: {
    status: 401,
    message: 'The request has no valid API key and no valid session cookie.',
    remedy: 'Send the header Authorization: Bearer pp_…, or the cookie of a session.',
  },
  service_auth_failed: {
    status: 401,
    message: 'The request has no valid service token.',
    remedy: 'Send the header Authorization: Bearer svc_…',
  },
  forbidden: {
    status: 403,
    message: 'This key does not have permission for the operation.',
    remedy: 'Use a key with the role, scope or admin flag that the operation needs.',
  },
  scope_ended: {
    status: 403,
    message:
      'The scope of this key has ended. The key can still read, finalize and revoke the receipts that it issued, and delete itself.',
    remedy: 'Use another key.',
  },
} as const;
