import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../../../support/client.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';
import { eventually } from '../../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const file = (name: string): string => join(directory.path, name);
const OFF = { COUNTERSIGN_RATE_LIMITS: 'off' };
const PASSPHRASE = { env: { COUNTERSIGN_KEYS_PASSPHRASE: 'correct horse battery' } };
const NAMED = ['--log-origin', 'log.example'];

async function covered({ url }: Running, size: number): Promise<void> {
  const anyone = client(fetch, url, null);
  await eventually(async () => Number((await latest(anyone)).body.tree_size) >= size);
}

async function ok(args: string[], options: Parameters<typeof run>[1] = {}) {
  const finished = await run(args, options);
  expect([args[0], finished.code, finished.stderr]).toEqual([args[0], 0, expect.any(String)]);
  return finished;
}

test("after the disk is lost, a backup, the keys and a monitor's copy bring the log back without a fork", async () => {
  const server = await serve(data, OFF, NAMED);
  const own = client(fetch, server.url, server.apiKey);
  const early = await finalized(own);
  const revoked = await finalized(own);
  await covered(server, 2);
  await ok(['backup', file('trust.backup'), '--data', data]);
  await ok(['keys', 'backup', file('keys.backup'), '--data', data], PASSPHRASE);
  const late = await finalized(own);
  await own.revoke(revoked.receipt_id);
  await covered(server, 3);
  const keys = await (await fetch(`${server.url}/api/v1/transparency/keys`)).text();
  const watched = ['monitor', server.url, '--state', file('copy'), '--once'];
  await eventually(async () => {
    const { stdout } = await ok(watched);
    const { logs } = JSON.parse(stdout);
    return JSON.stringify(logs).includes('"tree_size":3') && JSON.stringify(logs).includes('"tree_size":1');
  });
  const proof = await (await fetch(`${server.url}/api/v1/receipts/${late.receipt_id}/proof`)).text();
  server.signal('SIGKILL');
  await server.ended();
  rmSync(data, { recursive: true });

  const restored = await ok(['restore', file('trust.backup'), '--data', data]);
  expect(restored.stderr).toContain('--trust-copy');
  await ok(['keys', 'restore', file('keys.backup'), '--data', data], PASSPHRASE);
  const refused = await run(['serve', '--port', '0', '--data', data]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/log\.high-water is missing[\s\S]*--from-tiles[\s\S]*--trust-copy/),
  ]);
  const recover = ['recover', '--from-tiles', file('copy'), '--data', data];
  const cautious = await run(recover);
  expect([cautious.code, cautious.stderr]).toEqual([1, expect.stringContaining('--trust-copy')]);
  expect(existsSync(join(data, 'log.high-water'))).toBe(false);
  const { stdout } = await ok([...recover, '--trust-copy']);
  expect(JSON.parse(stdout)).toMatchObject({
    receipts: { tree_size: 3, recovered: 1 },
    revocations: { tree_size: 1, recovered: 1 },
  });

  const again = await serve(data, OFF);
  const same = client(fetch, again.url, server.apiKey);
  const fresh = await finalized(same);
  await covered(again, 4);
  // The receipt of before the backup, the one that was lost, and a new one, each by its own proof.
  for (const [name, receipt] of [
    ['early', (await same.get(`/api/v1/receipts/${early.receipt_id}`)).body],
    ['fresh', fresh],
  ] as const) {
    const path = `${again.url}/api/v1/receipts/${receipt.receipt_id}/proof`;
    writeFileSync(file(`${name}.tlog-proof`), await (await fetch(path)).text());
    writeFileSync(file(`${name}.json`), JSON.stringify(receipt));
  }
  writeFileSync(file('keys.json'), keys);
  writeFileSync(file('late.json'), JSON.stringify(late));
  writeFileSync(file('late.tlog-proof'), proof);
  for (const name of ['early', 'late', 'fresh']) {
    const verified = await run([
      'verify',
      file(`${name}.json`),
      '--keys',
      file('keys.json'),
      '--proof',
      file(`${name}.tlog-proof`),
    ]);
    expect([name, verified.code, verified.stderr]).toEqual([name, 0, expect.any(String)]);
  }
  const status = await fetch(`${again.url}/api/v1/receipts/${revoked.receipt_id}/status`);
  expect(await status.json()).toMatchObject({ revocation_status: 'revoked' });
  // Who watched the log before goes on, and sees one log.
  const followed = await run(['monitor', again.url, '--state', file('copy'), '--once']);
  expect([followed.code, JSON.parse(followed.stdout).problems]).toEqual([0, []]);
  await again.stop();
  expect((await run(['fsck', data])).code).toBe(0);
}, 180_000);
