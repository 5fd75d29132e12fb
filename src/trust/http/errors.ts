import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of all operations of the trust service. */
export const commonErrors = defineErrors({
  validation_error: {
    status: 400,
    message: 'The request does not match its schema.',
    remedy: 'Correct the fields that `issues` names.',
  },
  invalid_json: {
    status: 400,
    message: 'The body is not valid JSON.',
    remedy: 'Send UTF-8 JSON without duplicate members.',
  },
  unauthorized: {
    status: 401,
    message: 'The request has no valid API key and no valid session cookie.',
    remedy: 'Send the header Authorization: Bearer pp_…, or the cookie of a session.',
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
  agent_not_enrolled: {
    status: 403,
    message: 'The agent has not completed enrollment.',
    remedy: 'Enroll the agent first. A revoked agent cannot act again.',
  },
  not_found: {
    status: 404,
    message: 'Nothing exists at this path.',
    remedy: 'Check the path and its identifiers.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    status: 409,
    message: 'The request conflicts with the current state.',
    remedy: 'Read the current state, then change the request.',
  },
  invalid_state: {
    status: 409,
    message: 'The current state does not allow this operation.',
    remedy: 'Read the current state before the next request.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is too large.',
    remedy: 'Send a smaller body. The limit is 1 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type of the request is not application/json.',
    remedy: 'Send JSON with the header Content-Type: application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'An earlier request used this Idempotency-Key with a different body.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'Your address sent too many requests.',
    remedy: 'Wait for the seconds in the Retry-After header, then repeat the request.',
  },
  internal_error: {
    status: 500,
    message: 'The server failed. The error is in its log.',
    remedy:
      'Repeat the request later. If it fails again, send the request_id to the administrator of the service.',
  },
  not_configured: {
    status: 503,
    message: 'This function is not configured.',
    remedy: 'Ask the administrator of the service to configure it.',
  },
  overloaded: {
    status: 503,
    message: 'The service is overloaded.',
    remedy: 'Wait for the seconds in the Retry-After header, then repeat the request.',
    note: 'A body that takes longer than 10 s to arrive has this error too; the message names the cause.',
  },
  storage_unavailable: {
    status: 503,
    message: 'The service cannot write to its storage. Nothing was changed.',
    remedy: 'Repeat the request later.',
  },
});
