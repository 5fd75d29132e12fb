import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import { commonErrors } from '../../http/errors.ts';
import type { PublicAuth } from '../../http/rate-limits.ts';
import { responses } from '../../http/schema.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { publicKey } from './get-public-key.ts';
import { transparencyKeys } from './list-transparency-keys.ts';
import { PublicKeyQuery, PublicKeyResponse, TransparencyKeysResponse } from './schema.ts';
import type { Signer } from './signing/signer.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  signer: Signer;
  log: TrustLog;
}

export const keyRoutes = (trust: Context, { open }: PublicAuth) => {
  const allKeys = transparencyKeys(trust);
  return new Elysia({ tags: ['Keys'] })
    .use(open)
    .get(
      '/api/v1/public-key',
      ({ query, set }) => {
        set.headers['cache-control'] = 'public, max-age=3600';
        return publicKey(trust, query.purpose ?? 'receipts');
      },
      {
        open: 'free',
        query: PublicKeyQuery,
        response: responses({ 200: PublicKeyResponse }, commonErrors.validation_error),
        detail: {
          operationId: 'getPublicKey',
          'x-answer-headers': { 'Cache-Control': 'public, max-age=3600' },
          summary: 'Get the published verifying key',
          description:
            'The Ed25519 key that verifies what the service signs, and its rotation. The key of purpose `receipts` signs receipts, the key of ' +
            'purpose `credentials` statements, and the key of purpose `<log>-log` the checkpoints of that log only. ' +
            'Get it once and store it: verification needs no further call. Cacheable for an hour. `audience` is the name of this ' +
            'installation, which an agent signs in `agent_auth`.',
          security: [],
        },
      },
    )
    .get(
      '/api/v1/transparency/keys',
      ({ set }) => {
        set.headers['cache-control'] = 'public, max-age=60';
        set.headers['content-type'] = 'application/json';
        return allKeys();
      },
      {
        open: 'free',
        response: responses({ 200: written(TransparencyKeysResponse) }, commonErrors.validation_error),
        detail: {
          operationId: 'listTransparencyKeys',
          'x-answer-headers': { 'Cache-Control': 'public, max-age=60' },
          summary: 'List all verifying keys',
          description:
            'Every signing key (next, active and historical) with its validity, its position in the append-only key log, and the ' +
            'newest checkpoint of that log. Each log has an Ed25519 and an ML-DSA-44 key of its own. A retired or compromised key ' +
            'states the size of the receipts log below which its signatures are valid. Save this response as the file for `countersign verify --keys`.',
          security: [],
        },
      },
    );
};
