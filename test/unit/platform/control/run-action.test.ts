import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Command } from 'commander';
import pino from 'pino';
import { addFlags } from '../../../../src/platform/config/command-line.ts';
import { platformSettings } from '../../../../src/platform/config/platform-settings.ts';
import { Action } from '../../../../src/platform/control/action.ts';
import { sessionRunner } from '../../../../src/platform/control/run-action.ts';
import { openControl } from '../../../../src/platform/control/server.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';

interface Counter {
  count: number;
}
const count = new Action({
  name: 'count',
  input: Type.Object({}),
  output: Type.Object({ count: Type.Integer() }),
  async run(counter: Counter) {
    counter.count += 1;
    return { count: counter.count };
  },
});
const { data, allowSharedData } = platformSettings({ port: 1, data: 'data', allowsMemory: false });
const events: string[] = [];
const run = sessionRunner(async () => [], {
  data,
  allowSharedData,
  settingsOf: () => [data],
  load: async () => ({
    actions: { count },
    opening: () => ({
      database: 'counter.db',
      async open() {
        events.push('opened');
        return { context: { count: 0 }, close: async () => void events.push('closed') };
      },
    }),
  }),
});

let path: string;
let command: Command;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'countersign-session-'));
  writeFileSync(join(path, 'counter.db'), '');
  events.length = 0;
  command = addFlags(new Command('count'), [data]).action(() => undefined);
  await command.parseAsync(['--data', path], { from: 'user' });
});
afterEach(() => rmSync(path, { recursive: true }));

test('the actions of a session work on one service, which is opened once', async () => {
  const last = await run(command, async ({ act, isRemote }) => {
    expect(isRemote).toBe(false);
    await act((actions) => actions.count, {});
    return act((actions) => actions.count, {});
  });
  expect(last).toEqual({ count: 2 });
  expect(events).toEqual(['opened', 'closed']);
});

test('the service of a session that fails is closed', async () => {
  const failing = run(command, () => Promise.reject(new Error('stopped by the user')));
  expect(failing).rejects.toThrow('stopped by the user');
  await failing.catch(() => undefined);
  expect(events).toEqual(['opened', 'closed']);
});

test('the server that holds the data directory performs the actions of a session', async () => {
  const directory = takeDataDirectory(path);
  const control = openControl(path, { count: 10 }, [count], pino({ level: 'silent' }));
  try {
    const last = await run(command, async ({ act, isRemote }) => {
      expect(isRemote).toBe(true);
      await act((actions) => actions.count, {});
      return act((actions) => actions.count, {});
    });
    expect(last).toEqual({ count: 12 });
    expect(events).toEqual([]);
  } finally {
    await control.stop();
    directory.release();
  }
});
