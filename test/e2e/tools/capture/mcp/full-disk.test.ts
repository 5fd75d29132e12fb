import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canMount, mount, unmount } from '../../../../support/disk.ts';
import { piped } from '../../../../support/mcp/wrapper.ts';
import { EXECUTABLE, run, scratch, start } from '../../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let disk: string;
beforeEach(() => {
  directory = scratch();
  disk = join(directory.path, 'disk');
  mkdirSync(disk);
  mount(disk, 64);
});
afterEach(() => {
  unmount(disk);
  directory.dispose();
});

/** Nothing listens there. */
const NOWHERE = ['--url', 'http://127.0.0.1:9'];
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}\n';
/** Returns a result for each line. */
const RESPOND = `while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":{}}'; done`;
const env = () => ({ HOME: directory.path, XDG_STATE_HOME: disk });

function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
}

/** Makes a call with a wrapper, which then ends. @returns what the client and a person read, and the code */
async function called(...options: string[]) {
  const child = piped([EXECUTABLE, 'mcp', ...options, '--', 'sh', '-c', RESPOND], env());
  child.child.stdin.write(CALL);
  await child.wrote('\n');
  child.child.stdin.end();
  const { code } = await child.ended;
  return { code, out: child.out.toString(), err: child.err };
}

const status = async (): Promise<object[]> =>
  JSON.parse((await run(['capture', 'status', '--output', 'json'], { env: env() })).stdout);

describe.skipIf(!canMount)('a wrapper whose spool is on a full disk', () => {
  test('passes calls without a service on, says so, and counts them until there is space', async () => {
    expect((await called(...NOWHERE)).code).toBe(0);
    fill();
    for (let turn = 0; turn < 2; turn++) {
      const { code, out, err } = await called(...NOWHERE);
      expect([code, out]).toEqual([0, '{"jsonrpc":"2.0","id":1,"result":{}}\n']);
      expect(err).toContain('calls have no entry in the spool: ENOSPC');
      expect(err).toContain('a receipt waits in the memory of this process: ');
      expect(err).toContain('a call has neither a receipt nor an entry in the spool');
      expect(err).toContain('countersign capture status counts these calls');
    }
    expect(await status()).toMatchObject([
      { state: 'waiting', unissued: 1 },
      { state: 'unrecorded', unrecorded: 2 },
    ]);
    rmSync(join(disk, 'filler'));
    expect((await called(...NOWHERE)).err).not.toContain('neither a receipt nor an entry');
    expect((await status()).length).toBe(3);
  });

  test('says that calls cannot be counted, if it was full before the first one', async () => {
    fill();
    const { code, out, err } = await called(...NOWHERE);
    expect([code, out]).toEqual([0, '{"jsonrpc":"2.0","id":1,"result":{}}\n']);
    expect(err).toContain('they cannot be counted');
    expect(await status()).toEqual([]);
  });

  test('refuses calls without a service under block', async () => {
    fill();
    const { code, out } = await called(...NOWHERE, '--on-failure', 'block');
    expect(code).toBe(0);
    expect(JSON.parse(out).error.message).toContain('no entry could be written to the spool');
  });

  test('has the receipts of all calls while there is a service', async () => {
    fill();
    const ready = join(directory.path, 'ready.json');
    const service = await start(['--test', '--port', '0', '--ready-file', ready], ready);
    const key = join(directory.path, 'key');
    writeFileSync(key, service.apiKey, { mode: 0o600 });
    const target = ['--url', service.url, '--api-key-file', key];
    expect(await called(...target, '--on-failure', 'block')).toMatchObject({
      code: 0,
      out: '{"jsonrpc":"2.0","id":1,"result":{}}\n',
      err: expect.not.stringContaining('neither a receipt nor an entry'),
    });
    const listed = await run(['receipts', 'list', ...target, '--output', 'json'], { env: env() });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    await service.stop();
  });
});
