import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CHANGE } from '../../../../db/staffing/registry/schema.ts';
import { problemsIn } from '../../../../src/platform/store/migrations/integrity.ts';
import { type Amendment, amendRegistry, readEntries } from '../../../../src/staffing/registry/amend.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS, recordOf } from '../../../support/registry.ts';
import {
  type Contents,
  changesAfter,
  contentsOf,
  recordsOf,
  replay,
  searches,
} from '../../../support/registry-contents.ts';

const NPI = 2_000_000_002;
const WEEKLY = { at: '2026-03-09T00:00:00.000Z', kind: 'weekly' } as const;
const NOTHING = { put: [], remove: [] };
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-amend-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const build = (records: Iterable<ClinicianRecord>): string =>
  join(directory, buildRegistry(directory, records, OPTIONS).name);
const amend = (path: string, some: Partial<Amendment>) =>
  amendRegistry(path, { ...NOTHING, ...WEEKLY, ...some });

/** What a file returns, with what it says of itself. */
const contentsAndSearches = (path: string): { contents: Contents; searches: unknown } => ({
  contents: contentsOf(path),
  searches: searches(path),
});

const KNOWN = [...madeUpClinicians(300, 5)];
const OTHERS = [...madeUpClinicians(330, 6)];
const STEPS = fc.array(
  fc.oneof(
    fc.record({ put: fc.uniqueArray(fc.nat(329), { maxLength: 40 }), remove: fc.constant([]) }),
    fc.record({
      put: fc.uniqueArray(fc.nat(329), { maxLength: 20 }),
      remove: fc.uniqueArray(fc.nat(329), { maxLength: 20 }),
    }),
    fc.record({ put: fc.constant([]), remove: fc.uniqueArray(fc.nat(329), { maxLength: 60 }) }),
    fc.record({ undo: fc.nat(1000) }),
  ),
  { minLength: 1, maxLength: 6 },
);

test('a registry that was amended any number of times returns what one returns that was built of the same clinicians', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const wanted = new Map(KNOWN.map((record) => [record.npi, record]));
      const gone: ClinicianRecord[] = [];
      const path = build(KNOWN);
      const old = recordsOf(path);
      const since = changesAfter(path, 0).last;
      for (const [index, step] of steps.entries()) {
        if ('undo' in step) {
          const record = gone[step.undo % Math.max(gone.length, 1)];
          if (record === undefined || wanted.has(record.npi)) continue;
          const [entry] = readEntries(build([record]), [record.npi]);
          amend(path, { putBack: entry === undefined ? [] : [entry], kind: 'suppression' });
          wanted.set(record.npi, record);
          continue;
        }
        const put = step.put.flatMap((number) => (index % 2 === 0 ? OTHERS : KNOWN)[number] ?? []);
        const remove = step.remove.flatMap((number) => OTHERS[number]?.npi ?? []);
        const before = new Map(wanted);
        for (const record of put) wanted.set(record.npi, record);
        for (const npi of remove) {
          const record = wanted.get(npi);
          if (record !== undefined) gone.push(record);
          wanted.delete(npi);
        }
        const { added, changed, removed, unchanged } = amend(path, { put, remove });
        expect(added - removed).toBe(wanted.size - before.size);
        const kept = put.filter(({ npi }) => !remove.includes(npi));
        expect(added + changed + unchanged).toBe(kept.length);
      }
      expect(contentsAndSearches(path)).toEqual(contentsAndSearches(build(wanted.values())));
      expect(replay(old, changesAfter(path, since).changes, path)).toEqual(recordsOf(path));
    }),
    { numRuns: 40 },
  );
}, 180_000);

test('a record with an invalid field amends nothing, and is counted', () => {
  const path = build([recordOf({ npi: NPI, lastName: 'FIRST' })]);
  const before = contentsAndSearches(path);
  const put = [recordOf({ npi: NPI, enumeratedOn: '1/2/2020' }), recordOf({ npi: 12 })];
  expect(amend(path, { put })).toEqual({
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    refused: {
      count: 2,
      examples: [
        { npi: NPI, field: 'enumeratedOn' },
        { npi: 12, field: 'npi' },
      ],
    },
  });
  expect(contentsAndSearches(path)).toEqual(before);
  expect(problemsIn(new Database(path), 'full')).toEqual([]);
});

test('clinicians who were removed can be put back, to be found by every name as before', () => {
  const path = build(KNOWN.slice(0, 200));
  const before = contentsAndSearches(path);
  const npis = KNOWN.slice(0, 200).map(({ npi }) => npi);
  const entries = readEntries(path, [...npis, 1_000_000_004]);
  expect(entries.length).toBe(200);
  amend(path, { remove: npis.slice(0, 150) });
  expect(contentsAndSearches(path)).not.toEqual(before);
  expect(amend(path, { putBack: entries }).added).toBe(150);
  expect(contentsAndSearches(path)).toEqual(before);
});

test('an amendment that fails changes nothing', () => {
  const path = build([recordOf({ npi: NPI, lastName: 'FIRST' })]);
  const before = contentsAndSearches(path);
  const failing = function* () {
    yield recordOf({ npi: NPI, lastName: 'SECOND' });
    throw new Error('the source failed');
  };
  expect(() => amend(path, { put: failing() })).toThrow('the source failed');
  expect(contentsAndSearches(path)).toEqual(before);
});

test('a weekly file without changes gives the registry its date, and a removal of nobody changes nothing', () => {
  const path = build(KNOWN.slice(0, 10));
  const since = changesAfter(path, 0).last;
  expect(amend(path, { put: KNOWN.slice(0, 10), asOf: '2026-03-08' }).unchanged).toBe(10);
  expect(contentsOf(path).asOf).toBe('2026-03-08');
  expect(changesAfter(path, since)).toEqual({ changes: [], last: since + 1 });
  amend(path, { remove: [1_000_000_004], kind: 'suppression' });
  expect(changesAfter(path, since)).toEqual({ changes: [], last: since + 1 });
});

test('each clinician is changed once, however often an amendment names them', () => {
  const path = build([recordOf({ npi: NPI, lastName: 'FIRST' })]);
  const since = changesAfter(path, 0).last;
  const put = ['SECOND', 'THIRD'].map((lastName) => recordOf({ npi: NPI, lastName }));
  expect(amend(path, { put })).toMatchObject({ changed: 1, unchanged: 0 });
  expect(changesAfter(path, since).changes).toEqual([{ npi: NPI, kind: CHANGE.updated }]);
  expect(recordsOf(path).get(NPI)).toContain('THIRD');
  expect(amend(path, { put, remove: [NPI, NPI] })).toMatchObject({ changed: 0, removed: 1 });
  expect(recordsOf(path).size).toBe(0);
  expect(amend(path, { put, remove: [NPI] })).toMatchObject({ added: 0, removed: 0 });
});
