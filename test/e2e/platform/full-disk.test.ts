import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../support/client.ts';
import { canMount, mount, unmount } from '../../support/disk.ts';
import { run, scratch, serve } from '../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let disk: string;
let data: string;
beforeEach(() => {
  directory = scratch();
  disk = join(directory.path, 'disk');
  data = join(disk, 'data');
  mkdirSync(disk);
});
afterEach(() => {
  unmount(disk);
  directory.dispose();
});

const OFF = { COUNTERSIGN_RATE_LIMITS: 'off' };
/** One line says which file, one says what to do. */
const SAID =
  /^countersign: error: \/\S+ cannot be (?:written|made)[^\n]*\((?:ENOSPC|SQLITE_\w+)\)\ncountersign: hint: [^\n]*(?:the disk or the quota of this user is full|the disk has free space)[^\n]*\n$/m;

async function refused(service: string, args: string[] = []): Promise<void> {
  const { code, stderr } = await run(['serve', '--service', service, '--port', '0', '--data', data, ...args]);
  expect([service, code, stderr]).toEqual([service, 1, expect.stringMatching(SAID)]);
  expect(stderr.match(/countersign: error:/g)).toHaveLength(1);
}

async function started(service: string): Promise<void> {
  const server = await serve(data, OFF, ['--service', service]);
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect((await server.stop()).code).toBe(0);
}

describe.skipIf(!canMount)('a disk that is full at the start', () => {
  // Each size is used up at another step: lock, database, migrations, keys, the first write, the first
  // checkpoint.
  test.each([4, 16, 40, 120, 300, 470, 560, 640, 700])(
    'the first start of the trust service on %d KiB says which file and what to do, and leaves nothing in the way',
    async (kib) => {
      expect(mount(disk, kib)).toBe(true);
      await refused('trust');
      expect(mount(disk, 65_536, ',remount')).toBe(true);
      await started('trust');
    },
    180_000,
  );

  test.each([4, 40, 150, 250, 400])(
    'the first start of the staffing service on %d KiB says which file and what to do, and leaves nothing in the way',
    async (kib) => {
      expect(mount(disk, kib)).toBe(true);
      await refused('staffing');
      expect(mount(disk, 65_536, ',remount')).toBe(true);
      await started('staffing');
    },
    180_000,
  );

  test.each(['trust', 'staffing'])(
    'a later start of the %s service says the same, and has everything once there is room',
    async (service) => {
      expect(mount(disk, 65_536)).toBe(true);
      await started(service);
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
      await refused(service);
      rmSync(join(disk, 'filler'));
      await started(service);
    },
    180_000,
  );

  test('a ready file that a full disk does not take is named, and the service has ended in order', async () => {
    expect(mount(disk, 4)).toBe(true);
    writeFileSync(join(disk, 'filler'), 'x'.repeat(4096));
    data = join(directory.path, 'data');
    await refused('trust', ['--ready-file', join(disk, 'ready.json')]);
    const server = await serve(data, OFF);
    expect((await client(fetch, server.url, null).get('/api/health')).status).toBe(200);
    await server.stop();
  });

  test('a log file that a full disk does not take costs lines and no start', async () => {
    expect(mount(disk, 4)).toBe(true);
    writeFileSync(join(disk, 'filler'), 'x'.repeat(4096));
    data = join(directory.path, 'data');
    const server = await serve(data, OFF, ['--log-file', join(disk, 'server.log')]);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    const { code, stderr } = await server.stop();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/log/)]);
  });
});
