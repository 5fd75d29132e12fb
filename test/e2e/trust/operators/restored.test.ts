import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client } from '../../../support/client.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { queuePayouts } from '../../../support/payouts.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const KEYS = '/api/v1/operator/api-keys';
let directory: ReturnType<typeof scratch>;
let data: string;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const inFile = (): string[] =>
  readFileSync(join(data, 'irrevocable.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('key_deleted'))
    .map((line) => String(JSON.parse(line).key_hash));

/** Returns the keys that a server still accepts. */
async function accepted({ url }: Running, keys: readonly string[]): Promise<string[]> {
  const statuses = await Promise.all(
    keys.map(async (key) => (await client(fetch, url, key).get('/api/v1/receipts')).status),
  );
  return keys.filter((_, index) => statuses[index] === 200);
}

test('a key whose deletion was answered stays deleted over a kill and the restore of an older backup', async () => {
  const first = await serve(data);
  const owner = client(fetch, first.url, first.apiKey);
  const keys: string[] = [];
  for (let key = 0; key < 24; key += 1)
    keys.push(String((await owner.post(KEYS, { name: `key ${key}` })).body.api_key));
  const backup = join(directory.path, 'backup.db');
  expect((await run(['backup', backup, '--data', data])).code).toBe(0);

  const answered: string[] = [];
  const deletions = keys.map(async (key) => {
    const hash = sha256Hex(key);
    const { status } = await owner.call('DELETE', `${KEYS}/${hash}`);
    if (status === 200) answered.push(hash);
    // Many deletions are between their commit and their answer now.
    if (answered.length === 1) first.signal('SIGKILL');
  });
  await Promise.allSettled(deletions);
  await first.ended();
  expect(answered.length).toBeGreaterThan(0);
  expect(inFile()).toEqual(expect.arrayContaining(answered));

  const second = await serve(data);
  const alive = await accepted(second, keys);
  await second.stop();
  const deleted = keys.filter((key) => !alive.includes(key)).map((key) => sha256Hex(key));
  expect([...new Set(inFile())].sort()).toEqual(deleted.sort());

  const restored = await run(['restore', backup, '--force', '--data', data]);
  expect([restored.code, restored.stderr]).toEqual([
    0,
    expect.stringContaining('withdrawals, settlements and payouts wait'),
  ]);
  const shown = await run(['restore', 'show', '--data', data]);
  expect(JSON.parse(shown.stdout).deleted_keys).toMatchObject({ count: deleted.length });
  const asked = await run(['restore', 'accept', '--data', data]);
  expect(asked.code).not.toBe(0);
  const accepting = await run(['restore', 'accept', '--yes', '--data', data]);
  expect([accepting.code, JSON.parse(accepting.stdout).deleted_keys.count]).toEqual([0, deleted.length]);
  const third = await serve(data);
  expect(await accepted(third, keys)).toEqual(alive);
  const { status, body } = await client(fetch, third.url, null).get('/api/health');
  expect([status, body.problems]).toEqual([200, []]);
  await third.stop();
  expect((await run(['fsck', data])).code).toBe(0);
});

test('a deleted key and a paid withdrawal stay so over the restore of an older backup, once it is accepted', async () => {
  const app = await openTrustApp({}, null, data);
  const agent = await creditedAgent(app, { credits: { paid: 1000 } });
  const [paid, open] = await queuePayouts(app, agent, [
    { amount: 400, reference: 'paid' },
    { amount: 300, reference: 'open' },
  ]);
  const { api_key: stolen } = await createKeyFor(app.service.trust, app.service.firstStart.operatorId, {});
  const owner = app.apiKey;
  await app.close();
  const [paidId = '', openId = ''] = [paid, open].map((one) => one?.payout.withdrawalId);
  const backup = join(directory.path, 'backup.db');
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--data', data]);
    expect([code, stderr.includes('error')]).toEqual([0, false]);
    return stdout === '' ? null : JSON.parse(stdout);
  };
  const statusOf = async (id: string) => (await json('payouts', 'show', id)).payout;

  const first = await serve(data);
  expect((await run(['backup', backup, '--data', data])).code).toBe(0);
  const hash = sha256Hex(stolen);
  expect((await client(fetch, first.url, owner).call('DELETE', `${KEYS}/${hash}`)).status).toBe(200);
  await json('payouts', 'confirm', '--yes', paidId, 'bank 4711');
  await first.stop();

  expect((await run(['restore', backup, '--force', '--data', data])).code).toBe(0);
  const second = await serve(data);
  const shown = await json('restore', 'show');
  expect(shown).toMatchObject({
    deleted_keys: { count: 1, key_hashes: [hash] },
    ended_payouts: { count: 1, payouts: [{ withdrawal_id: paidId, external_reference: 'bank 4711' }] },
  });
  expect(await accepted(second, [stolen, owner])).toEqual([owner]);
  const again = { subject_commitment: agent.commitment, amount: 1000, reference: 'again' };
  const refused = await client(fetch, second.url, owner).post('/api/v1/agent-pay/withdraw', again);
  expect([refused.status, refused.body.reason_code]).toEqual([503, 'restore_not_accepted']);
  expect(await statusOf(paidId)).toMatchObject({ status: 'queued', held: 'restored' });
  await json('restore', 'accept', '--yes');
  expect(await statusOf(paidId)).toMatchObject({ status: 'confirmed', external_reference: 'bank 4711' });
  // Whether it was paid is not known, so it waits for its own decision.
  expect(await statusOf(openId)).toMatchObject({ status: 'queued', held: 'restored' });
  expect(await accepted(second, [stolen, owner])).toEqual([owner]);
  await second.stop();
  expect((await run(['fsck', data])).code).toBe(0);
});
