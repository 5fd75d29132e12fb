import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import { Cursors } from '../../../../src/platform/http/pagination/cursor.ts';
import { getClinician } from '../../../../src/staffing/clinicians/get.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import { currentRegistry, makeCurrent } from '../../../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../../../src/staffing/registry/handle.ts';
import type { Registry } from '../../../../src/staffing/registry/open.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import {
  OPTIONS,
  openTestRegistry,
  recordOf,
  refusalOf,
  type TestRegistry,
} from '../../../support/registry.ts';
import { eventually } from '../../../support/virtual-time.ts';

const NPI = 2_000_000_002;
let served: TestRegistry;
beforeEach(() => {
  served = openTestRegistry([recordOf({ npi: NPI, lastName: 'FIRST' })]);
});
afterEach(() => served.close());

const nameOf = async (): Promise<string> => (await getClinician(served, String(NPI))).last_name;

describe('a service without a registry', () => {
  test('searches nothing until there is one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-empty-'));
    const registry = new RegistryHandle(directory);
    expect(registry.reopen()).toBeNull();
    const clinicians = { registry, cursors: new Cursors(new Uint8Array(32)) };
    expect(currentRegistry(directory)).toBeNull();
    expect(await refusalOf(search(clinicians, {}))).toBe('REGISTRY_UNAVAILABLE');
    makeCurrent(directory, buildRegistry(directory, madeUpClinicians(3, 1), OPTIONS).name);
    expect(registry.reopen()).toBe(currentRegistry(directory));
    expect((await search(clinicians, {})).data.length).toBe(3);
    registry.close();
    expect(await refusalOf(search(clinicians, {}))).toBe('REGISTRY_UNAVAILABLE');
    registry.close();
    rmSync(directory, { recursive: true });
  });
});

describe('another registry beside the one that is served', () => {
  test('is served from the reopening on, and not before', async () => {
    const former = currentRegistry(served.directory);
    expect(served.registry.reopen()).toBe(former);
    const { name } = buildRegistry(served.directory, [recordOf({ npi: NPI, lastName: 'SECOND' })], OPTIONS);
    makeCurrent(served.directory, name);
    expect(await nameOf()).toBe('FIRST');
    expect(served.registry.reopen()).toBe(name);
    expect(await nameOf()).toBe('SECOND');
  });

  test('lets readers of the previous one finish, and then closes it', async () => {
    const { promise: swapped, resolve: swap } = Promise.withResolvers<void>();
    let former: Registry | undefined;
    const count = (registry: Registry) =>
      registry.connection.sqlite.query('SELECT name_key FROM entry').get();
    const reading = served.registry.read(async (registry) => {
      former = registry;
      await swapped;
      return count(registry);
    });
    served.swap([recordOf({ npi: NPI, lastName: 'SECOND' })]);
    expect(await nameOf()).toBe('SECOND');
    swap();
    expect(await reading).toEqual({ name_key: 'FIRST' });
    expect(() => former && count(former)).toThrow();
  });

  const unreadable: [string, (file: string) => void][] = [
    ['is not there', () => undefined],
    ['is no database', (file) => writeFileSync(file, 'not a database, however long this text is'.repeat(50))],
    ["is another program's", (file) => new Database(file).run('CREATE TABLE t (x)')],
    [
      'is of another format',
      (file) => new Database(file).exec(`PRAGMA application_id = ${0x43735267}; PRAGMA user_version = 99`),
    ],
    [
      'lacks its tables',
      (file) => new Database(file).exec(`PRAGMA application_id = ${0x43735267}; PRAGMA user_version = 1`),
    ],
  ];
  test.each(unreadable)('that %s is refused, and the former one stays', async (_, make) => {
    make(join(served.directory, '2026-04-01-abcdefgh.db'));
    makeCurrent(served.directory, '2026-04-01-abcdefgh.db');
    expect(() => served.registry.reopen()).toThrow(Failure);
    expect(await nameOf()).toBe('FIRST');
  });

  test.each(['', '../staffing.db', '/etc/passwd', '2026-04-01.db'])('cannot be %p', (name) => {
    makeCurrent(served.directory, name);
    expect(() => served.registry.reopen()).toThrow('names no registry file');
  });
});

describe('a registry that is kept warm', () => {
  test('is read to its end and mapped, even after another one is served', async () => {
    const heard: [name: string, isMapped: boolean][] = [];
    served.registry.onServe(({ path, isMapped }) => heard.push([basename(path), isMapped]));
    const failures: unknown[] = [];
    await served.registry.keepWarm((error) => failures.push(error));
    const former = currentRegistry(served.directory) ?? '';
    expect(served.registry.served).toEqual({ path: join(served.directory, former), isMapped: true });
    const name = served.swap([recordOf({ npi: NPI, lastName: 'SECOND' })]);
    await eventually(() => heard.length === 3);
    expect(heard).toEqual([
      [former, true],
      [name, false],
      [name, true],
    ]);
    expect(failures).toEqual([]);
    expect(await nameOf()).toBe('SECOND');
  });

  test('is served from its pages when it cannot be read ahead', async () => {
    rmSync(join(served.directory, currentRegistry(served.directory) ?? ''));
    const failures: unknown[] = [];
    await served.registry.keepWarm((error) => failures.push(error));
    expect(failures.length).toBe(1);
    expect(served.registry.served?.isMapped).toBe(false);
    expect(await nameOf()).toBe('FIRST');
  });

  test('is not opened anew when it has only changed', async () => {
    const heard: string[] = [];
    served.registry.onServe(({ path }) => heard.push(path));
    served.registry.reopen();
    expect(heard).toEqual([]);
  });
});

describe('the connection that serves a registry', () => {
  test('cannot write', () => {
    const write = served.registry.read(({ connection }) => connection.sqlite.run('DELETE FROM clinician'));
    expect(write).rejects.toThrow();
    expect(nameOf()).resolves.toBe('FIRST');
  });

  test('sees what a writer commits beside it', async () => {
    const writer = new Database(join(served.directory, currentRegistry(served.directory) ?? ''));
    writer.run('BEGIN IMMEDIATE');
    writer.run(`UPDATE entry SET head = replace(head, 'FIRST', 'CHANGED')`);
    expect(await nameOf()).toBe('FIRST');
    writer.run('COMMIT');
    writer.close();
    expect(await nameOf()).toBe('CHANGED');
  });

  test('says that a file that became unreadable cannot be read', async () => {
    served.swap(madeUpClinicians(2000, 1));
    const path = join(served.directory, currentRegistry(served.directory) ?? '');
    expect(existsSync(path)).toBe(true);
    const file = openSync(path, 'r+');
    for (let page = 1; page < 180; page++) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    expect(await refusalOf(search(served, { surname: 's' }))).toBe('REGISTRY_UNAVAILABLE');
  });
});
