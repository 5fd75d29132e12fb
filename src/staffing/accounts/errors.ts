/** What accounts and their keys can be refused for. */
export const accountsErrors = {
  WORK_EMAIL_REQUIRED: {
    status: 400,
    message: 'A work e-mail address is needed, of no free provider.',
    remedy: 'Use the address that your firm gave you.',
  },
  MISSING_KEY: { status: 401, message: 'An API key is needed: Authorization: Bearer mpk_…' },
  INVALID_KEY: {
    status: 401,
    message: 'This is no API key of this service.',
    remedy: 'Check the key; POST /sandbox-keys gives one.',
  },
  KEY_REVOKED: {
    status: 401,
    message: 'This API key has been revoked.',
    remedy: 'Use another key of the partner.',
  },
  WRONG_KEY_TYPE: { status: 401, message: 'This is a key of another product; keys here begin with mpk_.' },
  SCOPE_MISSING: {
    status: 403,
    message: 'This key does not have the scope that is needed.',
    remedy: 'Use a key with this scope; GET /me lists the scopes of a key.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    message: 'There is an account for this address; the operator replaces lost keys.',
  },
  KEY_LIMIT_REACHED: { status: 409, message: 'Two keys of a tier can be active; revoke one first.' },
  LAST_KEY: { status: 409, message: 'The last active key stays; make another first.' },
} as const;
