import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { matchesEtag } from '../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { PublicAuth } from '../http/rate-limits.ts';
import { PUBLIC, responses } from '../http/schema.ts';
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

/** The parts of the service that are used here. */
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
        response: responses(
          {
            200: written(CheckpointResponseSchema),
            304: NotModified,
          },
          commonErrors.validation_error,
        ),
        detail: {
          operationId: 'getLatestCheckpoint',
          'x-answer-headers': {
            ETag: ETAG_HEADER,
            'Cache-Control': 'A second.',
          },
          summary: 'Get the newest checkpoint',
          description:
            'The signed root of the Merkle tree (RFC 6962) over all finalized receipts. A new checkpoint is signed within 300 ms ' +
            'after the tree grows (in the other logs, within 1.1 s if they grow without pause), and every ten minutes without ' +
            'growth. `note` is a C2SP checkpoint, signed with Ed25519 and also with ML-DSA-44. Witnesses cosign it some seconds ' +
            'later: the note then has their lines, and the ETag changes. Cacheable for one second.',
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
        response: responses({ 200: written(CheckpointListResponse) }, commonErrors.validation_error),
        detail: {
          operationId: 'listCheckpoints',
          summary: 'List checkpoints',
          description:
            'Newest first, in pages. All checkpoints of the last hour are listed. Of older ones one a minute is kept, and after 30 days ' +
            '(a setting) one in ten minutes: the newest, and the newest that witnesses cosigned. Ages count from the newest checkpoint of ' +
            'the log. A checkpoint stays as it was published, so its previous_checkpoint_id may be of one that is no longer kept. ' +
            'Paging is stable while checkpoints are added and deleted.',
          security: [],
        },
      },
    )
    .get('/api/v1/receipts/checkpoints/consistency', ({ query }) => consistencyProof(trust, query), {
      open: 'publicReads',
      query: ConsistencyQuery,
      response: responses({ 200: ConsistencyResponse }, PUBLIC, commonErrors.not_found),
      detail: {
        operationId: 'proveConsistency',
        summary: 'Get a consistency proof',
        description:
          'Proves (RFC 6962 section 2.1.2) that the tree of `to` leaves begins with the tree of `from` leaves, so that nothing in ' +
          'it was changed. Any two sizes up to the size of the newest checkpoint are allowed; a larger size returns 404.',
        security: [],
      },
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
        response: responses({ 200: NoteText }, commonErrors.validation_error),
        detail: {
          operationId: 'getLogCheckpoint',
          'x-answer-headers': {
            'Cache-Control': 'A second.',
            Cosigned:
              "`true` if the checkpoint has the cosignatures that the service's witness policy demands; else `false`.",
          },
          summary: "Get a log's newest checkpoint as a note",
          description:
            'The entry point of the static form of a log (C2SP tlog-tiles), which monitors read. A growing log publishes several ' +
            'checkpoints a second, and witnesses cosign one of them about every four seconds: `cosigned=yes` requests the newest ' +
            'of those.',
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
        response: responses({ 200: PolicyLines }, commonErrors.validation_error),
        detail: {
          operationId: 'getLogVerifierKeys',
          summary: "Get a log's keys as lines of a policy",
          description:
            'C2SP tlog-policy: a line `log <vkey>` for every key that signs the log now, and for the next one. Witnesses use these ' +
            'lines to select the logs that they cosign. Get them once, in a way that you trust.',
          security: [],
        },
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
        response: responses({ 200: TileBytes }, commonErrors.validation_error, commonErrors.not_found),
        detail: {
          operationId: 'getLogTile',
          'x-answer-headers': {
            'Cache-Control': 'One year, immutable.',
            Vary: 'Accept-Encoding, of entries.',
          },
          summary: "Get a tile of a log's tree, or a bundle of its entries",
          description:
            'C2SP tlog-tiles: `tile/<level>/<index>` has 256 hashes; `tile/entries/<index>` has the entries of 256 leaves, each ' +
            'after its length in two bytes. `.p/<width>` requests the first entries of a tile that is not full yet. Leaves beyond ' +
            'the newest checkpoint are not available. The content of a path never changes.',
          security: [],
        },
      },
    );
