import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { client, issueBody } from '../../support/client.ts';
import { canMount, makeReadOnly, mount, mountReadOnly, unmount } from '../../support/disk.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../support/process.ts';

let directory: ReturnType<typeof scratch>;
/** The data directory is a disk of its own, so that files beside it can be written. */
let data: string;
/** Where private copies are made. */
let temporary: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
  temporary = join(directory.path, 'temporary');
  mkdirSync(data);
  mkdirSync(temporary);
});
afterEach(() => {
  directory.dispose();
});

const OFF = { COUNTERSIGN_RATE_LIMITS: 'off' };
/** So many receipts make a database that fsck examines on several threads. */
const RECEIPTS = 3000;
const ONE_THREAD_BYTES = 2 * 2 ** 20;

const own = ({ url, apiKey }: Running) => client(fetch, url, apiKey);

/** Returns the path of a receipt that the service issued. */
async function issued(server: Running): Promise<string> {
  const { status, body } = await own(server).post('/api/v1/receipts', issueBody());
  expect(status).toBe(201);
  return `/api/v1/receipts/${body.receipt_id}`;
}

/** Returns the name, size and time of every file. */
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(join(path, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort();

/** Copies a directory with the socket that a killed service leaves. */
function copied(from: string, to: string): void {
  expect(Bun.spawnSync(['cp', '-a', `${from}/.`, to]).exitCode).toBe(0);
}

/** Audits the directory without a problem, and expects that nothing is written in it. */
async function audited(path = data): Promise<void> {
  const before = filesIn(path);
  const { code, stdout, stderr } = await run(['fsck', path], { env: { TMPDIR: temporary } });
  expect([code, stderr]).toEqual([0, expect.stringContaining('no problems')]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, examined: { receipts: RECEIPTS } });
  expect(filesIn(path)).toEqual(before);
}

/** Starts a service whose directory nobody can write. */
const reading = (path = data): Promise<Running> =>
  serve(path, { ...OFF, TMPDIR: temporary }, ['--read-only']);

describe.skipIf(!canMount)('on a read-only file system', () => {
  let key = '';
  let receipt = '';
  /** What a service has written that was killed, and one that was stopped. */
  let made: ReturnType<typeof scratch>;
  /** Its key, and the path of a receipt. */
  let ofMade: [key: string, receipt: string];
  beforeAll(async () => {
    made = scratch();
    const path = join(made.path, 'data');
    await (await written(path)).stop('SIGKILL');
    copied(path, join(made.path, 'killed'));
    await (await serve(path, OFF)).stop();
    copied(path, join(made.path, 'stopped'));
    ofMade = [key, receipt];
  }, 180_000);
  afterAll(() => made.dispose());

  beforeEach(async () => {
    expect(mount(data, 65_536)).toBe(true);
  });
  afterEach(() => {
    unmount(data);
  });

  /** Puts what a service left on the disk. */
  function leave(how: 'killed' | 'stopped'): void {
    copied(join(made.path, how), data);
    [key, receipt] = ofMade;
  }

  async function written(path = data): Promise<Running> {
    const server = await serve(path, OFF);
    key = server.apiKey;
    for (let left = RECEIPTS; left > 0; left -= 100)
      [receipt = ''] = await Promise.all(Array.from({ length: 100 }, () => issued(server)));
    return server;
  }

  /** Serves the directory, and expects that it is read and nothing is written. */
  async function served(path = data): Promise<void> {
    const before = filesIn(path);
    const server = await reading(path);
    const { get, post } = client(fetch, server.url, key);
    expect((await get('/api/health')).status).toBe(200);
    expect(await get(receipt)).toMatchObject({ status: 200 });
    expect(await post('/api/v1/receipts', issueBody())).toMatchObject({ status: 503 });
    const { code, stdout, stderr } = await server.stop();
    expect([code, stdout]).toEqual([0, expect.stringContaining('Read-only: nothing is written.')]);
    expect(stdout + stderr).not.toMatch(/EROFS|SQLITE|operators key/);
    expect(filesIn(path)).toEqual(before);
  }

  test('the data of a stopped service is audited and served, without a copy', async () => {
    leave('stopped');
    expect(readdirSync(data)).not.toContain('trust.db-wal');
    expect(statSync(join(data, 'trust.db')).size).toBeGreaterThan(ONE_THREAD_BYTES);
    expect(makeReadOnly(data)).toBe(true);
    // Without a place for a copy.
    rmSync(temporary, { recursive: true });
    await audited();
    await served();
  });

  test.each([
    ['its log only', ['trust.db-shm']],
    ['its log and the index of it', []],
  ])('the data of a killed service with %s is audited and served with all commits', async (_, removed) => {
    leave('killed');
    for (const name of removed) rmSync(join(data, name));
    expect(statSync(join(data, 'trust.db-wal')).size).toBeGreaterThan(ONE_THREAD_BYTES);
    expect(makeReadOnly(data)).toBe(true);
    await audited();
    await served();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('a copy of a directory without its lock is copied for the time of the command', async () => {
    leave('stopped');
    rmSync(join(data, 'lock'));
    expect(makeReadOnly(data)).toBe(true);
    await audited();
    await served();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('what must write says that the file system is read-only', async () => {
    leave('stopped');
    expect(makeReadOnly(data)).toBe(true);
    for (const args of [
      ['serve', '--port', '0', '--data', data],
      ['migrate', '--data', data],
      ['fsck', '--repair', data],
      ['operators', 'list', '--data', data],
      ['backup', join(temporary, 'backup.db'), '--data', data],
    ]) {
      const { code, stderr } = await run(args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('read-only file system')]);
    }
    unmount(data);
    expect(mount(data, 65_536)).toBe(true);
    await (await serve(data, OFF, ['--service', 'staffing'])).stop();
    expect(makeReadOnly(data)).toBe(true);
    const staffing = await run(['serve', '--service', 'staffing', '--port', '0', '--data', data]);
    expect([staffing.code, staffing.stderr]).toEqual([1, expect.stringContaining('mount it writable')]);
  });

  describe('that is writable at another place', () => {
    let view: string;
    beforeEach(() => {
      view = join(directory.path, 'view');
      mkdirSync(view);
      expect(mountReadOnly(data, view)).toBe(true);
    });
    afterEach(() => {
      unmount(view);
    });

    test('a running server is audited with all commits, and excludes a second one', async () => {
      const server = await written();
      const { code, stdout } = await run(['fsck', view]);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { examined: { receipts: RECEIPTS } }]);
      const second = await run(['serve', '--read-only', '--port', '0', '--data', view]);
      expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('in use by another')]);
      await server.stop();
    });

    test('while it is read, several services read and none can write it', async () => {
      leave('stopped');
      const first = await reading(view);
      const second = await reading(view);
      const writer = await run(['serve', '--port', '0', '--data', data]);
      expect([writer.code, writer.stderr]).toEqual([1, expect.stringContaining('in use by another')]);
      for (const server of [first, second]) {
        expect((await client(fetch, server.url, key).get(receipt)).status).toBe(200);
        await server.stop();
      }
      await (await serve(data, OFF)).stop();
    });
  });

  test('a user who may only read the directory audits a copy, or beside the server of its owner', async () => {
    const server = await written();
    for (const path of [directory.path, temporary]) chmodSync(path, 0o777);
    for (const path of [data, ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
      chmodSync(resolve(data, path), statSync(resolve(data, path)).isDirectory() ? 0o755 : 0o644);
    const byAnother = async (): Promise<unknown> => {
      const command = ['setpriv', '--reuid=65534', '--clear-groups', EXECUTABLE, 'fsck', data];
      const { stdout } = Bun.spawnSync(command, { env: { ...process.env, TMPDIR: temporary } });
      return JSON.parse(stdout.toString());
    };
    const whole = { ok: true, examined: { receipts: RECEIPTS } };
    expect(await byAnother()).toMatchObject(whole);
    await server.stop();
    expect(await byAnother()).toMatchObject(whole);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
