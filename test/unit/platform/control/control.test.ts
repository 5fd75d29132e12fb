import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import pino from 'pino';
import { Action } from '../../../../src/platform/control/action.ts';
import { connect, NotResponding, perform } from '../../../../src/platform/control/perform.ts';
import { openControl } from '../../../../src/platform/control/server.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { Failure } from '../../../../src/platform/failure.ts';

interface Counter {
  count: number;
}

const add = new Action({
  name: 'add',
  input: Type.Object({ by: Type.Integer() }),
  output: Type.Object({ count: Type.Integer() }),
  async run(counter: Counter, { by }) {
    if (by === 0) throw new Failure('nothing to add', 'add something');
    counter.count += by;
    return { count: counter.count };
  },
});
const unknown = new Action({ ...add.definition, name: 'unknown' });
/** As another version has it. */
const elsewhere = new Action({
  ...add.definition,
  output: Type.String(),
  run: async () => 'never',
});

const log = pino({ level: 'silent' });
let path: string;
const offline: Counter = { count: 0 };
let closed = 0;
const opening = {
  database: 'counter.db',
  open: async () => ({
    context: offline,
    close: async () => {
      closed += 1;
    },
  }),
};

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-control-'));
  writeFileSync(join(path, 'counter.db'), '');
  closed = 0;
});
afterEach(() => rmSync(path, { recursive: true }));

test('a service that does not open leaves its directory free', async () => {
  const broken = { database: 'counter.db', open: () => Promise.reject(new Failure('it is broken')) };
  await expect(perform(path, broken, add, { by: 1 })).rejects.toThrow('it is broken');
  const mended = { ...broken, open: async () => ({ context: { count: 0 }, close: async () => undefined }) };
  expect(await perform(path, mended, add, { by: 1 })).toEqual({ count: 1 });
});

test('an action runs in the server process if there is one, else in this process', async () => {
  expect(await perform(path, opening, add, { by: 2 })).toEqual({ count: 2 });
  expect(closed).toBe(1);
  const directory = takeDataDirectory(path);
  const serving: Counter = { count: 100 };
  const control = openControl(path, serving, [add], log);
  expect(await perform(path, opening, add, { by: 1 })).toEqual({ count: 101 });
  expect([serving.count, offline.count, closed]).toEqual([101, 2, 1]);
  await control.stop();
  directory.release();
});

test('an action that fails in the serving process fails here, with the same words', async () => {
  const directory = takeDataDirectory(path);
  const control = openControl(path, { count: 0 }, [add], log);
  const failed = async (act: Promise<unknown>): Promise<unknown> => act.catch((error: unknown) => error);
  expect(await failed(perform(path, opening, add, { by: 0 }))).toMatchObject({
    message: 'nothing to add',
    hint: 'add something',
  });
  expect(await failed(perform(path, opening, add, { by: 1.5 }))).toMatchObject({
    message: 'by must be integer',
    exitCode: 2,
  });
  expect(await failed(perform(path, opening, elsewhere, { by: 1 }))).toMatchObject({
    message: 'the running server and this command disagree about the action add',
  });
  expect(await failed(perform(path, opening, unknown, { by: 1 }))).toMatchObject({
    message: 'the running countersign does not know the action unknown',
  });
  await control.stop();
  expect(String(await failed(perform(path, opening, add, { by: 1 })))).toContain('does not respond');
  directory.release();
});

test('a command that serves some actions performs them for other processes, and refuses all others', async () => {
  const busy = new Failure('an import is running', 'wait until it has ended');
  const serving = await connect(path, { ...opening, served: { actions: [add], busy, log } });
  expect(serving.isRemote).toBe(false);
  const other = await connect(path, opening);
  expect(other.isRemote).toBe(true);
  const { count } = await other.perform(add, { by: 3 });
  expect(await serving.perform(add, { by: 1 })).toEqual({ count: count + 1 });
  await expect(other.perform(unknown, { by: 1 })).rejects.toMatchObject(busy);
  await serving.close();
  expect(closed).toBe(1);
  await expect(other.perform(add, { by: 1 })).rejects.toBeInstanceOf(NotResponding);
  expect((await connect(path, opening)).isRemote).toBe(false);
});

test('a service whose check accepts a new directory is opened there; one that is refused writes nothing', async () => {
  const fresh = join(path, 'fresh');
  const refusing = {
    ...opening,
    check: () => {
      throw new Failure('it belongs to another service');
    },
  };
  await expect(connect(fresh, refusing)).rejects.toThrow('it belongs to another service');
  expect(existsSync(fresh)).toBe(false);
  const connection = await connect(fresh, { ...opening, check: () => undefined });
  expect([connection.isRemote, existsSync(fresh)]).toEqual([false, true]);
  await connection.close();
});

test('a control socket that a killed process left behind is replaced', async () => {
  writeFileSync(join(path, 'control.sock'), '');
  const directory = takeDataDirectory(path);
  const control = openControl(path, { count: 5 }, [add], log);
  expect(await perform(path, opening, add, { by: 1 })).toEqual({ count: 6 });
  await control.stop();
  directory.release();
});

test('an action on a directory without such a database makes nothing', async () => {
  const error = await perform(join(path, 'nowhere'), opening, add, { by: 1 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain('there is no counter.db in');
});
