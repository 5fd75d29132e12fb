import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { creditedAgent } from '../../../support/credits.ts';
import { queuePayouts } from '../../../support/payouts.ts';
import { run, scratch, serve } from '../../../support/process.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
/** The withdrawals of a new data directory, oldest first. */
let ids: string[];

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  const app = await openTrustApp({}, null, data);
  const agent = await creditedAgent(app, { credits: { paid: 100_000 } });
  const requests = Array.from({ length: 230 }, (_, n) => ({ amount: n + 1, reference: `withdrawal ${n}` }));
  ids = (await queuePayouts(app, agent, requests)).map(({ payout }) => payout.withdrawalId);
  await app.close();
});
afterAll(() => directory.dispose());

const payouts = (...args: string[]) => run(['payouts', ...args, '--data', data]);
const shown = async (id: string) => JSON.parse((await payouts('show', id)).stdout).payout;

describe('countersign payouts', () => {
  test('lists all pages, as a table and as lines of JSON, with a running server and without', async () => {
    const lines = (await payouts('list', '--all', '--output', 'ndjson')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).withdrawal_id)).toEqual(ids.toReversed());
    const table = (await payouts('list', '--status', 'queued', '--limit', '3')).stdout.trim().split('\n');
    expect(table).toHaveLength(4);
    expect(table[0]).toMatch(/^WITHDRAWAL +STATUS +WAITING FOR +HELD +CREDITS +US CENTS +ADDRESS/);
    expect(table[1]).toMatch(new RegExp(`^${ids.at(-1)}  queued  administrator  -  +230 +230  0x`));
    const server = await serve(data);
    const served = (await payouts('list', '--limit', '150', '--output', 'ndjson')).stdout.trim().split('\n');
    expect(served).toEqual(lines.slice(0, 150));
    expect((await payouts('list', '--status', 'failed')).stdout.trim().split('\n')).toHaveLength(1);
    await server.stop();
  });

  test('confirms, fails, holds and releases', async () => {
    const [one = '', two = '', three = ''] = ids;
    const confirmed = await payouts('confirm', '--yes', one, 'bank transfer 4711');
    expect([confirmed.code, JSON.parse(confirmed.stdout).payout]).toMatchObject([
      0,
      { status: 'confirmed', external_reference: 'bank transfer 4711' },
    ]);
    expect(await payouts('confirm', '--yes', one, 'bank transfer 4711')).toEqual(confirmed);
    const again = await payouts('fail', '--yes', one, 'x');
    expect([again.code, again.stdout]).toEqual([5, '']);
    expect(again.stderr).toContain(`The withdrawal ${one} is confirmed, so it cannot be failed.`);
    expect((await payouts('fail', '--yes', two, 'no such account')).code).toBe(0);
    expect(await shown(two)).toMatchObject({ status: 'failed', failure_reason: 'no such account' });
    expect((await payouts('hold', three)).code).toBe(0);
    expect(await shown(three)).toMatchObject({ held: 'administrator' });
    expect(JSON.parse((await payouts('hold', '--all')).stdout)).toEqual({ payouts: 227 });
    expect(JSON.parse((await payouts('release', '--all', '--yes')).stdout)).toEqual({ payouts: 228 });
    expect(await shown(three)).toMatchObject({ held: null });
  });

  test.each([
    [
      'confirm without a reference',
      ['confirm', '--yes', 'wdr_1'],
      2,
      "missing required argument 'reference'",
    ],
    ['an empty reference', ['confirm', '--yes', 'wdr_1', ''], 2, '<reference> must be 1 to 256 characters'],
    [
      'a reference of two lines',
      ['confirm', '--yes', 'wdr_1', 'a\nb'],
      2,
      '<reference> must be 1 to 256 characters',
    ],
    ['fail without a reason', ['fail', '--yes', 'wdr_1'], 2, "missing required argument 'reason'"],
    ['an unknown withdrawal', ['fail', '--yes', 'wdr_1', 'x'], 4, 'There is no withdrawal wdr_1.'],
    ['an unknown status', ['list', '--status', 'paid'], 2, 'Allowed choices are queued, submitted'],
    [
      'an agent that is no commitment',
      ['list', '--agent', 'zz'],
      2,
      'must be 64 lower-case hexadecimal characters\n',
    ],
    ['hold of nothing', ['hold'], 2, 'name a withdrawal, or all of them with --all'],
    ['release of one and all', ['release', 'wdr_1', '--all'], 2, 'a withdrawal and --all exclude each other'],
    [
      'a status and an agent',
      ['list', '--status', 'queued', '--agent', '0'.repeat(64)],
      2,
      'cannot be combined',
    ],
  ])('refuses %s', async (_name, args, code, says) => {
    const { stderr, ...ended } = await payouts(...args);
    expect(ended).toEqual({ code, stdout: '' });
    expect(stderr).toContain(says);
  });
});

test('what a backup had open waits for an administrator after a restore, so that nothing is paid twice', async () => {
  const [open = '', late = ''] = ids.slice(-2);
  const backup = join(directory.path, 'backup.db');
  expect((await run(['backup', backup, '--data', data])).code).toBe(0);
  // Paid and confirmed after the backup.
  await payouts('confirm', '--yes', late, 'transfer 9');
  const restored = await run(['restore', backup, '--force', '--data', data]);
  expect(restored.code).toBe(0);
  expect(restored.stderr).toContain(
    '228 withdrawals were not paid yet in the backup, and may have been paid since; none is paid until you decide',
  );
  expect(await shown(late)).toMatchObject({
    status: 'queued',
    held: 'restored',
    waiting_for: 'administrator',
  });
  const refused = await payouts('fail', '--yes', open, 'x');
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain('repeat the command with --unpaid if there is none');
  expect((await payouts('fail', '--yes', open, 'x', '--unpaid')).code).toBe(0);
  expect((await payouts('confirm', '--yes', late, 'transfer 9')).code).toBe(0);
  expect(JSON.parse((await payouts('release', '--all', '--yes')).stdout)).toEqual({ payouts: 226 });
  const server = await serve(data);
  await server.stop();
  expect((await run(['fsck', data])).code).toBe(0);
});
