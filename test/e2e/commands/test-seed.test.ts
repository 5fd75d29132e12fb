import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../support/client.ts';
import { type Running, run, scratch, start } from '../../support/process.ts';

const SEEDS = join(import.meta.dir, '../../../docs/seeds');
const directory = scratch();
afterAll(() => directory.dispose());

/** Starts a test service with a seed. */
function seeded(name: string, seed: string, ...args: string[]): Promise<Running> {
  const readyFile = join(directory.path, `${name}.json`);
  const given = ['--test', '--seed', seed, '--clock', '2026-01-01T00:00:00Z', ...args];
  return start(['--port', '0', '--ready-file', readyFile, ...given], readyFile);
}

const listOf = (value: unknown): Record<string, unknown>[] => [value].flat().map(Object);

describe('serve --test --seed', () => {
  test('begins with the data of a seed, at the start of the clock, and begins anew with it after a reset', async () => {
    const server = await seeded('trust', join(SEEDS, 'trust.yaml'));
    const own = client(fetch, server.url, server.apiKey);
    const state = async () => {
      const receipts = listOf((await own.get('/api/v1/receipts')).body.receipts);
      return receipts.map(({ receipt_id, status, issued_at }) => [receipt_id, status, issued_at]);
    };
    const before = await state();
    expect(before.map(([, status]) => status)).toEqual([
      'pending',
      // Those of the service about credits that returned.
      'null',
      'pending',
      'success',
      ...['null', 'null'],
      'success',
      'null',
      'success',
      'timeout',
      'success',
    ]);
    expect(before[0]?.[2]).toBe('2026-01-01T00:00:00.000Z');
    const [open] = before;
    const outcome = { status: 'success', output_hash: 'a'.repeat(64) };
    expect((await own.post(`/api/v1/receipts/${open?.[0]}/finalize`, outcome)).status).toBe(200);
    expect((await own.post('/_test/reset', {})).status).toBe(200);
    expect(await state()).toEqual(before);
    await server.stop();
  });

  test('fills the staffing service, whose registry a reset restores', async () => {
    const server = await seeded(
      'staffing',
      join(SEEDS, 'staffing.yaml'),
      '--service',
      'staffing',
      '--sample',
      '50',
    );
    const PREFIX = '/api/staffing/partner/v1';
    const own = client(fetch, server.url, server.apiKey);
    const admin = client(fetch, server.url, String(server.ready.admin_token));
    const state = async () => [
      (await own.get(`${PREFIX}/clinicians/search?limit=1&include_total=true`)).body.total,
      listOf((await admin.get(`${PREFIX}/admin/jobs`)).body.data).map(({ id, status }) => [id, status]),
    ];
    const before = await state();
    expect(before[0]).toBe(50);
    const jobs = listOf((await own.get(`${PREFIX}/jobs`)).body.data);
    expect(jobs).toEqual([]);
    expect((await admin.post('/_test/reset', {})).status).toBe(200);
    expect(await state()).toEqual(before);
    await server.stop();
  });

  const refused: [string, string, string[], string][] = [
    [
      'that contradicts itself',
      'receipts: [{ issued: -1d, expiry: -2d }]',
      ['--test'],
      'receipts[0] is refused',
    ],
    ['of another form', 'receipt: []', ['--test'], 'receipt is not a known field'],
    ['without --test', 'receipts: []', [], '--seed needs --test'],
    ['with --demo', 'receipts: []', ['--demo'], '--seed needs --test'],
  ];
  test.each(refused)('refuses a seed %s', async (_, text, args, message) => {
    const seed = join(directory.path, 'refused.yaml');
    writeFileSync(seed, text);
    const { code, stderr } = await run(['serve', '--port', '0', '--seed', seed, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
