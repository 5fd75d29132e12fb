import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsIn } from '../../../../src/platform/store/migrations/integrity.ts';
import { changeRegistry, emptyLogOf } from '../../../../src/staffing/registry/amend/change-registry.ts';
import { amendRegistry } from '../../../../src/staffing/registry/amend.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS, recordOf } from '../../../support/registry.ts';
import { contentsOf, searches } from '../../../support/registry-contents.ts';

const FACTS = { at: '2026-03-09T00:00:00.000Z', kind: 'suppression' } as const;
const NPI = 2_000_000_002;
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-amend-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const build = (records: Parameters<typeof buildRegistry>[1]): string =>
  join(directory, buildRegistry(directory, records, OPTIONS).name);

describe('a change of a registry file that is ended', () => {
  test.each(['weekly', 'suppression'])(
    'by kill -9 leaves the old or the new state (%s)',
    async (mode) => {
      const source = build(madeUpClinicians(2000, 5));
      const old = contentsOf(source);
      const program = join(import.meta.dir, '../../../support/amending-process.ts');
      const start = (path: string) =>
        Bun.spawn([process.execPath, program, path, mode, '6'], { stdout: 'pipe', stderr: 'inherit' });
      const changed = join(directory, `2026-03-01-${mode}whole.db`);
      copyFileSync(source, changed);
      const began = performance.now();
      expect(await start(changed).exited).toBe(0);
      const duration = performance.now() - began;
      const fresh = contentsOf(changed);
      expect(fresh.asOf).not.toBe(old.asOf);
      for (let round = 0; round < 12; round++) {
        const path = join(directory, `2026-03-01-${mode}${round}.db`);
        copyFileSync(source, path);
        const running = start(path);
        await running.stdout.getReader().read();
        await Bun.sleep((duration * round) / 12);
        running.kill('SIGKILL');
        await running.exited;
        const left = contentsOf(path);
        expect(left).toEqual(left.asOf === old.asOf ? old : fresh);
        const database = new Database(path);
        expect(problemsIn(database, 'full')).toEqual([]);
        database.close();
      }
    },
    180_000,
  );

  test('by a full disk leaves the old state', () => {
    const path = build(madeUpClinicians(500, 5));
    const before = [contentsOf(path), searches(path)];
    const pages = statSync(path).size / 4096;
    for (const more of [0, 3, 20, 60]) {
      expect(() =>
        changeRegistry(path, ({ sqlite }) => {
          sqlite.run(`PRAGMA max_page_count = ${pages + more}`);
          const insert = sqlite.query('INSERT INTO change VALUES (?, 1, 0)');
          sqlite.run("UPDATE registry SET as_of = '2026-03-08', state = state + 1");
          for (let sequence = 10; sequence < 200_000; sequence++) insert.run(sequence);
        }),
      ).toThrow('full');
    }
    expect([contentsOf(path), searches(path)]).toEqual(before);
  });
});

describe('a clinician who is removed', () => {
  const person = recordOf({
    npi: NPI,
    lastName: 'QUAVERLEY-ZYXOMBE',
    formerNames: ['WIXLEHURST'],
    firstName: 'ZEPHYRINKA',
    city: 'HOUSTON',
    state: 'TX',
  });
  const traces = (path: string): string[] => {
    const bytes = Buffer.concat(
      ['', '-wal'].map((end) =>
        statSync(path + end, { throwIfNoEntry: false }) ? readFileSync(path + end) : Buffer.alloc(0),
      ),
    );
    // First names have lists of their beginnings, up to eight letters, and lists are of nobody.
    return ['QUAVERLEY', 'ZYXOMBE', 'WIXLEHURST', 'ZEPHYRINKA', String(NPI)].filter((text) =>
      bytes.includes(text),
    );
  };

  test('leaves nothing in the file or its log that names them, in any version', () => {
    const path = build([...madeUpClinicians(3000, 5), person]);
    expect(traces(path).length).toBe(5);
    amendRegistry(path, { put: [{ ...person, city: 'AUSTIN' }], remove: [], ...FACTS });
    expect(traces(path).length).toBe(5);
    amendRegistry(path, { put: [], remove: [NPI], ...FACTS });
    expect(traces(path)).toEqual([]);
  });

  test('leaves nothing in the log after a reader that kept it, such as a backup, has ended', () => {
    const path = build([...madeUpClinicians(3000, 5), person]);
    const reader = new Database(path, { readonly: true });
    reader.run('BEGIN');
    reader.query('SELECT count(*) FROM entry').get();
    amendRegistry(path, { put: [{ ...person, city: 'AUSTIN' }], remove: [], ...FACTS });
    amendRegistry(path, { put: [], remove: [NPI], ...FACTS });
    emptyLogOf(path);
    expect(traces(path)).not.toEqual([]);
    reader.run('COMMIT');
    emptyLogOf(path);
    expect(traces(path)).toEqual([]);
    reader.close();
  });

  test('leaves nothing after updates of others either', () => {
    const path = build([...madeUpClinicians(3000, 5), person]);
    amendRegistry(path, { put: madeUpClinicians(1500, 7), remove: [], ...FACTS });
    amendRegistry(path, { put: [{ ...person, city: 'AUSTIN' }], remove: [], ...FACTS });
    amendRegistry(path, { put: madeUpClinicians(1200, 8), remove: [NPI], ...FACTS });
    expect(traces(path)).toEqual([]);
  });

  test('leaves no name with other removed ones around, in any order of removal', () => {
    const names = ['AAB', 'AAC', 'AAD', 'AAE', 'AAF', 'AAG'];
    const people = [...madeUpClinicians(6, 9)].map((record, index) => ({
      ...record,
      lastName: `${names[index]}XQ`,
      formerNames: [`${names[5 - index]}YQ`],
    }));
    const rest = [...madeUpClinicians(100, 5)].slice(6);
    const path = build([...people, ...rest]);
    for (const index of [3, 2, 4, 0, 5, 1]) {
      const { npi = 0 } = people[index] ?? {};
      amendRegistry(path, { put: [], remove: [npi], ...FACTS });
    }
    const bytes = readFileSync(path);
    for (const name of names) for (const end of ['XQ', 'YQ']) expect(bytes.includes(name + end)).toBe(false);
    expect(searches(path)).toEqual(searches(build(rest)));
  });
});
