import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Contexts } from '../../../../src/platform/client/contexts.ts';
import { CaptureServices } from '../../../../src/tools/capture/services.ts';
import type { SpoolTarget } from '../../../../src/tools/capture/spool/lines.ts';
import { scratch } from '../../../support/process.ts';

let place: ReturnType<typeof scratch>;
let key = '';
let before: string | undefined;
beforeEach(() => {
  place = scratch();
  before = process.env.XDG_CONFIG_HOME;
  process.env.XDG_CONFIG_HOME = place.path;
  key = join(place.path, 'key');
  writeFileSync(key, `pp_${'a'.repeat(64)}\n`, { mode: 0o600 });
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = before;
  place.dispose();
});

const open = (target: SpoolTarget, named: SpoolTarget | null = null) =>
  new CaptureServices(() => Promise.reject(new Error('not local')), named).open(target);

function logIn(account: string | null, url = 'https://trust.example'): SpoolTarget {
  new Contexts().write({ name: 'prod', url, service: 'trust', keyFile: key, account, operations: {} });
  return { kind: 'context', name: 'prod', url, account };
}

test('a session is sent with the key that its context has now, while the account is the same', async () => {
  const target = logIn('op_cus_1');
  await open(target);
  logIn('op_cus_1');
  await open(target);
});

test.each([
  ['op_cus_1', 'op_cus_2', 'the context prod is of op_cus_2, and the receipts are for op_cus_1'],
  ['op_cus_1', null, 'the context prod is of an account that its key may not read'],
  [null, 'op_cus_2', 'the receipts are for an account that its key may not read'],
])('what was recorded for %s is not sent as %s', async (recorded, now, message) => {
  const target = logIn(recorded);
  logIn(now);
  await expect(open(target)).rejects.toThrow(message);
});

test('the key file that a session names is used only where the user names it, too', async () => {
  const target: SpoolTarget = { kind: 'url', url: 'http://127.0.0.1:9', key_file: key };
  await expect(open(target)).rejects.toThrow(/which nobody named now/);
  await expect(open(target, { ...target, url: 'http://127.0.0.1:10' })).rejects.toThrow(/nobody named/);
  await expect(open(target, { ...target, key_file: null })).rejects.toThrow(/nobody named/);
  await open(target, target);
});
