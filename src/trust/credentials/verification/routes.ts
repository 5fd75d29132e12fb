import { Elysia } from 'elysia';
import { problemOf } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { verificationErrors } from './errors.ts';
import { invalidMembers, VerifyCredentialRequest, VerifyCredentialResponse } from './schema.ts';
import { type VerificationContext, verifyCredential } from './verify.ts';

export const verificationRoutes = (trust: VerificationContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Credentials'] })
    .use(open)
    .post('/api/v1/credentials/verify', ({ body }) => verifyCredential(trust, body), {
      open: 'publicPosts',
      body: VerifyCredentialRequest,
      response: {
        200: VerifyCredentialResponse,
        422: problemOf(
          [
            verificationErrors.credential_malformed,
            verificationErrors.credential_issuer_unknown,
            verificationErrors.credential_key_unknown,
            verificationErrors.credential_key_compromised,
            verificationErrors.credential_bad_proof,
            verificationErrors.credential_key_retired,
            verificationErrors.credential_misdated,
            verificationErrors.credential_not_yet_valid,
            verificationErrors.credential_expired,
            verificationErrors.credential_revoked,
            verificationErrors.credential_status_unknown,
          ],
          invalidMembers,
        ),
      },
      detail: { operationId: 'verifyCredential', security: [] },
    });
