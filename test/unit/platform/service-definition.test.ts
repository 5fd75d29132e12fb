import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import pino from 'pino';
import { Action } from '../../../src/platform/control/action.ts';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { withControl } from '../../../src/platform/service-definition.ts';

test('the background of a service performs actions for this user, and refuses unknown actions and wrong input', async () => {
  const directory = takeDataDirectory(mkdtempSync(join(tmpdir(), 'countersign-control-')));
  const double = new Action({
    name: 'double',
    input: Type.Object({ value: Type.Integer() }),
    output: Type.Integer(),
    run: async ({ factor }: { factor: number }, { value }) => factor * value,
  });
  const background = { tasks: [], metrics: [], actions: [double] };
  const log = pino({ level: 'silent' });
  const { control, tasks } = await withControl(background, directory, { factor: 2 }, log);
  expect(tasks).toEqual([]);
  const { stop } = control();
  const unix = join(directory.path, 'control.sock');
  const perform = async (name: string, input: unknown) => {
    const response = await fetch(`http://localhost/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
      unix,
    });
    return [response.status, await response.json()];
  };
  try {
    expect(statSync(unix).mode & 0o777).toBe(0o600);
    expect(await perform('double', { value: 21 })).toEqual([200, { result: 42 }]);
    expect(await perform('double', { value: 'x' })).toMatchObject([400, { exitCode: 2 }]);
    expect((await perform('halve', {}))[0]).toBe(404);
  } finally {
    await stop();
    directory.release();
    rmSync(directory.path, { recursive: true });
  }
});
