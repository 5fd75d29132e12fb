import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { PublicAuth } from '../../http/rate-limits.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { publicKey } from './get-public-key.ts';
import { transparencyKeys } from './list-transparency-keys.ts';
import { PublicKeyQuery, PublicKeyResponse, TransparencyKeysResponse } from './schema.ts';
import type { Signer } from './signing/signer.ts';

interface Context {
  store: Store;
  signer: Signer;
  log: TrustLog;
  url: string | null;
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
        response: { 200: PublicKeyResponse },
        detail: {
          operationId: 'getPublicKey',
          'x-response-headers': { 'Cache-Control': 'public, max-age=3600' },
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
        response: { 200: written(TransparencyKeysResponse) },
        detail: {
          operationId: 'listTransparencyKeys',
          'x-response-headers': { 'Cache-Control': 'public, max-age=60' },
          security: [],
        },
      },
    );
};
