import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { keyRow } from '../../../support/small-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-successor-copy-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the directory of a monitor that has read a log once. */
async function copyOf(log: FakeLog): Promise<string> {
  const state = join(directory, crypto.randomUUID());
  const listener = { say: () => undefined, progress: () => undefined };
  const monitor = new Monitor(state, log, [log.vkey], { now: () => log.now * 1000 }, listener);
  await monitor.round();
  monitor.close();
  return state;
}

/** Saves the keys of a log, as its service lists them. */
function keysOf(log: FakeLog): string {
  const { privateKey, algorithm, publicKey: public_key, kid } = log.logKeys.receipts;
  if (algorithm !== 'Ed25519') throw new Error('the first keys are classical ones');
  const keys = [keyRow({ privateKey, algorithm, public_key, kid }, 'receipts-log')];
  const file = join(directory, 'keys.json');
  writeFileSync(file, JSON.stringify({ keys, log: { origin: `${log.origin}/keys` } }));
  return file;
}

test('a checkpoint of a closed log is compared with a copy of the log that continues it', async () => {
  const log = new FakeLog();
  log.addTimedKeys();
  log.finalize(300);
  const keys = keysOf(log);
  const checkpoint = join(directory, 'checkpoint');
  writeFileSync(checkpoint, log.note('receipts', 280));
  /** What the program says of the checkpoint, and that verify.py says the same. */
  const against = async (next: FakeLog): Promise<unknown[]> => {
    const copy = await copyOf(next);
    let text = '';
    const write = async (more: string): Promise<void> => {
      text += more;
    };
    const output = { write, say: () => undefined };
    const isValid = await verify(checkpoint, { keys, log: copy }, output);
    const { checks, copy: compared } = JSON.parse(text);
    if (hasPython) {
      const python = runPython(checkpoint, '--keys', keys, '--log', copy);
      expect([python.code, JSON.parse(python.stdout).checks]).toEqual([isValid ? 0 : 1, checks]);
    }
    return [isValid, checks.copy, compared[0].continued_as];
  };
  const as = 'fake.example-2/receipts';
  expect(await against(log.restart('fake.example-2'))).toEqual([true, 'ok', as]);
  const lossy = log.restart('fake.example-2', ({ receipts }) => receipts.splice(270));
  lossy.finalize(20);
  expect(await against(lossy)).toEqual([false, 'lost', as]);
  for (const change of [
    (entries: FakeLog['entries']) => entries.receipts.splice(100, 1),
    (entries: FakeLog['entries']) => entries.receipts.splice(270),
    (entries: FakeLog['entries']) => entries.receipts.splice(200, 20),
  ]) {
    const rewritten = log.fork();
    change(rewritten.entries);
    expect(await against(rewritten.restart('fake.example-2'))).toEqual([false, 'forked', as]);
  }
  const copy = await copyOf(log.fork('other.example'));
  const output = { write: async () => undefined, say: () => undefined };
  await expect(verify(checkpoint, { keys, log: copy }, output)).rejects.toThrow(
    'is a copy of other.example/receipts, but the checkpoint is of fake.example/receipts',
  );
});
