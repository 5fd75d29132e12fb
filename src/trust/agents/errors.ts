import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of enrollment and of requests that agents sign. */
export const agentsErrors = defineErrors({
  invalid_proof: {
    status: 401,
    message: 'The signature does not verify.',
    remedy:
      'Sign exactly what the operation describes, with the key or the secret that it names. An agent signs with the key that it enrolled.',
  },
  challenge_not_found: {
    status: 404,
    message: 'No open challenge matches this proof.',
    remedy: 'Request a new challenge and sign its nonce.',
  },
  nonce_reused: {
    status: 409,
    message: 'An earlier call used this nonce.',
    remedy: 'Sign the request again with a new nonce.',
  },
  challenge_expired: {
    status: 410,
    message: 'The challenge has expired.',
    remedy: 'Request a new challenge and sign its nonce.',
  },
});
