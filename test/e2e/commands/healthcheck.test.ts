import { afterAll, expect, test } from 'bun:test';
import { run } from '../../support/process.ts';

const answers: Response[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => answers.shift() ?? new Response(null, { status: 404 }),
});
afterAll(() => server.stop(true));

/** Asks a server that gives this answer. */
function checkOf(answer: Response) {
  answers.push(answer);
  return run(['healthcheck', '--url', `http://127.0.0.1:${server.port}`]);
}

test('a healthcheck prints no control characters of a response', async () => {
  const hostile = { status: '\u001b]0;owned\u0007\u009b31m\u202e' };
  const shown = String.raw`{"status":"\u001b]0;owned\u0007\u009b31m\u202e"}`;
  const well = await checkOf(Response.json(hostile));
  expect([well.code, well.stdout]).toEqual([0, `${shown}\n`]);
  const degraded = await checkOf(Response.json(hostile, { status: 503 }));
  expect([degraded.code, degraded.stderr]).toEqual([
    1,
    expect.stringContaining(`returned status 503: ${shown}`),
  ]);
});

test('a healthcheck accepts the text of a witness', async () => {
  const { code, stdout } = await checkOf(new Response('healthy\n'));
  expect([code, stdout]).toEqual([0, 'healthy\n']);
});

test('a healthcheck accepts no other response, and prints none', async () => {
  const well = await checkOf(new Response('\u001b[2J'));
  expect([well.code, well.stdout, well.stderr]).toEqual([
    1,
    '',
    expect.stringContaining('does not return its health'),
  ]);
  const failing = await checkOf(new Response('\u001b[2J', { status: 502 }));
  expect([failing.code, failing.stderr]).toEqual([1, expect.stringMatching(/returned status 502$/m)]);
});

test('a healthcheck ends at 64 KiB, even of a compressed response, and follows no redirect', async () => {
  const packed = Bun.gzipSync(Buffer.alloc(32 * 2 ** 20, ' '));
  const large = await checkOf(new Response(packed, { headers: { 'content-encoding': 'gzip' } }));
  expect([large.code, large.stderr]).toEqual([1, expect.stringContaining('is larger than 64 KiB')]);
  const moved = await checkOf(Response.redirect(`http://127.0.0.1:${server.port}/elsewhere`, 302));
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('does not respond')]);
});
