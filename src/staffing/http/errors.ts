import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors that any operation of the staffing service can return. */
export const commonErrors = defineErrors({
  VALIDATION_FAILED: {
    status: 400,
    message: 'The request does not match its schema.',
    remedy: 'Correct the fields that `details` names.',
  },
  INVALID_JSON: {
    status: 400,
    message: 'The body is not valid JSON.',
    remedy: 'Send UTF-8 JSON without duplicate members.',
  },
  INVALID_CURSOR: {
    status: 400,
    message: 'The cursor does not belong to this list with these filters.',
    remedy: 'Request the first page without a cursor.',
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
  INVALID_ADMIN_TOKEN: {
    status: 401,
    message: 'The request has no valid admin token.',
    remedy: 'Send the header Authorization: Bearer adm_…',
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'The key does not have the required scope.',
    remedy: 'Use a key with this scope. Read the scopes of a key in GET /me.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Nothing exists at this path.',
    remedy: 'Check the path and its identifiers.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'An earlier request used this Idempotency-Key with a different body.',
    remedy: 'Use a new key for a new request.',
  },
  INVALID_STATE: {
    status: 409,
    message: 'The current state does not allow this operation.',
    remedy: 'Read the current state before the next request.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    remedy: 'Send a smaller body. The limit is 1 MiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The Content-Type of the request is not application/json.',
    remedy: 'Send JSON with the header Content-Type: application/json.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'You sent too many requests.',
    remedy: 'Wait for the seconds in the Retry-After header, then repeat the request.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'The server failed. The error is in its log.',
    remedy:
      'Repeat the request later. If it fails again, send the request_id to the administrator of the service.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot write to its storage. Nothing was changed.',
    remedy: 'Repeat the request later.',
    note: 'Also if the service is overloaded or cannot send the mail with a key; the message names the cause.',
  },
});
