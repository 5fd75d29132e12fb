import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { client } from '../../../support/client.ts';
import { finalized, latest } from '../../../support/log.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { eventually } from '../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const OFF = { COUNTERSIGN_RATE_LIMITS: 'off' };
const rotate = (...args: string[]) => run(['keys', 'rotate', '--yes', ...args, '--data', data]);
const callers = ({ url, apiKey }: Running) => ({
  own: client(fetch, url, apiKey),
  anyone: client(fetch, url, null),
});

/** Waits until a checkpoint covers so many receipts, as it does within 300 ms. */
async function covered({ url }: Running, size: number): Promise<void> {
  const anyone = client(fetch, url, null);
  await eventually(async () => Number((await latest(anyone)).body.tree_size) >= size);
}

test('what is finalized stands in a checkpoint within a second, and the log goes on over restarts', async () => {
  const first = await serve(data, OFF);
  const receipt = await finalized(callers(first).own);
  const since = performance.now();
  await covered(first, 1);
  expect(performance.now() - since).toBeLessThan(1000);
  await first.stop();
  const second = await serve(data, OFF);
  const { anyone } = callers(second);
  const { body } = await latest(anyone);
  // Another port, and still the name that the first start gave.
  expect([body.tree_size, body.origin]).toEqual([1, `${new URL(first.url).host}/receipts`]);
  const proof = await fetch(`${second.url}/api/v1/receipts/${receipt.receipt_id}/proof`);
  expect(await proof.text()).toStartWith('c2sp.org/tlog-proof@v1\nextra ');
  await second.stop();
});

test('a first start that names the log after a passing address says so, until a name is given', async () => {
  const first = await serve(data, OFF);
  const passing = new URL(first.url).host;
  expect((await first.stop()).stdout).toContain(`NOTE: the transparency log is named ${passing}`);
  const named = await serve(data, OFF, ['--log-origin', 'log.example']);
  expect((await latest(callers(named).anyone)).body.origin).toBe('log.example/receipts');
  await finalized(client(fetch, named.url, first.apiKey));
  await covered(named, 1);
  expect((await named.stop()).stdout).not.toContain('NOTE');
  const late = await run(['serve', '--port', '0', '--data', data, '--log-origin', 'other.example']);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('is log.example, permanently')]);
});

test('a first start with a name of its own has nothing to say about it', async () => {
  const server = await serve(data, OFF, ['--log-origin', 'log.example']);
  expect((await server.stop()).stdout).not.toContain('NOTE');
});

describe('countersign keys rotate', () => {
  test('beside a running server: published at once, in use when its time has come', async () => {
    const server = await serve(data, OFF);
    const { own, anyone } = callers(server);
    const later = await rotate('--purpose', 'receipts');
    const [next] = JSON.parse(later.stdout).keys;
    expect([later.code, next.status, later.stderr]).toEqual([
      0,
      'next',
      `${data}\nmake a new backup with countersign keys backup: the last one does not contain the new key\n`,
    ]);
    expect((await anyone.get('/api/v1/public-key')).body).toMatchObject({ rotation: { next_kid: next.kid } });
    const again = await rotate('--purpose', 'receipts');
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('is already published')]);

    const now = await rotate('--purpose', 'credentials', '--keys-publish-ahead-seconds', '0');
    expect(JSON.parse(now.stdout).keys).toMatchObject([{ purpose: 'credentials', status: 'active' }]);

    const { kid } = (await own.issue()).body;
    const compromised = await rotate('--compromised', String(kid));
    expect(JSON.parse(compromised.stdout).keys).toMatchObject([
      { kid, status: 'compromised' },
      { kid: next.kid, status: 'active' },
    ]);
    expect((await own.issue()).body.kid).toBe(next.kid);
    await server.stop();
    expect(readdirSync(join(data, 'keys')).filter((name) => name.endsWith('.pem'))).toHaveLength(
      REQUIRED_KEYS.length + 2,
    );
  });

  test('without a server, which then finds the new keys', async () => {
    const { kid } = await serve(data, OFF).then(async (server) => {
      const { body } = await callers(server).anyone.get('/api/v1/public-key?purpose=receipts-log');
      await server.stop();
      return body;
    });
    const rotated = await rotate('--purpose', 'receipts-log', '--keys-publish-ahead-seconds', '0');
    expect(JSON.parse(rotated.stdout).keys).toMatchObject([
      { algorithm: 'Ed25519', status: 'active' },
      { algorithm: 'ML-DSA-44', status: 'active' },
    ]);
    const server = await serve(data, OFF);
    const { body, checks } = await latest(callers(server).anyone);
    expect([body.kid === kid, checks.length]).toEqual([false, 4]);
    await server.stop();
  });

  test.each([
    [[], 2, 'use either --purpose or --compromised'],
    [['--purpose', 'receipts-log', '--compromised', 'x'], 2, 'use either --purpose or --compromised'],
    [['--purpose', 'others'], 2, 'Allowed choices are receipts, credentials, receipts-log'],
    [['--compromised', 'nobody'], 4, 'No signing key has the kid nobody'],
    [['--purpose', 'receipts-log', '--keys-publish-ahead-seconds', '-1'], 2, 'is not a whole number'],
  ])('refuses %j', async (args, code, output) => {
    await (await serve(data, OFF)).stop();
    const { code: actual, stderr } = await rotate(...args);
    expect([actual, stderr]).toEqual([code, expect.stringContaining(output)]);
  });
});

describe('an older copy of a database', () => {
  test('is not signed on; read-only it is answered from; restarted, the log goes on under another name', async () => {
    const server = await serve(data, OFF);
    const { own } = callers(server);
    const early = await finalized(own);
    await covered(server, 1);
    expect((await run(['backup', join(directory.path, 'backup'), '--data', data])).code).toBe(0);
    const file = (name: string): string => join(directory.path, name);
    const save = async (name: string, path: string, url = server.url) =>
      writeFileSync(file(name), await (await fetch(url + path)).text());
    await save('old-keys.json', '/api/v1/transparency/keys');
    await save('old.tlog-proof', `/api/v1/receipts/${early.receipt_id}/proof`);
    await save('vkeys', '/log/receipts/vkeys');
    writeFileSync(file('early.json'), JSON.stringify(early));
    const late = await finalized(own);
    await covered(server, 2);
    for (const command of [
      ['log', 'restart'],
      ['recover', '--from-tiles', directory.path],
    ]) {
      const { code, stderr } = await run([...command, '--data', data]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is in use by another countersign')]);
    }
    await server.stop();

    const restored = await run(['restore', join(directory.path, 'backup'), '--force', '--data', data]);
    expect([restored.code, restored.stderr]).toEqual([
      0,
      expect.stringContaining('warning: the log must not be continued'),
    ]);
    const refused = await run(['serve', '--port', '0', '--data', data]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /has 1 leaves, but 2 were published: an older backup was restored[\s\S]*countersign log restart/,
      ),
    ]);
    const reading = await serve(data, OFF, ['--read-only']);
    const reader = client(fetch, reading.url, server.apiKey);
    expect((await reader.get(`/api/v1/receipts/${early.receipt_id}`)).status).toBe(200);
    expect((await reader.get(`/api/v1/receipts/${late.receipt_id}`)).status).toBe(404);
    expect((await reader.issue()).body.error).toBe(
      'This server is read-only. Nothing was changed. Send the request to a server that writes.',
    );
    await reading.stop();

    const restarted = await run(['log', 'restart', '--data', data]);
    const origin = new URL(server.url).host;
    expect(JSON.parse(restarted.stdout)[0]).toEqual({
      closed: { origin: `${origin}/receipts`, tree_size: 2 },
      opened: { origin: `${origin}-2/receipts`, tree_size: 1 },
    });
    expect(restarted.stderr).toMatch(
      /^next: .*countersign backup[\s\S]*\/vkeys[\s\S]*transparency\/keys[\s\S]*--state/m,
    );
    const again = await serve(data, OFF);
    const fresh = await finalized(client(fetch, again.url, server.apiKey));
    await covered(again, 2);
    const { body } = await callers(again).anyone.get(`/api/v1/receipts/${fresh.receipt_id}/public-manifest`);
    expect(Object(body.inclusion_path).log).toBe(`${origin}-2/receipts`);
    // The key of both logs is the same. The new list names the closed log, and the old one not the new log.
    await save('new-keys.json', '/api/v1/transparency/keys', again.url);
    const { closed_logs } = JSON.parse(readFileSync(file('new-keys.json'), 'utf8'));
    expect(closed_logs[0]).toMatchObject(JSON.parse(restarted.stdout)[0].closed);
    await save('new.tlog-proof', `/api/v1/receipts/${early.receipt_id}/proof`, again.url);
    await again.stop();
    const proven = async (keys: string, proof: string, ...more: string[]) => {
      const given = ['--keys', file(`${keys}-keys.json`), '--proof', file(`${proof}.tlog-proof`), ...more];
      const { code, stdout } = await run(['verify', file('early.json'), ...given]);
      return [code, JSON.parse(stdout).checks.proof];
    };
    expect(await proven('old', 'old')).toEqual([0, 'ok']);
    expect(await proven('new', 'new')).toEqual([0, 'ok']);
    expect(await proven('new', 'old')).toEqual([0, 'ok']);
    expect(await proven('old', 'new')).toEqual([1, 'wrong_log']);
    expect(await proven('old', 'new', '--any-log')).toEqual([1, 'wrong_log']);
    expect(await proven('new', 'old', '--log-key', file('vkeys'))).toEqual([0, 'ok']);
  });

  test('is what log restart is for: a log with which nothing is wrong ends only by --force', async () => {
    await (await serve(data, OFF)).stop();
    const refused = await run(['log', 'restart', '--data', data]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('nothing is wrong with this log'),
    ]);
    expect((await run(['log', 'restart', '--force', '--data', data])).code).toBe(0);
  });

  test('copied whole, with the mark beside it, is the same log', async () => {
    const server = await serve(data, OFF);
    await finalized(callers(server).own);
    await covered(server, 1);
    await server.stop();
    const there = join(directory.path, 'there');
    cpSync(data, there, { recursive: true, filter: (path) => !path.endsWith('lock') });
    const moved = await serve(there, OFF);
    expect((await latest(callers(moved).anyone)).body.tree_size).toBe(1);
    await moved.stop();
    copyFileSync(join(data, 'trust.db'), join(there, 'trust.db'));
  });

  test.each([
    [['serve', '--read-only', '--port', '0'], 1, 'there is no trust.db'],
    [['log', 'restart'], 1, 'there is no trust.db'],
    [['recover', '--from-tiles', '/nowhere'], 1, 'there is no trust.db'],
    [['recover'], 2, "required option '--from-tiles"],
    [['serve', '--read-only', 'perhaps'], 2, 'is not one of on, off'],
    [['serve', '--log-origin', 'two words'], 2, 'printable ASCII'],
  ])('an empty directory is refused by %j', async (args, code, output) => {
    const { code: actual, stderr } = await run([...args, '--data', data]);
    expect([actual, stderr]).toEqual([code, expect.stringContaining(output)]);
  });
});
