import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { pages } from '../../../../src/platform/control/run-action.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { deleteOldResponses } from '../../../../src/platform/http/idempotency/service.ts';
import { missingKeys } from '../../../../src/trust/log/keys/files/missing-keys.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { openTrustService } from '../../../../src/trust/service/service.ts';
import { client, issueBody } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeEach(async () => {
  app = await openTrustApp();
});
afterEach(() => app.close());

async function act(name: string, input: unknown): Promise<unknown> {
  const action = (await app.service.background()).actions.find((known) => known.name === name);
  if (action === undefined) throw new Error(`no action ${name}`);
  return action.handle(app.service.trust, input);
}

test('an operator is made with a key that works, and listed', async () => {
  const made = await act('operators.create', { name: 'Acme', admin: true });
  expect(made).toMatchObject({ operator_id: expect.stringMatching(/^op_cus_/) });
  const { api_key: key, operator_id: id } = Object(made);
  const acme = client(app.fetch, 'http://localhost', key);
  expect((await acme.issue()).status).toBe(201);
  const listed = await act('operators.list', {});
  expect(Object(listed).operators).toContainEqual(
    expect.objectContaining({ operator_id: id, name: 'Acme', receiptCount: 1 }),
  );
  expect(JSON.stringify(listed)).not.toContain(key);
});

test('operators are listed in pages of 50, each once, oldest first', async () => {
  const made: unknown[] = [];
  for (let count = 0; count < 60; count++)
    made.push(Object(await act('operators.create', { admin: false })).operator_id);
  const listed: unknown[] = [];
  const sizes: number[] = [];
  const read = async (cursor: { cursor?: string }) => {
    const { operators: data, next_cursor } = Object(await act('operators.list', cursor));
    return { data, next_cursor };
  };
  for await (const rows of pages<{ operator_id: string }>(read)) {
    sizes.push(rows.length);
    listed.push(...rows.map(({ operator_id }) => operator_id));
  }
  expect(sizes).toEqual([50, listed.length - 50]);
  expect(listed.slice(-60)).toEqual(made);
  expect(new Set(listed).size).toBe(listed.length);
});

test('a suspended operator can read but not write, until it is active again', async () => {
  const status = async () => (await app.other.issue()).status;
  expect(await status()).toBe(201);
  await act('operators.status', { operator: app.otherId, status: 'SUSPENDED' });
  expect(await status()).toBe(403);
  expect((await app.other.get('/api/v1/receipts')).status).toBe(200);
  await act('operators.status', { operator: app.otherId, status: 'ACTIVE' });
  expect(await status()).toBe(201);
});

test("a stake and a pardon show in an operator's figures", async () => {
  const staked = await act('operators.stake', { operator: app.otherId, cents: 12_345 });
  expect(staked).toMatchObject({ stakeBalanceCents: 12_345 });
  expect(await act('operators.pardon', { operator: app.otherId })).toMatchObject({
    operator_id: app.otherId,
  });
  const { body } = await app.other.get('/api/v1/operator/status');
  expect(body.stakeBalanceCents).toBe(12_345);
});

test('an operator that lost its key gets a new one', async () => {
  const made = await act('operators.key', { operator: app.otherId, key: { name: 'again' } });
  const again = client(app.fetch, 'http://localhost', Object(made).api_key);
  expect((await again.get('/api/v1/operator/status')).body.operator_id).toBe(app.otherId);
});

test("an operator's keys are listed, page by page, and deleted, the last one too", async () => {
  for (let count = 0; count < 101; count++) {
    await act('operators.key', { operator: app.otherId, key: { name: `key ${count}` } });
  }
  const first = Object(await act('operators.keys', { operator: app.otherId }));
  expect(first.api_keys).toHaveLength(100);
  const second = Object(await act('operators.keys', { operator: app.otherId, cursor: first.next_cursor }));
  expect([second.api_keys.length, second.next_cursor]).toEqual([2, null]);
  expect(JSON.stringify([first, second])).toContain('key 100');
  expect(JSON.stringify([first, second])).not.toMatch(/pp_[0-9a-f]{64}/);
  const hashes: string[] = [...first.api_keys, ...second.api_keys].map(({ keyHash }) => keyHash);
  const session = await app.other.post('/api/v1/operator/session');
  expect(session.status).toBe(201);
  for (const [index, keyHash] of hashes.entries()) {
    expect(await act('operators.delete_key', { operator: app.otherId, keyHash })).toEqual({
      keyHash,
      deleted: true,
      has_issuer_key: index < hashes.length - 1,
      installation_has_admin_key: true,
    });
  }
  expect((await app.other.get('/api/v1/operator/status')).status).toBe(401);
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? '';
  expect((await app.anyone.call('GET', '/api/v1/operator/status', undefined, { cookie })).status).toBe(401);
  expect(await act('operators.keys', { operator: app.otherId })).toEqual({ api_keys: [], next_cursor: null });
});

test('the last admin key of an active operator is deleted, with a warning', async () => {
  const keyHash = new Bun.CryptoHasher('sha256').update(app.apiKey).digest('hex');
  const { operatorId } = app.service.firstStart;
  await act('operators.key', { operator: app.otherId, key: { admin: true } });
  await act('operators.status', { operator: app.otherId, status: 'SUSPENDED' });
  await act('operators.key', { operator: operatorId, key: {} });
  expect(await act('operators.delete_key', { operator: operatorId, keyHash })).toMatchObject({
    has_issuer_key: true,
    installation_has_admin_key: false,
  });
});

test("another operator's key is not deleted under the wrong name", async () => {
  const keyHash = new Bun.CryptoHasher('sha256').update(app.apiKey).digest('hex');
  await expect(act('operators.delete_key', { operator: app.otherId, keyHash })).rejects.toThrow(/has no key/);
  expect((await app.own.get('/api/v1/operator/status')).status).toBe(200);
});

test('commands about operators refuse unknown operators and wrong values', async () => {
  for (const [name, input, message] of [
    ['operators.status', { operator: 'op_cus_nobody', status: 'ACTIVE' }, /no operator op_cus_nobody/],
    ['operators.stake', { operator: 'op_cus_nobody', cents: 1 }, /no operator/],
    ['operators.pardon', { operator: 'op_cus_nobody' }, /no operator/],
    ['operators.key', { operator: 'op_cus_nobody', key: {} }, /no operator/],
    ['operators.keys', { operator: 'op_cus_nobody' }, /no operator/],
    ['operators.keys', { operator: app.otherId, cursor: 'x' }, /schema/],
    ['operators.delete_key', { operator: 'op_cus_nobody', keyHash: '0'.repeat(64) }, /no operator/],
    ['operators.delete_key', { operator: app.otherId, keyHash: 'x' }, /keyHash must be 64/],
    ['operators.stake', { operator: app.otherId, cents: -1 }, /cents must be/],
    ['operators.stake', { operator: app.otherId, cents: 0.5 }, /cents must be/],
    ['operators.create', { name: 'a\nb', admin: false }, /name must be/],
    ['operators.create', { name: '', admin: false }, /name must be/],
    [
      'operators.status',
      { operator: app.otherId, status: 'CLOSED' },
      /status must be one of ACTIVE, SUSPENDED/,
    ],
  ] as const) {
    await expect(act(name, input)).rejects.toThrow(message);
  }
});

test('the first response to an Idempotency-Key is replayed for a day, and then deleted', async () => {
  const clock = { now: () => Date.now() };
  const once = async () => {
    const { status, headers } = await app.own.post('/api/v1/receipts', issueBody(), {
      'idempotency-key': 'once',
    });
    return [status, headers.get('idempotency-replayed')];
  };
  expect([await once(), await once()]).toEqual([
    [201, null],
    [201, 'true'],
  ]);
  for (const { run } of (await app.service.background()).tasks) await run();
  expect(await once()).toEqual([201, 'true']);
  clock.now = () => Date.now() + 24 * 60 * 60 * 1000;
  await deleteOldResponses(app.service.trust.store, clock);
  expect(await once()).toEqual([201, null]);
});

test('keys that the database names and the directory lacks are known by their kids', async () => {
  expect(await missingKeys(app.directory, trustDatabase)).toEqual([]);
  const all = readdirSync(join(app.directory, 'keys'));
  const [first = '', ...others] = all.filter((name) => name.endsWith('.pem'));
  expect(others).toHaveLength(REQUIRED_KEYS.length - 1);
  renameSync(join(app.directory, 'keys', first), join(app.directory, first));
  expect(await missingKeys(app.directory, trustDatabase)).toEqual([first.replace('.pem', '')]);
});

test('a start refuses keys without their database, and a directory that is not ours', async () => {
  const log = pino({ level: 'silent' });
  const parent = mkdtempSync(join(tmpdir(), 'countersign-directories-'));
  const opening = async (name: string, prepare: (path: string) => void): Promise<void> => {
    const path = join(parent, name);
    mkdirSync(join(path, 'keys'), { recursive: true });
    prepare(path);
    const directory = takeDataDirectory(path);
    try {
      await (
        await openTrustService(directory, new Map(), log, { version: 'test', url: 'http://localhost' })
      ).close();
    } finally {
      directory.release();
    }
  };
  await opening('empty', () => undefined);
  await expect(
    opening('keys-alone', (path) => writeFileSync(join(path, 'keys', 'receipt_issuer.pem'), 'x')),
  ).rejects.toThrow(/has signing keys, but trust.db is missing/);
  await expect(opening('other', (path) => writeFileSync(join(path, 'staffing.db'), 'x'))).rejects.toThrow(
    /staffing/,
  );
  rmSync(parent, { recursive: true });
});
