import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { RateLimiter } from '../../../src/platform/http/request/rate-limits.ts';
import { loadModules } from '../../../src/platform/module.ts';
import { HealthMonitor } from '../../../src/platform/monitoring/health.ts';
import { noopRecorder } from '../../../src/platform/monitoring/recorder.ts';
import { Overloaded, StorageUnavailable } from '../../../src/platform/store/errors.ts';
import { formatVerifierKey } from '../../../src/proof/log/note.ts';
import { createWitnessApp } from '../../../src/witness/app.ts';
import { checkpointRoutes } from '../../../src/witness/checkpoints/routes.ts';
import type { WitnessModule } from '../../../src/witness/module.ts';
import { witnessModules } from '../../../src/witness/modules.ts';
import { healthOf, openWitness } from '../../../src/witness/service.ts';
import { SmallLog } from '../../support/witness.ts';
import { newNoteSigner } from '../../unit/proof/log/signed-notes.ts';

let directory: string;
let data: string;
const log = new SmallLog('log.example');
const quiet = pino({ level: 'silent' });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-witness-start-'));
  data = join(directory, 'data');
  writeFileSync(join(directory, 'logs'), `${log.policyLines}quorum none\n`);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Opens a witness, and closes it when `use` is done with it. */
async function opened<T>(
  settings: Record<string, string>,
  use: (service: Awaited<ReturnType<typeof openWitness>>) => T | Promise<T>,
): Promise<T> {
  const held = takeDataDirectory(data);
  try {
    const config = new Map(Object.entries({ logs: join(directory, 'logs'), ...settings }));
    const service = await openWitness(held, config, quiet);
    try {
      return await use(service);
    } finally {
      await service.close();
    }
  } finally {
    held.release();
  }
}

const MODULES: readonly WitnessModule[] = witnessModules;
const nothing = (): void => undefined;

describe('a witness starts', () => {
  test('with a name and keys that do not change', async () => {
    const first = await opened({ name: 'w.example' }, ({ vkeys }) => vkeys);
    expect(first.map((vkey) => vkey.split('+')[0])).toEqual(['w.example', 'w.example']);
    expect(await opened({}, ({ vkeys }) => vkeys)).toEqual(first);
    expect(await opened({ name: 'w.example' }, ({ vkeys }) => vkeys)).toEqual(first);
    expect(readdirSync(join(data, 'keys'))).toHaveLength(2);
  });

  test('again with the record of what it has signed', async () => {
    const add = (from: number, to: number) =>
      opened({ name: 'w.example' }, async (service) => {
        const { fetch } = service.app();
        const body = log.submission(from, to);
        const response = await fetch(new Request('http://w/add-checkpoint', { method: 'POST', body }));
        return response.status;
      });
    expect([await add(0, 5), await add(0, 5), await add(5, 9), await add(5, 9)]).toEqual([
      200, 409, 200, 409,
    ]);
  });

  const many = Array.from({ length: 33 }, () => newNoteSigner('log.example', 'ed25519').key);
  const long = newNoteSigner('l'.repeat(256), 'ed25519').key;
  test.each([
    ['without a name', {}, null, /setting name is missing/],
    ['without logs', { name: 'w', logs: '' }, null, /cannot be read/],
    ['with an empty policy', { name: 'w' }, 'quorum none\n', /names no log/],
    ['with a policy that is none', { name: 'w' }, 'log x\n', /logs, line 1: /],
    [
      'with a name of a log that is too long',
      { name: 'w' },
      `log ${formatVerifierKey(long)}\nquorum none\n`,
      /longer than 255 bytes/,
    ],
    [
      'with too many keys of a log',
      { name: 'w' },
      `${many.map((key) => `log ${formatVerifierKey(key)}\n`).join('')}quorum none\n`,
      /more than 32 keys/,
    ],
  ])('not %s', async (_name, settings, policy, said) => {
    if (policy !== null) writeFileSync(join(directory, 'logs'), policy);
    const opening = opened(settings, nothing);
    await expect(opening).rejects.toThrow(said);
    await expect(opening).rejects.toMatchObject({ exitCode: 2 });
  });

  test('not without a file of logs', async () => {
    const held = takeDataDirectory(data);
    await expect(openWitness(held, new Map([['name', 'w']]), quiet)).rejects.toThrow(
      'the setting logs is missing',
    );
    held.release();
  });

  test('not under another name, without its keys, and without its database', async () => {
    await opened({ name: 'w.example' }, nothing);
    await expect(opened({ name: 'other' }, nothing)).rejects.toThrow(/is called w\.example/);
    const [key = ''] = readdirSync(join(data, 'keys'));
    rmSync(join(data, 'keys', key));
    await expect(opened({}, nothing)).rejects.toThrow(/is missing/);
    rmSync(join(data, 'witness.db'));
    await expect(opened({ name: 'w.example' }, nothing)).rejects.toThrow(/witness.db is missing/);
  });

  test('not in the data directory of a service', async () => {
    takeDataDirectory(data).release();
    writeFileSync(join(data, 'trust.db'), '');
    await expect(opened({ name: 'w.example' }, nothing)).rejects.toThrow(/belongs to another service/);
  });
});

test('two capabilities of a witness with one path are refused with the names of both', async () => {
  const twin = async () => ({ server: { routes: checkpointRoutes } });
  const modules: WitnessModule[] = [...witnessModules, { name: 'twin', server: twin }];
  const held = takeDataDirectory(data);
  const config = new Map(Object.entries({ logs: join(directory, 'logs'), name: 'w.example' }));
  const service = await openWitness(held, config, quiet, { modules });
  expect(() => service.app()).toThrow(
    'the modules checkpoints and twin both have the route POST /add-checkpoint',
  );
  await service.close();
  held.release();
});

test.each([
  [
    'a full disk',
    new StorageUnavailable('full'),
    503,
    'the database could not be written; nothing was cosigned\n',
  ],
  ['too many writes', new Overloaded('many'), 503, 'too many writes are waiting; try again\n'],
  ['anything else', new Error('else'), 500, 'unexpected failure\n'],
])('a witness whose store fails for %s says so', async (_what, error, status, text) => {
  await opened({ name: 'w.example' }, async ({ witness }) => {
    const failing = {
      ...witness.store,
      writeAsService: () => Promise.reject(error),
      healthy: async () => false,
    };
    const health = new HealthMonitor(
      () => healthOf(failing, witness.clockWatch),
      () => undefined,
    );
    await health.refresh();
    const app = createWitnessApp({
      witness: { ...witness, store: failing, health },
      config: new Map(),
      modules: await loadModules(MODULES),
      limits: new RateLimiter({ on: false, trustedProxies: new BlockList() }),
      recorder: noopRecorder,
    });
    const response = await app.fetch(
      new Request('http://w/add-checkpoint', { method: 'POST', body: log.submission(0, 3) }),
    );
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect((await app.fetch(new Request('http://w/health'))).status).toBe(503);
  });
});
