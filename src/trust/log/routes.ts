import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { matchesEtag } from '../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { PublicAuth } from '../http/rate-limits.ts';
import { checkpointNote, latestCheckpoint } from './get-checkpoint.ts';
import { logTile } from './get-tile.ts';
import { verifierKeys } from './get-verifier-keys.ts';
import type { Signer } from './keys/signing/signer.ts';
import type { TrustLog } from './lifecycle/open.ts';
import { listCheckpoints } from './list-checkpoints.ts';
import { consistencyProof } from './prove-consistency.ts';
import {
  CheckpointListResponse,
  CheckpointResponseSchema,
  CheckpointsQuery,
  ConsistencyQuery,
  ConsistencyResponse,
  LogPath,
  LogQuery,
  NoteQuery,
  NoteText,
  PolicyLines,
  TileBytes,
  TilePath,
} from './schema.ts';

interface Context {
  store: Store;
  clock: Clock;
  cursors: Cursors;
  signer: Signer;
  log: TrustLog;
}

/** The shortest time that a cache can keep something. A checkpoint is replaced up to five times a second. */
const BRIEFLY = 'public, max-age=1';
const FOR_EVER = 'public, max-age=31536000, immutable';
const TEXT = 'text/plain; charset=utf-8';

const compressed = promisify(gzip);

export const logRoutes = (trust: Context, { open }: PublicAuth) =>
  new Elysia({ tags: ['Transparency log'] })
    .use(open)
    .get(
      '/api/v1/receipts/checkpoints/latest',
      ({ query, headers, set, status }) => {
        const { etag, json } = latestCheckpoint(trust, query.log);
        set.headers.etag = etag;
        set.headers['cache-control'] = BRIEFLY;
        if (matchesEtag(headers['if-none-match'], etag)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        query: LogQuery,
        response: {
          200: written(CheckpointResponseSchema),
          304: NotModified,
        },
        detail: {
          operationId: 'getLatestCheckpoint',
          'x-response-headers': {
            ETag: ETAG_HEADER,
            'Cache-Control': 'A second.',
          },
          security: [],
        },
      },
    )
    .get(
      '/api/v1/receipts/checkpoints',
      ({ query, set }) => {
        set.headers['content-type'] = 'application/json';
        return listCheckpoints(trust, query);
      },
      {
        open: 'free',
        query: CheckpointsQuery,
        response: { 200: written(CheckpointListResponse) },
        detail: { operationId: 'listCheckpoints', security: [] },
      },
    )
    .get('/api/v1/receipts/checkpoints/consistency', ({ query }) => consistencyProof(trust, query), {
      open: 'publicReads',
      query: ConsistencyQuery,
      response: { 200: ConsistencyResponse },
      detail: { operationId: 'proveConsistency', security: [] },
    })
    .get(
      '/log/:name/checkpoint',
      ({ params, query, set }) => {
        const { note, isCosigned } = checkpointNote(trust, params.name, query);
        set.headers['cache-control'] = BRIEFLY;
        set.headers['content-type'] = TEXT;
        set.headers.cosigned = String(isCosigned);
        return note;
      },
      {
        open: 'free',
        params: LogPath,
        query: NoteQuery,
        response: { 200: NoteText },
        detail: {
          operationId: 'getLogCheckpoint',
          'x-response-headers': {
            'Cache-Control': 'A second.',
            Cosigned:
              "`true` if the checkpoint has the cosignatures that the service's witness policy demands; else `false`.",
          },
          security: [],
        },
      },
    )
    .get(
      '/log/:name/vkeys',
      ({ params, set }) => {
        set.headers['content-type'] = TEXT;
        return verifierKeys(trust, params.name);
      },
      {
        open: 'free',
        params: LogPath,
        response: { 200: PolicyLines },
        detail: { operationId: 'getLogVerifierKeys', security: [] },
      },
    )
    .get(
      '/log/:name/tile/*',
      async ({ params, headers, set }) => {
        const tile = await logTile(trust, params.name, params['*']);
        set.headers['cache-control'] = FOR_EVER;
        set.headers['content-type'] = 'application/octet-stream';
        if (!tile.isEntries) return tile.bytes;
        set.headers.vary = 'Accept-Encoding';
        if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return tile.bytes;
        set.headers['content-encoding'] = 'gzip';
        return compressed(tile.bytes, { level: constants.Z_BEST_SPEED });
      },
      {
        open: 'free',
        params: TilePath,
        response: { 200: TileBytes },
        detail: {
          operationId: 'getLogTile',
          'x-response-headers': {
            'Cache-Control': 'One year, immutable.',
            Vary: 'Accept-Encoding, of entries.',
          },
          security: [],
        },
      },
    );
