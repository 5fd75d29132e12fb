import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import { readKeyEntry } from '../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { emptyRoot, Frontier, leafHash } from '../../../../src/proof/log/merkle.ts';
import { SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { decodeEntries, tilesOf } from '../../../../src/proof/log/tiles.ts';
import { parseTlogProof } from '../../../../src/proof/log/tlog-proof.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { concurrently } from '../../../support/client.ts';
import { consistent, finalized, latest, provenEntry, SUCCESS } from '../../../support/log.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
let pending: Record<string, unknown>;
let first: Record<string, unknown>;

const publish = () => app.service.trust.log.publisher.publish();
const bytesAt = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(new Request(`http://localhost${path}`, { headers }));

beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

describe('at the first start of the trust service', () => {
  test('every log has its name and a checkpoint, the empty ones of size 0', async () => {
    for (const log of ['receipts', 'revocations']) {
      const { body, checkpoint, checks } = await latest(app.anyone, log);
      expect(body).toMatchObject({
        origin: `localhost:3000/${log}`,
        tree_size: 0,
        root_hash: bytesToHex(emptyRoot(nativePrimitives)),
        from_index: 0,
        to_index: 0,
        receipt_count: 0,
        previous_checkpoint_id: null,
      });
      expect(checkpoint.extensions).toEqual([]);
      expect(checks.map(({ key, verified }) => [key.type, verified])).toEqual([
        [SIGNATURE_TYPES.ed25519, true],
        [SIGNATURE_TYPES.mlDsa44, true],
      ]);
    }
    expect((await latest(app.anyone, 'keys')).checkpoint.size).toBe(2 * REQUIRED_KEYS.length);
  });

  test('every key is in the key log, added and activated, signed by itself', async () => {
    const { body } = await app.anyone.get('/api/v1/transparency/keys');
    const bundle = await bytesAt(`/log/keys/tile/entries/000.p/${2 * REQUIRED_KEYS.length}`);
    const entries = decodeEntries(new Uint8Array(await bundle.arrayBuffer())).map((entry) =>
      readKeyEntry(new TextDecoder().decode(entry)),
    );
    const rows: { kid: string; log_index: number; public_key: string }[] = Object(body.keys);
    expect(rows).toHaveLength(REQUIRED_KEYS.length);
    for (const { kid, log_index, public_key } of rows) {
      expect(entries[log_index]).toMatchObject({ event: 'added', kid, public_key });
      expect(entries[log_index + 1]).toMatchObject({ event: 'activated', kid, signatures: [{ kid }] });
    }
    const { note, root_hash } = Object((await latest(app.anyone, 'keys')).body);
    expect(body.log).toEqual({
      origin: 'localhost:3000/keys',
      tree_size: 2 * REQUIRED_KEYS.length,
      root_hash,
      checkpoint: note,
    });
  });
});

describe('a receipt in the log', () => {
  test('enters the log when it is finalized, and is proven once a checkpoint covers it', async () => {
    pending = (await app.own.issue()).body;
    first = await finalized(app.own);
    const manifest = async (id: unknown) =>
      (await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`)).body;
    expect(await manifest(pending.receipt_id)).toMatchObject({
      leaf_content_hash: null,
      inclusion_path: null,
      inclusion_reason: 'The receipt is pending. It enters the log when it is finalized.',
    });
    expect(await manifest(first.receipt_id)).toMatchObject({
      leaf_content_hash: first.content_hash,
      inclusion_path: null,
      inclusion_reason: expect.stringContaining('no checkpoint covers it yet'),
    });
    await publish();
    const { receipt_id, content_hash, signature, kid } = first;
    expect(await provenEntry(app, receipt_id)).toEqual({
      v: 1,
      receipt_id,
      content_hash,
      signature,
      kid,
      finalized_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('keeps its leaf when it is revoked, which the log of revocations says', async () => {
    const receipt = await finalized(app.own);
    const revoked = (await app.own.revoke(receipt.receipt_id)).body;
    const never = (await app.own.issue()).body;
    await app.own.revoke(never.receipt_id);
    await publish();
    expect(await provenEntry(app, receipt.receipt_id)).toMatchObject({ content_hash: receipt.content_hash });
    const manifest = (await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/public-manifest`)).body;
    expect(manifest).toMatchObject({
      content_hash: revoked.content_hash,
      leaf_content_hash: receipt.content_hash,
    });
    expect((await app.anyone.get(`/api/v1/receipts/${never.receipt_id}/public-manifest`)).body).toMatchObject(
      {
        leaf_content_hash: null,
        inclusion_reason: 'The receipt was revoked before it was finalized.',
      },
    );
    const bundle = await bytesAt('/log/revocations/tile/entries/000.p/2');
    const [entry] = decodeEntries(new Uint8Array(await bundle.arrayBuffer()));
    expect(JSON.parse(new TextDecoder().decode(entry))).toEqual({
      v: 1,
      receipt_id: receipt.receipt_id,
      content_hash: revoked.content_hash,
      signature: revoked.signature,
      kid: revoked.kid,
      revoked_at: expect.any(String),
    });
  });

  test('is also proven by its tlog-proof text', async () => {
    const response = await bytesAt(`/api/v1/receipts/${first.receipt_id}/proof`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    const proof = parseTlogProof(new Uint8Array(await response.arrayBuffer()));
    expect(proof.index).toBe(0);
    expect(JSON.parse(new TextDecoder().decode(proof.extra ?? new Uint8Array()))).toMatchObject({
      receipt_id: first.receipt_id,
      content_hash: first.content_hash,
    });
    expect(proof.checkpoint).toBe(String((await latest(app.anyone)).body.note));
  });

  test('has a signed status, valid for five minutes', async () => {
    const { status, body } = await app.anyone.get(`/api/v1/receipts/${first.receipt_id}/status`);
    expect([status, body]).toEqual([
      200,
      {
        type: 'receipt-status',
        receipt_id: first.receipt_id,
        content_hash: first.content_hash,
        status: 'success',
        revocation_status: 'active',
        checked_at: new Date(time.now()).toISOString(),
        valid_until: new Date(time.now() + 300_000).toISOString(),
        signature: expect.stringMatching(/^[0-9a-f]{128}$/),
        kid: expect.any(String),
      },
    ]);
  });
});

describe('the checkpoints of a log', () => {
  test('are consistent with each other, whichever two were published', async () => {
    for (const count of [1, 3, 7]) {
      for (let index = 0; index < count; index++) await finalized(app.own);
      await publish();
    }
    const { body } = await app.anyone.get('/api/v1/receipts/checkpoints?limit=100');
    const sizes: number[] = Object(body.checkpoints).map((row: { tree_size: number }) => row.tree_size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    for (const from of sizes) for (const to of sizes) if (from <= to) await consistent(app.anyone, from, to);
  });

  test('are all stored, chained, and paged newest first', async () => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const after = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await app.anyone.get(`/api/v1/receipts/checkpoints?limit=2${after}`);
      rows.push(...Object(body.checkpoints));
      cursor = body.next_cursor;
    }
    expect(new Set(rows.map(({ checkpoint_id }) => checkpoint_id)).size).toBe(rows.length);
    for (const [index, row] of rows.entries()) {
      const before = rows[index + 1];
      expect(row.previous_checkpoint_id).toBe(before?.checkpoint_id ?? null);
      expect(row.from_index).toBe(before?.tree_size ?? 0);
      expect(row.receipt_count).toBe(Number(row.to_index) - Number(row.from_index));
    }
    expect((await app.anyone.get('/api/v1/receipts/checkpoints')).body).toEqual({
      checkpoints: rows,
      next_cursor: null,
    });
  });

  test('are signed again after ten minutes without growth, and not before', async () => {
    const { checkpoint_id, issued_at, tree_size } = (await latest(app.anyone)).body;
    time.advance(599_999);
    await publish();
    expect((await latest(app.anyone)).body.checkpoint_id).toBe(checkpoint_id);
    time.advance(1);
    await publish();
    const { body } = await latest(app.anyone);
    expect(body).toMatchObject({ previous_checkpoint_id: checkpoint_id, tree_size, receipt_count: 0 });
    expect(Date.parse(String(body.issued_at)) - Date.parse(String(issued_at))).toBeGreaterThanOrEqual(
      600_000,
    );
  });

  test('never go back in time with the clock', async () => {
    const before = (await latest(app.anyone)).body;
    time.advance(-3_600_000);
    await finalized(app.own);
    await publish();
    const { body, checks } = await latest(app.anyone);
    expect([body.previous_checkpoint_id, body.issued_at]).toEqual([before.checkpoint_id, before.issued_at]);
    const seconds = Math.floor(Date.parse(String(before.issued_at)) / 1000);
    expect(checks.find(({ timestamp }) => timestamp !== null)?.timestamp).toBe(seconds);
    time.advance(3_600_000);
  });

  test('have an entity tag, and are not sent again to clients that have it', async () => {
    const path = '/api/v1/receipts/checkpoints/latest';
    const response = await bytesAt(path);
    const etag = response.headers.get('etag') ?? '';
    expect([etag, response.headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^"ckpt_/),
      'public, max-age=1',
    ]);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await bytesAt(path, { 'if-none-match': tag });
      expect([tag, again.status, await again.text()]).toEqual([tag, 304, '']);
    }
    expect((await bytesAt(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('are not signed for a tree that has lost what was published', async () => {
    const broken = await openTrustApp({}, time);
    await finalized(broken.own);
    await broken.service.trust.log.publisher.publish();
    // Nothing but a fault of the disk or of this program could do this.
    await broken.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER receipt_leaf_is_final');
      sqlite.run('UPDATE receipt_leaf SET leaf_hash = zeroblob(32)');
    });
    const { note } = broken.service.trust.log.publisher.latest('receipts').response;
    await finalized(broken.own);
    await expect(broken.service.trust.log.publisher.publish()).rejects.toThrow(
      /does not contain the checkpoint/,
    );
    expect(broken.service.trust.log.publisher.latest('receipts').response.note).toBe(note);
    const { status, body } = await broken.anyone.get('/api/health');
    expect([status, body.status]).toEqual([503, 'degraded']);
    await broken.close();
  });
});

test('consistency is proven between any two sizes up to the newest checkpoint, whichever were published', async () => {
  const other = await openTrustApp({}, time);
  await concurrently(Array.from({ length: 261 }), 32, () => finalized(other.own));
  await other.service.trust.log.publisher.publish();
  const roots = new Map<number, unknown>();
  for (const [from, to] of [
    [0, 261],
    [1, 2],
    [2, 2],
    [100, 257],
    [255, 256],
    [256, 261],
    [261, 261],
  ] as const) {
    await consistent(other.anyone, from, to);
    const { body } = await other.anyone.get(`/api/v1/receipts/checkpoints/consistency?from=${from}&to=${to}`);
    // One size has one root, that of the newest checkpoint included.
    for (const [size, root] of [
      [from, body.from_root],
      [to, body.to_root],
    ] as const) {
      expect(root).toBe(roots.get(size) ?? root);
      roots.set(size, root);
    }
  }
  expect(roots.get(261)).toBe((await latest(other.anyone)).body.root_hash);
  await finalized(other.own);
  const beyond = await other.anyone.get('/api/v1/receipts/checkpoints/consistency?from=1&to=262');
  expect([beyond.status, beyond.body.error]).toEqual([
    404,
    'The newest checkpoint covers 261 leaves. Request a size up to this one, or wait for the next checkpoint.',
  ]);
  await other.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
    sqlite.run('DROP TRIGGER receipt_leaf_is_final');
    sqlite.run('UPDATE receipt_leaf SET leaf_hash = zeroblob(32) WHERE leaf_seq = 261');
  });
  expect((await other.anyone.get('/api/v1/receipts/checkpoints/consistency?from=1&to=259')).status).toBe(500);
  await other.close();
});

describe('the static form of a log', () => {
  test('contains the complete tree: every tile and every entry hash to the checkpoint', async () => {
    await concurrently(Array.from({ length: 300 }), 32, () => finalized(app.own));
    await publish();
    const { checkpoint } = await latest(app.anyone);
    const response = await bytesAt('/log/receipts/checkpoint');
    expect([
      await response.text(),
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([
      String((await latest(app.anyone)).body.note),
      'text/plain; charset=utf-8',
      'public, max-age=1',
    ]);
    const frontier = new Frontier(nativePrimitives);
    const roots: Uint8Array[] = [];
    for (let start = 0; start < checkpoint.size; start += 256) {
      const width = Math.min(256, checkpoint.size - start);
      const name = `${String(start / 256).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`;
      const hashes = new Uint8Array(await (await bytesAt(`/log/receipts/tile/0/${name}`)).arrayBuffer());
      const bundle = await bytesAt(`/log/receipts/tile/entries/${name}`, { 'accept-encoding': 'gzip' });
      expect(bundle.headers.get('content-encoding')).toBe('gzip');
      const entries = decodeEntries(Bun.gunzipSync(await bundle.arrayBuffer()));
      expect(entries).toHaveLength(width);
      const tile = new Frontier(nativePrimitives);
      for (const [index, entry] of entries.entries()) {
        const leaf = leafHash(nativePrimitives, entry);
        expect(bytesToHex(leaf)).toBe(bytesToHex(hashes.subarray(index * 32, index * 32 + 32)));
        frontier.append(leaf);
        tile.append(leaf);
      }
      if (width === 256) roots.push(tile.root());
    }
    expect(bytesToHex(frontier.root())).toBe(bytesToHex(checkpoint.root));
    const above = new Uint8Array(
      await (await bytesAt(`/log/receipts/tile/1/000.p/${roots.length}`)).arrayBuffer(),
    );
    expect(bytesToHex(above)).toBe(roots.map(bytesToHex).join(''));
    const { log } = { log: [...tilesOf(checkpoint.size)].length };
    expect(log).toBeGreaterThan(2);
  });

  test('serves no entries that do not hash to their leaves, also before a tile covers them', async () => {
    const broken = await openTrustApp();
    for (let count = 0; count < 3; count++) await finalized(broken.own);
    const { store, log } = broken.service.trust;
    await log.publisher.publish();
    const read = async () => {
      const path = '/log/receipts/tile/entries/000.p/3';
      return (await broken.fetch(new Request(`http://localhost${path}`))).status;
    };
    expect(await read()).toBe(200);
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER receipt_version_is_final');
      sqlite.run("UPDATE receipt_version SET signed_at = '2026-01-01T00:00:00.000Z'");
    });
    expect(await read()).toBe(500);
    expect(log.damage.problems).toEqual([
      expect.stringContaining('entry 0 of localhost:3000/receipts is not what was published'),
    ]);
    await broken.close();
  });

  test('never marks damaged data as immutable', async () => {
    const broken = await openTrustApp();
    await concurrently(Array.from({ length: 257 }), 32, () => finalized(broken.own));
    const {
      store,
      log: { publisher },
    } = broken.service.trust;
    await publisher.publish();
    const read = async (kind: string) =>
      (await broken.fetch(new Request(`http://localhost/log/receipts/tile/${kind}/000`))).status;
    expect([await read('0'), await read('entries')]).toEqual([200, 200]);
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER receipt_leaf_is_final');
      sqlite.run('UPDATE receipt_leaf SET leaf_hash = zeroblob(32) WHERE leaf_seq = 6');
    });
    expect([await read('0'), await read('entries')]).toEqual([500, 200]);
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER receipt_version_is_final');
      sqlite.run('UPDATE receipt_version SET signature = zeroblob(64)');
    });
    expect(await read('entries')).toBe(500);
    await broken.close();
  });

  test('returns only what a checkpoint covers, and marks it as immutable', async () => {
    const { checkpoint } = await latest(app.anyone);
    const width = checkpoint.size % 256;
    const index = String(Math.floor(checkpoint.size / 256)).padStart(3, '0');
    await finalized(app.own);
    for (const kind of ['0', 'entries']) {
      const known = await bytesAt(`/log/receipts/tile/${kind}/${index}.p/${width}`);
      expect([known.status, known.headers.get('cache-control'), known.headers.get('content-type')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'application/octet-stream',
      ]);
      const unknown = await bytesAt(`/log/receipts/tile/${kind}/${index}.p/${width + 1}`);
      expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
  });
});

describe('the log refuses', () => {
  const CHECKPOINTS = '/api/v1/receipts/checkpoints';
  const NO_ID = `rcpt_${'0'.repeat(32)}`;
  scenarios(
    () => app,
    [
      ['a cursor of nobody', `GET ${CHECKPOINTS}?cursor=abc`, '400 validation_error: cursor'],
      [
        'sizes the wrong way round',
        `GET ${CHECKPOINTS}/consistency?from=1&to=0`,
        '400 validation_error: from',
      ],
      [
        'consistency with a size beyond the newest checkpoint',
        `GET ${CHECKPOINTS}/consistency?from=0&to=299999`,
        '404 not_found',
      ],
      [
        'a size that is none',
        `GET ${CHECKPOINTS}/consistency?from=-1&to=1e3`,
        '400 validation_error: from, to',
      ],
      ['consistency without sizes', `GET ${CHECKPOINTS}/consistency`, '400 validation_error: from, to'],
      [
        'the proof of a receipt that is not there',
        `GET /api/v1/receipts/${NO_ID}/proof`,
        '404 receipt_not_found',
      ],
      ['the proof of what is no id', 'GET /api/v1/receipts/x/proof', '404 receipt_not_found'],
      [
        'the proof of a pending receipt',
        () => `GET /api/v1/receipts/${pending.receipt_id}/proof`,
        '404 not_found',
        { contains: ['pending'], responseHeaders: { 'retry-after': null } },
      ],
      [
        'the status of a receipt that is not there',
        `GET /api/v1/receipts/${NO_ID}/status`,
        '404 receipt_not_found',
      ],
      ['the checkpoint of no log', 'GET /log/others/checkpoint', '400 validation_error: name'],
      ...[
        '0/000',
        '0/0',
        '0/00x',
        '64/000',
        '0/000.p/0',
        '0/000.p/256',
        '0/000.p/01',
        '-1/000',
        '0/x000/000',
        '0/..%2f..',
        'entries/',
        '00/000.p/1',
        '1/000.p/200',
      ].map(
        (path): Scenario => [
          `the tile ${path}, which is none`,
          `GET /log/revocations/tile/${path}`,
          '404 not_found',
        ],
      ),
    ],
    { by: 'anyone' },
  );

  test('the proof of what was finalized within the last second, and tells when to ask', async () => {
    const receipt = await finalized(app.own);
    const response = await bytesAt(`/api/v1/receipts/${receipt.receipt_id}/proof`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([404, '1']);
  });
});

test('concurrently finalized receipts are all proven after the next checkpoint', async () => {
  const issued = await concurrently(
    Array.from({ length: 200 }),
    16,
    async () => (await app.own.issue()).body,
  );
  // Two finalize each, while checkpoints are made: one of the two wins, and its leaf stands.
  const answers = concurrently(
    [...issued, ...issued],
    32,
    async ({ receipt_id }) => (await app.own.finalize(receipt_id, SUCCESS)).status,
  );
  for (let round = 0; round < 5; round++) await publish();
  expect((await answers).filter((status) => status === 200)).toHaveLength(200);
  await publish();
  for (const { receipt_id } of issued) await provenEntry(app, receipt_id);
  const { trust } = app.service;
  const { leaves } = await trust.store.read(({ connection: { sqlite } }) => ({
    leaves: sqlite
      .query<{ n: number }, []>(
        "SELECT count(*) AS n FROM receipt r WHERE status <> 'pending' AND NOT EXISTS (SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = r.receipt_seq)",
      )
      .get()?.n,
  }));
  expect(leaves).toBe(0);
});

test('damage that a proof or a tile detects is shown by health and metrics until the next start', async () => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-damage-'));
  const reopened = () => openTrustApp({}, null, join(root, 'data'));
  let broken = await reopened();
  await concurrently(Array.from({ length: 257 }), 32, () => finalized(broken.own));
  await broken.service.trust.log.publisher.publish();
  const pathOf = async (index: number) => {
    const row = await broken.service.trust.store.read(({ connection: { sqlite } }) =>
      sqlite
        .query<{ id: string }, [number]>(
          "SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt JOIN receipt_leaf USING (receipt_seq) WHERE leaf_seq = ?",
        )
        .get(index + 1),
    );
    return `/api/v1/receipts/${row?.id}`;
  };
  const damaged = async () => {
    const metric = (await broken.service.background()).metrics.find(
      ({ name }) => name === 'countersign_log_damaged',
    );
    return (await metric?.read())?.map(({ value }) => value);
  };
  await broken.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
    sqlite.run('DROP TRIGGER receipt_version_is_final');
    sqlite.run(
      'UPDATE receipt_version SET signature = zeroblob(64) WHERE (receipt_seq, version) = (SELECT receipt_seq, version FROM receipt_leaf WHERE leaf_seq = 6)',
    );
  });
  // What is whole is told, and nobody knows of the rest yet.
  expect((await broken.anyone.get(`${await pathOf(256)}/public-manifest`)).status).toBe(200);
  expect((await broken.anyone.get('/api/health')).status).toBe(200);
  expect(await damaged()).toEqual([0, 0, 0, 0, 0]);
  const problem =
    'The log of receipts is damaged: leaf 5 of localhost:3000/receipts is not what was published: run countersign fsck for more information.';
  for (const kind of ['proof', 'public-manifest']) {
    const { status, body } = await broken.anyone.get(`${await pathOf(5)}/${kind}`);
    expect([kind, status, body.error]).toEqual([
      kind,
      500,
      'The server failed. The error is in its log. Repeat the request later. If it fails again, send the request_id to the administrator of the service.',
    ]);
    expect((await broken.anyone.get('/api/health')).body).toMatchObject({
      status: 'degraded',
      problems: [problem],
    });
    expect(broken.logged()).toContain('leaf 5 of localhost:3000/receipts is not what was published');
    expect(await damaged()).toEqual([1, 0, 0, 0, 0]);
    // It is met once more after the next start, and not before.
    await broken.close();
    broken = await reopened();
    expect((await broken.anyone.get('/api/health')).status).toBe(200);
  }
  expect((await broken.anyone.get('/log/receipts/tile/entries/000')).status).toBe(500);
  expect((await broken.anyone.get('/api/health')).body).toMatchObject({
    problems: [expect.stringContaining('tile 0/0 of localhost:3000/receipts is not what was published')],
  });
  await broken.close();
  rmSync(root, { recursive: true });
});

test('health reports late checkpoints, and one that does not verify', async () => {
  const late = new VirtualTime();
  const other = await openTrustApp({}, late);
  expect((await other.anyone.get('/api/health')).body).toMatchObject({ status: 'ok', problems: [] });
  late.advance(11 * 60_000 + 1);
  expect((await other.anyone.get('/api/health')).body).toMatchObject({
    status: 'degraded',
    problems: expect.arrayContaining(['The newest checkpoint of receipts is 11 minutes old.']),
  });
  await other.service.trust.log.publisher.publish();
  expect((await other.anyone.get('/api/health')).status).toBe(200);
  await other.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
    sqlite.run('DROP TRIGGER checkpoint_is_final');
    sqlite.run("UPDATE checkpoint SET note = replace(note, 'localhost', 'localhosT')");
  });
  expect((await other.anyone.get('/api/health')).body).toMatchObject({
    problems: LOG_NAMES.map((log) => `The newest checkpoint of ${log} does not verify.`),
  });
  await other.close();
});
