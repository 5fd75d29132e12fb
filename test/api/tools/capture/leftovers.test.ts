import { afterEach, beforeEach, expect, test } from 'bun:test';
import { sendLeftovers } from '../../../../src/tools/capture/sending/leftovers.ts';
import { type Captured, callNumber, headerFor, openCaptured, SUCCESS } from '../../../support/captured.ts';

let captured: Captured;
beforeEach(async () => {
  captured = await openCaptured();
});
afterEach(() => captured.close());

test('what the next session finds is sent for its own service only', async () => {
  captured.away();
  const first = captured.session();
  await first.begin(callNumber(1)).recorded;
  await first.close(0);
  const elsewhere = captured.session({
    header: { target: { kind: 'url', url: 'http://127.0.0.1:9', key_file: null } },
  });
  await elsewhere.begin(callNumber(2)).recorded;
  await elsewhere.close(0);
  captured.back();
  const next = captured.session();
  const call = next.begin(callNumber(3));
  expect(await call.recorded).toBe('issued');
  call.end(SUCCESS);
  while (captured.directory.names().length > 2) await Bun.sleep(10);
  await next.close(5000);
  const scopes = (await captured.receipts()).map(({ authority_scope }) => authority_scope);
  expect(scopes).toContain('mcp:files:read_1');
  expect(scopes).not.toContain('mcp:files:read_2');
});

test('sessions for other services are neither locked nor read whole, and let other work go on', async () => {
  for (let count = 0; count < 50; count += 1) {
    captured.directory.create(headerFor('http://127.0.0.1:9')).write(() => [{ type: 'closed' }]);
  }
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const { target } = headerFor(captured.url);
  // The sessions are locked by this process: to lock one would take longer, and to open it would fail.
  expect(await sendLeftovers(captured, { target, signal: new AbortController().signal })).toEqual([]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});
