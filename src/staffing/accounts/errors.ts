/** The errors of accounts and their keys. */
export const accountsErrors = {
  WORK_EMAIL_REQUIRED: {
    status: 400,
    message: 'The e-mail address belongs to a free provider.',
    remedy: 'Use the e-mail address that your firm gave you.',
  },
  MISSING_KEY: {
    status: 401,
    message: 'The request has no API key.',
    remedy: 'Send the header Authorization: Bearer mpk_…',
  },
  INVALID_KEY: {
    status: 401,
    message: 'This service does not know the API key.',
    remedy: 'Check the key, or get one with POST /sandbox-keys.',
  },
  KEY_REVOKED: {
    status: 401,
    message: 'The API key was revoked.',
    remedy: 'Use another key of the partner.',
  },
  WRONG_KEY_TYPE: {
    status: 401,
    message: 'The key belongs to another product.',
    remedy: 'Use a key that begins with mpk_.',
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'The key does not have the required scope.',
    remedy: 'Use a key with this scope. Read the scopes of a key in GET /me.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    message: 'This address already has an account.',
    remedy: 'Use the key of the account. If it is lost, ask the administrator of the service for another.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'The tier already has two active keys, which is its limit.',
    remedy: 'Revoke one of them first.',
  },
  LAST_KEY: {
    status: 409,
    message: 'The last active key of a tier cannot be revoked.',
    remedy: 'Create another key first.',
  },
} as const;
