import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { run, scratch, serve } from '../../../../support/process.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let data: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  // A service whose newest data is three days old.
  const app = await openTrustApp({}, new VirtualTime(Date.now() - 3 * 86_400_000), data);
  await app.close();
});
afterAll(() => directory.dispose());

const clock = (...args: string[]) => run(['clock', ...args, '--data', data]);
const stateIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout).state;

test('a server that was off for three days says that its clock is in doubt, until it is accepted', async () => {
  const server = await serve(data);
  expect(stateIn(await clock('show'))).toBe('unconfirmed');
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect([stateIn(await clock('accept')), stateIn(await clock('show'))]).toEqual(['right', 'right']);
  const again = await clock('accept');
  expect([again.code, again.stdout, again.stderr]).toEqual([
    5,
    '',
    expect.stringContaining('there is nothing to accept'),
  ]);
  const { stdout } = await server.stop();
  expect(stdout).toMatch(/CLOCK: it is more than a day ahead of the newest data \(20/);
  expect(stdout).toContain(`countersign clock accept --data ${data}`);
  const next = await serve(data);
  expect(stateIn(await clock('show'))).toBe('right');
  expect((await next.stop()).stdout).not.toContain('CLOCK:');
});

test.each(['show', 'accept'])(
  'countersign clock %s without a server says to start it, and changes nothing',
  async (name) => {
    const { code, stdout, stderr } = await clock(name);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('no server uses this data directory');
    expect(stderr).toContain('start the server first');
  },
);
