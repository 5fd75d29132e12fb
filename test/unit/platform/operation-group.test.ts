import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { Contexts } from '../../../src/platform/client/contexts.ts';
import { platformSettings } from '../../../src/platform/config/platform-settings.ts';
import { apiGroupOf } from '../../../src/platform/operation-group.ts';

let directory: string;
let former: string | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-group-'));
  former = process.env.XDG_CONFIG_HOME;
  process.env.XDG_CONFIG_HOME = directory;
});
afterEach(() => {
  if (former === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = former;
  rmSync(directory, { recursive: true });
});

test('a command stays with the target that it began with, whatever a login changes meanwhile', async () => {
  const contexts = new Contexts(join(directory, 'countersign'));
  const keyFile = join(directory, 'key');
  writeFileSync(keyFile, 'pp_0123456789\n', { mode: 0o600 });
  for (const name of ['first', 'second'])
    contexts.write({
      name,
      url: `https://${name}.example/`,
      service: 'trust',
      keyFile,
      account: null,
      operations: {},
    });
  contexts.use('first');
  const { data, allowSharedData, config } = platformSettings({
    port: 1,
    data: join(directory, 'data'),
    allowsMemory: true,
  });
  const service = {
    service: 'trust',
    database: 'trust.db',
    data,
    allowSharedData,
    config,
    settingsOf: () => [],
    load: () => Promise.reject(new Error('no data directory is meant')),
  } as const;
  const surroundings = { modules: async () => [], forHelp: false };
  const group = await apiGroupOf(new Command('notes'), surroundings, service);
  const called = new Command('list');
  const labels: string[] = [];
  const page = () => group.operations(called, async (_call, { label }) => void labels.push(label));
  await page();
  contexts.use('second');
  await page();
  expect(labels).toEqual(Array(2).fill('https://first.example (context first)'));
});
