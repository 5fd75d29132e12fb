import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { deleteOldResponses } from '../../../../src/platform/http/idempotency/service.ts';
import { missingKeys } from '../../../../src/trust/log/keys/files/missing-keys.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { setStatusIn } from '../../../../src/trust/operators/account-state.ts';
import { requireOperatorIn } from '../../../../src/trust/operators/require-operator.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { openTrustService } from '../../../../src/trust/service/service.ts';
import { client, issueBody } from '../../../support/client.ts';
import { localAdministrator } from '../../../support/local-administrator.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let call: Awaited<ReturnType<typeof localAdministrator>>;
beforeEach(async () => {
  app = await openTrustApp();
  call = await localAdministrator(app);
});
afterEach(() => app.close());

test('an operator is made with a key that works, and listed', async () => {
  const made = await call('createOperator', { name: 'Acme', admin: true });
  expect(made).toMatchObject({ operator_id: expect.stringMatching(/^op_cus_/) });
  const { api_key: key, operator_id: id } = made;
  const acme = client(app.fetch, 'http://localhost', String(key));
  expect((await acme.issue()).status).toBe(201);
  const listed = await call('listOperators');
  expect(Object(listed).operators).toContainEqual(
    expect.objectContaining({ operator_id: id, name: 'Acme', receiptCount: 1 }),
  );
  expect(JSON.stringify(listed)).not.toContain(key);
});

test('operators are listed in pages of 50, each once, oldest first', async () => {
  const made: unknown[] = [];
  for (let count = 0; count < 60; count++) made.push((await call('createOperator')).operator_id);
  const listed: unknown[] = [];
  const sizes: number[] = [];
  let paging = {};
  do {
    const { operators, next_cursor: cursor } = Object(
      await call('listOperators', { limit: '50', ...paging }),
    );
    sizes.push(operators.length);
    listed.push(...operators.map(({ operator_id }: { operator_id: string }) => operator_id));
    paging = cursor === null ? {} : { cursor };
  } while ('cursor' in paging);
  expect(sizes).toEqual([50, listed.length - 50]);
  expect(listed.slice(-60)).toEqual(made);
  expect(new Set(listed).size).toBe(listed.length);
});

test('a suspended operator can read but not write, until it is active again', async () => {
  const status = async () => (await app.other.issue()).status;
  expect(await status()).toBe(201);
  await call('setAccountStatus', { operatorId: app.otherId, status: 'SUSPENDED' });
  expect(await status()).toBe(403);
  expect((await app.other.get('/api/v1/receipts')).status).toBe(200);
  await call('setAccountStatus', { operatorId: app.otherId, status: 'ACTIVE' });
  expect(await status()).toBe(201);
});

test('a closed operator is neither suspended nor activated', async () => {
  const { operator_id: operatorId } = await call('createOperator');
  const { trust } = app.service;
  await trust.store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperatorIn(tx, String(operatorId));
    await setStatusIn(tx, trust, operatorSeq, 'CLOSED');
  });
  for (const status of ['ACTIVE', 'SUSPENDED'])
    await expect(call('setAccountStatus', { operatorId, status })).rejects.toThrow(/is closed/);
});

test("a stake and a pardon show in an operator's figures", async () => {
  const staked = await call('setStake', { operatorId: app.otherId, cents: 12_345 });
  expect(staked).toMatchObject({ stakeBalanceCents: 12_345 });
  expect(await call('pardonOperator', { operatorId: app.otherId })).toMatchObject({
    operator_id: app.otherId,
  });
  const { body } = await app.other.get('/api/v1/operator/status');
  expect(body.stakeBalanceCents).toBe(12_345);
});

test('an operator that lost its key gets a new one', async () => {
  const made = await call('createApiKey', { name: 'again' }, app.otherId);
  const again = client(app.fetch, 'http://localhost', String(made.api_key));
  expect((await again.get('/api/v1/operator/status')).body.operator_id).toBe(app.otherId);
});

test("an operator's keys are listed, page by page, and deleted, the last one too", async () => {
  for (let count = 0; count < 101; count++) {
    await call('createApiKey', { name: `key ${count}` }, app.otherId);
  }
  const first = Object(await call('listApiKeys', { limit: '100' }, app.otherId));
  expect(first.api_keys).toHaveLength(100);
  const second = Object(await call('listApiKeys', { cursor: first.next_cursor }, app.otherId));
  expect([second.api_keys.length, second.next_cursor]).toEqual([2, null]);
  expect(JSON.stringify([first, second])).toContain('key 100');
  expect(JSON.stringify([first, second])).not.toMatch(/pp_[0-9a-f]{64}/);
  const hashes: string[] = [...first.api_keys, ...second.api_keys].map(({ keyHash }) => keyHash);
  const session = await app.other.post('/api/v1/operator/session');
  expect(session.status).toBe(201);
  for (const [index, keyHash] of hashes.entries()) {
    expect(await call('deleteApiKey', { keyHash }, app.otherId)).toEqual({ keyHash, deleted: true });
    expect(await call('getKeyCoverage', { operatorId: app.otherId })).toEqual({
      has_issuer_key: index < hashes.length - 1,
      installation_has_admin_key: true,
    });
  }
  expect((await app.other.get('/api/v1/operator/status')).status).toBe(401);
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? '';
  expect((await app.anyone.call('GET', '/api/v1/operator/status', undefined, { cookie })).status).toBe(401);
  expect(await call('listApiKeys', {}, app.otherId)).toEqual({ api_keys: [], next_cursor: null });
});

test('the last admin key of an active operator is deleted, and what is left is known', async () => {
  const keyHash = new Bun.CryptoHasher('sha256').update(app.apiKey).digest('hex');
  const { operatorId } = app.service.firstStart;
  await call('createApiKey', { admin: true }, app.otherId);
  await call('setAccountStatus', { operatorId: app.otherId, status: 'SUSPENDED' });
  await call('createApiKey', {}, operatorId);
  await call('deleteApiKey', { keyHash }, operatorId);
  expect(await call('getKeyCoverage', { operatorId })).toEqual({
    has_issuer_key: true,
    installation_has_admin_key: false,
  });
});

test("another operator's key is not deleted under the wrong name", async () => {
  const keyHash = new Bun.CryptoHasher('sha256').update(app.apiKey).digest('hex');
  await expect(call('deleteApiKey', { keyHash }, app.otherId)).rejects.toThrow(/has no key/);
  expect((await app.own.get('/api/v1/operator/status')).status).toBe(200);
});

test('commands about operators refuse unknown operators and wrong values', async () => {
  const nobody = 'op_cus_nobody';
  const { otherId } = app;
  for (const [operation, values, operator, message] of [
    ['setAccountStatus', { operatorId: nobody, status: 'ACTIVE' }, null, /no operator op_cus_nobody/],
    ['setStake', { operatorId: nobody, cents: 1 }, null, /no operator/],
    ['pardonOperator', { operatorId: nobody }, null, /no operator/],
    ['createApiKey', {}, nobody, /no operator/],
    ['listApiKeys', {}, nobody, /no operator/],
    ['getKeyCoverage', { operatorId: nobody }, null, /no operator/],
    ['listApiKeys', { cursor: 'x' }, otherId, /cursor/],
    ['deleteApiKey', { keyHash: '0'.repeat(64) }, nobody, /no operator/],
    ['deleteApiKey', { keyHash: 'x' }, otherId, /no key with this hash/],
    ['createApiKey', {}, null, /Name the one that acts/],
    ['setStake', { operatorId: otherId, cents: -1 }, null, /cents must be/],
    ['setStake', { operatorId: otherId, cents: 0.5 }, null, /cents must be/],
    ['createOperator', { name: 'a\nb' }, null, /name must be/],
    ['createOperator', { name: '' }, null, /name must be/],
    [
      'setAccountStatus',
      { operatorId: otherId, status: 'CLOSED' },
      null,
      /status must be one of ACTIVE, SUSPENDED/,
    ],
  ] as const) {
    await expect(call(operation, values, operator)).rejects.toThrow(message);
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
