import { Elysia } from 'elysia';
import { BODY, PUBLIC, problemOf, responses, STORED } from '../../http/schema.ts';
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
      response: responses(
        {
          200: VerifyCredentialResponse,
          422: problemOf(
            [
              verificationErrors.credential_malformed,
              verificationErrors.credential_issuer_unknown,
              verificationErrors.credential_key_unknown,
              verificationErrors.credential_key_compromised,
              verificationErrors.credential_bad_proof,
              verificationErrors.credential_key_retired,
              verificationErrors.credential_not_yet_valid,
              verificationErrors.credential_expired,
              verificationErrors.credential_revoked,
              verificationErrors.credential_status_unknown,
            ],
            invalidMembers,
          ),
        },
        PUBLIC,
        BODY,
        STORED,
      ),
      detail: {
        operationId: 'verifyCredential',
        summary: 'Verify a credential that this service issued',
        description:
          'The body is the credential as `GET /api/v1/credentials/{commitment}` returned it, or has it as `credential` or ' +
          '`verifiableCredential`. Keys are never taken from it: only keys of ' +
          'this service of purpose `credentials` count, and only its own DIDs as issuer. A credential has exactly one proof, of type ' +
          'DataIntegrityProof, with the suite `eddsa-jcs-2022` and the purpose `assertionMethod`, and exactly the contexts with which ' +
          'it was issued, in their order. Revocation, of the credential or of its agent, counts at once. 422 names the first check ' +
          'that failed in `reason_code`. `countersign verify` does the same offline. Replace the example, which is a ' +
          'credential of another service, except in a demonstration.',
        security: [],
      },
    });
