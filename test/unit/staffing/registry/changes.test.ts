import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CHANGE } from '../../../../db/staffing/registry/schema.ts';
import { type Amendment, amendRegistry } from '../../../../src/staffing/registry/amend.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import { completeFullImport, takeBack } from '../../../../src/staffing/registry/changes.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS } from '../../../support/registry.ts';
import { changesAfter, recordsOf, replay, revisionsOf } from '../../../support/registry-contents.ts';

const AT = '2026-03-09T00:00:00.000Z';
const KNOWN = [...madeUpClinicians(60, 5)];
const OTHERS = [...madeUpClinicians(66, 6)];
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-changes-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Options = Partial<typeof OPTIONS> & { previous?: string };

const build = (records: Iterable<ClinicianRecord>, options: Options = {}): string =>
  join(directory, buildRegistry(directory, records, { ...OPTIONS, at: AT, ...options }).name);
const amend = (path: string, some: Partial<Amendment>) =>
  amendRegistry(path, { put: [], remove: [], at: AT, kind: 'weekly', ...some });
const npisOf = (numbers: readonly number[]): number[] =>
  numbers.flatMap((number) => OTHERS[number]?.npi ?? []);
const some = fc.uniqueArray(fc.nat(65), { maxLength: 12 });

describe('the changes of a registry, made to an old copy, give the new registry', () => {
  test('over full imports, weekly files, suppressions that begin and end during an import, and rollbacks', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('weekly' as const), put: some, remove: some }),
      fc.record({ kind: fc.constant('suppression' as const), remove: some }),
      fc.record({
        kind: fc.constant('full' as const),
        from: some,
        during: some,
        remove: some,
        ended: some,
        restored: some,
      }),
      fc.record({ kind: fc.constant('rollback' as const), remove: some }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), fc.nat(4), (steps, copiedAt) => {
        let path = build(KNOWN);
        let former: string | null = null;
        let copy = recordsOf(path);
        let since = changesAfter(path, 0).last;
        for (const [index, step] of steps.entries()) {
          if (index === copiedAt) {
            copy = recordsOf(path);
            since = changesAfter(path, 0).last;
          }
          if (step.kind === 'weekly') {
            amend(path, { put: step.put.flatMap((one) => OTHERS[one] ?? []), remove: npisOf(step.remove) });
          } else if (step.kind === 'suppression') {
            amend(path, { remove: npisOf(step.remove), kind: 'suppression' });
          } else if (step.kind === 'full') {
            const records = OTHERS.flatMap((record, number) => {
              const one = step.from.includes(number) ? record : KNOWN[number];
              return one === undefined ? [] : [{ number, record: one }];
            });
            const isHeld = (number: number): boolean => step.ended.includes(number);
            const recordsFor = (isWanted: (number: number) => boolean): ClinicianRecord[] =>
              records.flatMap(({ number, record }) => (isWanted(number) ? [record] : []));
            const next = build(
              recordsFor((number) => !isHeld(number)),
              { previous: path },
            );
            amend(path, { remove: npisOf(step.during), kind: 'suppression' });
            const restored = step.ended.filter((number) => step.restored.includes(number));
            amend(path, { put: restored.flatMap((number) => KNOWN[number] ?? []), kind: 'suppression' });
            const hidden = new Set([...step.during, ...step.remove]);
            const done = completeFullImport(next, path, {
              put: recordsFor((number) => isHeld(number) && !hidden.has(number)),
              remove: npisOf([...hidden]),
              at: AT,
            });
            expect(done).toEqual({
              added: recordsFor((number) => isHeld(number) && !hidden.has(number)).length,
              removed: recordsFor((number) => !isHeld(number) && hidden.has(number)).length,
            });
            former = path;
            path = next;
          } else if (former !== null) {
            amend(former, { remove: npisOf(step.remove), kind: 'suppression' });
            takeBack(former, path, AT);
            [former, path] = [path, former];
          }
        }
        expect(replay(copy, changesAfter(path, since).changes, path)).toEqual(recordsOf(path));
      }),
      { numRuns: 40 },
    );
  }, 180_000);
});

test('a full import changes those who differ, once each, and keeps the history', () => {
  const previous = build(KNOWN);
  amend(previous, { remove: [KNOWN[0]?.npi ?? 0], kind: 'suppression' });
  const since = changesAfter(previous, 0).last;
  const path = build([...KNOWN.slice(2), ...OTHERS.slice(60)], { previous });
  expect(revisionsOf(path)).toEqual(['full', 'suppression', 'full']);
  const { changes } = changesAfter(path, since);
  const wanted = [
    { npi: KNOWN[1]?.npi ?? 0, kind: CHANGE.removed },
    ...OTHERS.slice(60).map(({ npi }) => ({ npi, kind: CHANGE.added })),
  ];
  expect(changes).toEqual(wanted.toSorted((left, right) => left.npi - right.npi));
  expect(changesAfter(path, 0).changes[0]).toEqual({ npi: KNOWN[0]?.npi ?? 0, kind: CHANGE.removed });
});

test('from a sample to real data the history begins anew, after the numbers of the sample', () => {
  const previous = build(KNOWN, { sample: true });
  amend(previous, { remove: [KNOWN[0]?.npi ?? 0] });
  const path = build(OTHERS, { previous });
  const last = changesAfter(previous, 0).last;
  amend(previous, { remove: [KNOWN[1]?.npi ?? 0], kind: 'suppression' });
  expect(completeFullImport(path, previous, { put: [], remove: [OTHERS[0]?.npi ?? 0], at: AT })).toEqual({
    added: 0,
    removed: 1,
  });
  expect(revisionsOf(path)).toEqual(['full']);
  expect(changesAfter(path, 0).changes).toEqual([]);
  expect(changesAfter(path, 0).last).toBeGreaterThan(last);
  const newest = changesAfter(path, 0).last;
  expect(takeBack(previous, path, AT)).toBe(0);
  expect(revisionsOf(previous)).toEqual(['rollback']);
  expect(changesAfter(previous, 0)).toEqual({ changes: [], last: newest + 1 });
});

test('more changes during an import than numbers were reserved for it are not lost', () => {
  const previous = build(KNOWN);
  const copy = recordsOf(previous);
  const since = changesAfter(previous, 0).last;
  const path = build(OTHERS, { previous });
  const database = new Database(previous);
  database.run(
    `INSERT INTO revision SELECT max(first) + 5000000, '${AT}', '2026-03-01', 'weekly' FROM revision`,
  );
  database.close();
  amend(previous, { remove: [KNOWN[1]?.npi ?? 0], kind: 'suppression' });
  completeFullImport(path, previous, { put: [], remove: [KNOWN[1]?.npi ?? 0], at: AT });
  expect(revisionsOf(path)).toEqual(['full', 'weekly', 'suppression', 'full']);
  expect(replay(copy, changesAfter(path, since).changes, path)).toEqual(recordsOf(path));
});

test('changes are kept for 400 days, and the newest in any case', () => {
  const previous = build(KNOWN, { at: '2024-01-01T00:00:00.000Z' });
  amend(previous, { remove: [KNOWN[0]?.npi ?? 0], at: '2024-06-01T00:00:00.000Z' });
  amend(previous, { remove: [KNOWN[1]?.npi ?? 0], at: '2025-03-01T00:00:00.000Z' });
  expect(revisionsOf(previous)).toEqual(['weekly', 'weekly']);
  expect(changesAfter(previous, 0).changes.length).toBe(2);
  const path = build(KNOWN.slice(2), { previous });
  expect(revisionsOf(path)).toEqual(['weekly', 'full']);
  expect(changesAfter(path, 0).changes.map(({ npi }) => npi)).toEqual([KNOWN[1]?.npi ?? 0]);
  const late = build(KNOWN.slice(2), { previous: path, at: '2030-01-01T00:00:00.000Z' });
  expect(revisionsOf(late)).toEqual(['full', 'full']);
});
