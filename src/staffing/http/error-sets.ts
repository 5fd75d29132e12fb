import { commonErrors } from './errors.ts';

/** The errors of operations with a partner's key. */
const PARTNER_KEY = [
  commonErrors.VALIDATION_FAILED,
  commonErrors.MISSING_KEY,
  commonErrors.WRONG_KEY_TYPE,
  commonErrors.INVALID_KEY,
  commonErrors.KEY_REVOKED,
  commonErrors.SCOPE_MISSING,
  commonErrors.RATE_LIMITED,
  commonErrors.STORAGE_UNAVAILABLE,
];
/** The errors of operations with the admin token. */
const ADMIN_TOKEN = [
  commonErrors.VALIDATION_FAILED,
  commonErrors.WRONG_KEY_TYPE,
  commonErrors.INVALID_ADMIN_TOKEN,
  commonErrors.STORAGE_UNAVAILABLE,
];
/** The errors of operations with a body. */
const BODY = [
  commonErrors.VALIDATION_FAILED,
  commonErrors.INVALID_JSON,
  commonErrors.PAYLOAD_TOO_LARGE,
  commonErrors.UNSUPPORTED_MEDIA_TYPE,
];

/** The errors that many operations share, by the name that `api.md` gives between asterisks. */
export const errorSets = { 'partner key': PARTNER_KEY, 'admin token': ADMIN_TOKEN, body: BODY };
