import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently } from '../support/client.ts';
import { finalized } from '../support/log.ts';
import { type Running, run, scratch, serve } from '../support/process.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
/** A service that is never stopped, with a full tile of receipts, a revocation and the keys of a first start. */
let server: Running;
let api: ReturnType<typeof client>;

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_RATE_LIMITS: 'off' });
  api = client(fetch, server.url, server.apiKey);
  await many(api, 260);
  const last = await finalized(api);
  await api.revoke(last.receipt_id);
  await settled(server.url, 261);
}, 60_000);
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

async function many(own: ReturnType<typeof client>, count: number): Promise<void> {
  await concurrently(Array.from({ length: count }), 16, () => finalized(own));
}

/** Waits until the newest checkpoint of receipts covers so many, and that of revocations is there as well. */
async function settled(url: string, size: number): Promise<void> {
  for (const log of ['receipts', 'revocations']) {
    const at = `${url}/api/v1/receipts/checkpoints/latest?log=${log}`;
    const sizeNow = async (): Promise<number> => Object(await (await fetch(at)).json()).tree_size;
    while ((await sizeNow()) < (log === 'receipts' ? size : 0)) await Bun.sleep(20);
  }
}

const monitor = (url: string, state: string, ...args: string[]) =>
  run(['monitor', url, '--state', file(state), '--once', ...args]);

describe('fsck', () => {
  test('finds a data directory whole, beside its server', async () => {
    const { code, stdout, stderr } = await run(['fsck', file('data')]);
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      {
        whole: true,
        differences: 0,
        examined: {
          receipts: 261,
          leaves: 270,
          checkpoints: expect.any(Number),
          signatures: expect.any(Number),
        },
      },
      expect.stringContaining('whole: 261 receipts, 270 leaves'),
    ]);
  });

  test('finds the same from outside', async () => {
    for (const url of [server.url, `${server.url}/log`]) {
      const { code, stdout, stderr } = await run(['fsck', url]);
      expect([code, stdout, stderr]).toEqual([
        0,
        expect.stringContaining('"whole":true'),
        expect.stringContaining('taken from the service itself'),
      ]);
      expect(JSON.parse(stdout).examined).toMatchObject({ entries: 270 });
    }
  });
});

describe('monitor', () => {
  test('copies the logs, then what is new', async () => {
    const first = await monitor(server.url, 'copy');
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('taken from the service itself')]);
    expect(JSON.parse(first.stdout)).toMatchObject({
      problems: [],
      logs: { receipts: { tree_size: 261, new_entries: 261 } },
    });
    const second = await monitor(server.url, 'copy');
    expect([second.code, second.stderr]).toEqual([0, '']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      problems: [],
      logs: { receipts: { tree_size: 261, new_entries: 0 } },
    });
    await many(api, 5);
    await settled(server.url, 266);
    expect(JSON.parse((await monitor(server.url, 'copy')).stdout)).toMatchObject({
      logs: { receipts: { tree_size: 266, new_entries: 5 } },
    });
    expect(readdirSync(file('copy/receipts/tile/0')).sort()).toEqual(['000', '001.p']);
    expect(readdirSync(file('copy/receipts/tile/0/001.p'))).toEqual(['10']);
  });
});
