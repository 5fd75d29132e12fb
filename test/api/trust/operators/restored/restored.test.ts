import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { restore } from '../../../../../src/platform/restore.ts';
import { systemClock } from '../../../../../src/platform/time/clock.ts';
import { ACTS_FILE } from '../../../../../src/trust/operators/restored/acts-file.ts';
import { cutPayoutIn } from '../../../../../src/trust/payments/payouts/cut.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { restoreProblems } from '../../../../../src/trust/service/restore-checks.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { audited } from '../../../../support/audit.ts';
import { client } from '../../../../support/client.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { sendSettlement, settlementSettings } from '../../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const WITHDRAW = '/api/v1/agent-pay/withdraw';
let root: string;
let data: string;
let backup: string;
let app: TrustApp;
let agent: CreditedAgent;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'countersign-restored-'));
  [data, backup] = [join(root, 'data'), join(root, 'backup.db')];
  app = await openTrustApp(settlementSettings, null, data);
  agent = await creditedAgent(app, { credits: { paid: 1000 } });
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const as = (key: string) => client(app.fetch, 'http://localhost', key);
const local = async (operation: string, values = {}) => (await localAdministrator(app))(operation, values);
const lines = (): Record<string, unknown>[] =>
  readFileSync(join(data, ACTS_FILE), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const reopened = async (): Promise<void> => {
  await app.close();
  app = await openTrustApp(settlementSettings, null, data);
};

/** Closes the service, and opens it again after `change` of its directory. */
async function after(change: () => void): Promise<void> {
  await app.close();
  change();
  app = await openTrustApp(settlementSettings, null, data);
}

function restoreBackup(): void {
  const directory = takeDataDirectory(data);
  restore(backup, directory, trustDatabase, { force: true, clock: systemClock });
  directory.release();
}

/** A key that is deleted after the backup, and payouts that end after it. `cut` of the paid one is disputed. */
async function historyAfterBackup(cut = 0) {
  const { operator_id } = (await app.own.get('/api/v1/operator/status')).body;
  const { api_key: key } = await createKeyFor(app.service.trust, String(operator_id), {});
  const [paid, failed, open] = [
    await queuePayout(app, agent),
    await queuePayout(app, agent),
    await queuePayout(app, agent),
  ];
  await after(() => cpSync(join(data, 'trust.db'), backup));
  const hash = sha256Hex(key);
  expect((await app.own.call('DELETE', `/api/v1/operator/api-keys/${hash}`)).status).toBe(200);
  const { trust } = app.service;
  if (cut > 0) {
    const state = await payoutOf(app, paid);
    await trust.store.writeAsService((tx) => cutPayoutIn(tx, trust, state, cut, null));
  }
  await local('confirmPayout', { withdrawalId: paid, reference: 'bank 4711' });
  await local('failPayout', { withdrawalId: failed, reason: 'refused' });
  return { key, hash, paid, failed, open };
}

const withdrawal = (amount = 1) =>
  app.own.post(WITHDRAW, { subject_commitment: agent.commitment, amount, reference: crypto.randomUUID() });
const statusOf = async (withdrawalId: string) =>
  Object(await local('getPayout', { withdrawalId })).payout.status;
const codeOf = ({ status, body }: Awaited<ReturnType<typeof withdrawal>>): unknown[] => [
  status,
  body.reason_code,
];

test('deletions of keys and ends of payouts are in a file beside the database before they are answered, without secrets', async () => {
  const { key, hash, paid, failed } = await historyAfterBackup();
  expect(lines()).toEqual([
    { act: 'begin', at: expect.any(String) },
    {
      id: expect.any(String),
      at: expect.any(String),
      act: 'key_deleted',
      key_hash: hash,
      operator_id: expect.any(String),
    },
    expect.objectContaining({
      act: 'payout_ended',
      withdrawal_id: paid,
      status: 'confirmed',
      external_reference: 'bank 4711',
      subject_commitment: agent.commitment,
      amount: 40,
    }),
    expect.objectContaining({ withdrawal_id: failed, status: 'failed', external_reference: null }),
  ]);
  const file = join(data, ACTS_FILE);
  expect(readFileSync(file, 'utf8')).not.toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The database keeps the newest only, and a start adds nothing.
  await app.service.trust.acts.keep();
  const before = lines();
  await reopened();
  expect(lines()).toEqual(before);
});

test('after a restore money waits until the administrator accepts it, which does again what was done after the backup', async () => {
  const { key, hash, paid, failed, open } = await historyAfterBackup();
  await after(restoreBackup);
  // Whoever stole the key that was deleted cannot make another with it meanwhile.
  expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  expect((await as(key).post('/api/v1/operator/api-keys', {})).status).toBe(401);
  expect((await as(key).post('/api/v1/operator/session')).status).toBe(401);
  expect(codeOf(await withdrawal())).toEqual([503, 'restore_not_accepted']);
  const settlement = { rail: 'x402', reference: 'r', subject_commitment: agent.commitment, credits: 5 };
  expect(codeOf(await sendSettlement(app, settlement))).toEqual([503, 'restore_not_accepted']);
  const health = await app.anyone.get('/api/health');
  expect([health.status, health.body.problems]).toEqual([
    503,
    [expect.stringContaining('Run countersign restore show, then countersign restore accept.')],
  ]);
  const found = {
    unknown: null,
    unreadable_lines: 0,
    deleted_keys: { count: 1, key_hashes: [hash] },
    ended_payouts: {
      count: 2,
      payouts: [
        expect.objectContaining({
          withdrawal_id: paid,
          status: 'confirmed',
          external_reference: 'bank 4711',
        }),
        expect.objectContaining({ withdrawal_id: failed, status: 'failed' }),
      ],
    },
    unknown_payouts: { count: 0, payouts: [] },
    other_ends: { count: 0, payouts: [] },
  };
  expect(await local('showRestore')).toMatchObject(found);
  expect([await statusOf(paid), await statusOf(failed), await statusOf(open)]).toEqual(
    Array(3).fill('queued'),
  );
  expect(await local('acceptRestore')).toMatchObject(found);
  expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  expect([await statusOf(paid), await statusOf(failed), await statusOf(open)]).toEqual([
    'confirmed',
    'failed',
    'queued',
  ]);
  expect((await withdrawal()).status).toBe(201);
  expect((await sendSettlement(app, settlement)).status).toBe(201);
  await expect(local('acceptRestore')).rejects.toThrow(/nothing to accept/);
  await reopened();
  expect((await app.anyone.get('/api/health')).status).toBe(200);
  await app.close();
  expect((await audited(data)).reported).toEqual([]);
  app = await openTrustApp(settlementSettings, null, data);
});

test('a backup that somebody copied over the database is noticed at the start, without the command restore', async () => {
  const { key, open } = await historyAfterBackup();
  const session = async (app: TrustApp) => {
    const { headers } = await app.own.post('/api/v1/operator/session');
    return String(headers.get('set-cookie')).split(';')[0] ?? '';
  };
  const isOpen = async (cookie: string) =>
    (await app.fetch(new Request('http://localhost/api/v1/operator/status', { headers: { cookie } }))).status;
  const copied = () =>
    after(() => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(data, `trust.db${suffix}`), { force: true });
      cpSync(backup, join(data, 'trust.db'));
    });
  await copied();
  expect(codeOf(await withdrawal())).toEqual([503, 'restore_not_accepted']);
  // What the backup has as open may have been paid since, so no rail pays it before somebody has looked.
  const heldOf = async () => Object(await local('getPayout', { withdrawalId: open })).payout.held;
  expect(await heldOf()).toBe('restored');
  // A start changes nothing of what the administrator decided meanwhile.
  await local('releasePayout', { withdrawalId: open });
  const cookie = await session(app);
  await reopened();
  expect([await heldOf(), await isOpen(cookie)]).toEqual([null, 200]);
  expect(codeOf(await withdrawal())).toEqual([503, 'restore_not_accepted']);
  await local('acceptRestore');
  expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  await reopened();
  expect((await withdrawal()).status).toBe(201);
});

test('what was deleted while a restore waits is in the file too, and accepting it is right after another restore', async () => {
  const { key } = await historyAfterBackup();
  await after(restoreBackup);
  const before = lines().length;
  await app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`);
  expect(lines()).toHaveLength(before + 1);
  await after(restoreBackup);
  expect((await as(key).get('/api/v1/receipts')).status).toBe(401);
  expect(await local('acceptRestore')).toMatchObject({ deleted_keys: { count: 1 } });
});

test('a part of a withdrawal that was disputed after the backup, and not paid, returns to the agent', async () => {
  const { paid } = await historyAfterBackup(15);
  expect(lines()).toContainEqual(expect.objectContaining({ withdrawal_id: paid, amount: 25 }));
  await after(restoreBackup);
  await local('acceptRestore');
  const { payout } = Object(await local('getPayout', { withdrawalId: paid }));
  expect(payout).toMatchObject({ status: 'confirmed', amount: 40, disputed: 15, pays_credits: 25 });
  await app.close();
  expect((await audited(data)).reported).toEqual([]);
  app = await openTrustApp(settlementSettings, null, data);
});

test('without the file, accepting says since when nothing is known, and a start makes the file again', async () => {
  const { key } = await historyAfterBackup();
  await after(() => {
    rmSync(join(data, ACTS_FILE));
    restoreBackup();
  });
  expect(await local('acceptRestore')).toMatchObject({
    unknown: { since: expect.any(String), until: expect.any(String) },
    deleted_keys: { count: 0 },
  });
  expect((await as(key).get('/api/v1/receipts')).status).toBe(200);
});

test('a missing file beside a database with such acts is a problem for fsck, and health says it after the start', async () => {
  const problemsOf = async () => (await audited(data)).reported.map(({ table }) => table);
  const notices = async () => {
    await app.service.trust.health.refresh();
    const { status, body } = await app.anyone.get('/api/health');
    return [status, body.problems];
  };
  await historyAfterBackup();
  await app.close();
  expect(await problemsOf()).toEqual([]);
  rmSync(join(data, ACTS_FILE));
  expect(await problemsOf()).toEqual([ACTS_FILE]);
  app = await openTrustApp(settlementSettings, null, data);
  expect(await notices()).toEqual([
    200,
    [expect.stringContaining('irrevocable.ndjson was missing at the start')],
  ]);
  await reopened();
  expect(await notices()).toEqual([200, []]);
  await app.close();
  expect(await problemsOf()).toEqual([]);
  app = await openTrustApp(settlementSettings, null, data);
});

test('a withdrawal that was paid after the backup, and is not in it, is named', async () => {
  const { paid } = await historyAfterBackup();
  const ended = lines().find((line) => line.withdrawal_id === paid);
  const other = { ...ended, withdrawal_id: `wdr_${'12'.repeat(16)}` };
  appendFileSync(
    join(data, ACTS_FILE),
    `${JSON.stringify(other)}\n${JSON.stringify({ ...other, status: 'failed' })}\n`,
  );
  await after(restoreBackup);
  expect(await local('acceptRestore')).toMatchObject({
    unknown_payouts: { count: 1, payouts: [{ withdrawal_id: other.withdrawal_id, status: 'confirmed' }] },
  });
});

test('a payout that no database has is named once: not again when a newer backup is restored', async () => {
  const { paid } = await historyAfterBackup();
  const ended = lines().find((line) => line.withdrawal_id === paid);
  const other = { ...ended, withdrawal_id: `wdr_${'12'.repeat(16)}` };
  appendFileSync(join(data, ACTS_FILE), `${JSON.stringify(other)}\n`);
  await after(restoreBackup);
  const old = join(root, 'old.db');
  cpSync(backup, old);
  const named = { count: 1, payouts: [{ withdrawal_id: other.withdrawal_id }] };
  expect(await local('acceptRestore')).toMatchObject({ unknown_payouts: named });
  await after(() => cpSync(join(data, 'trust.db'), backup));
  await after(restoreBackup);
  for (const operation of ['showRestore', 'acceptRestore'])
    expect(await local(operation)).toMatchObject({ unknown_payouts: { count: 0 } });
  // The older backup has nothing of what the administrator did about it.
  cpSync(old, backup);
  await after(restoreBackup);
  expect(await local('acceptRestore')).toMatchObject({ unknown_payouts: named });
});

test('a start appends what a crash left out between the commit and the file, or cut off', async () => {
  const { failed } = await historyAfterBackup();
  const file = join(data, ACTS_FILE);
  const whole = lines();
  const size = statSync(file).size;
  await after(() => truncateSync(file, size - 20));
  // What was cut off is a line that nobody can read.
  const text = readFileSync(file, 'utf8');
  expect(text.endsWith(`${JSON.stringify(whole.at(-1))}\n`)).toBe(true);
  expect(text).toContain(failed);
  const { length } = text.split('\n');
  await reopened();
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(length);
  expect((await withdrawal()).status).toBe(201);
});

test('a file that cannot be written makes the service degraded, and is written again when it can be', async () => {
  await historyAfterBackup();
  const { operator_id } = (await app.own.get('/api/v1/operator/status')).body;
  const { api_key: key } = await createKeyFor(app.service.trust, String(operator_id), {});
  const file = join(data, ACTS_FILE);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  mkdirSync(file);
  await app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`);
  await app.service.trust.health.refresh();
  expect((await app.anyone.get('/api/health')).body.problems).toEqual([
    expect.stringContaining('cannot be written to irrevocable.ndjson'),
  ]);
  rmSync(file, { recursive: true });
  appendFileSync(file, text, { mode: 0o600 });
  await app.service.trust.acts.keep();
  expect(lines().at(-1)).toMatchObject({ act: 'key_deleted', key_hash: sha256Hex(key) });
});

test('a restore says that money waits, and what to run next', async () => {
  await historyAfterBackup();
  await app.close();
  restoreBackup();
  expect((await restoreProblems(data, trustDatabase))[0]).toEqual({
    what: 'withdrawals, settlements and payouts wait until you accept the restored database',
    hint: expect.stringContaining(`copy ${ACTS_FILE}`),
    next: `countersign restore show --data ${data} && countersign restore accept --data ${data}`,
  });
  app = await openTrustApp(settlementSettings, null, data);
});
