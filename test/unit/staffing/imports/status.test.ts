import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeJournal } from '../../../../src/staffing/imports/journal.ts';
import { statusOfFiles } from '../../../../src/staffing/imports/status.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { openTestImports, type TestImports } from '../../../support/imports.ts';
import { writeDeactivated } from '../../../support/published-files.ts';

const clock = { now: () => Date.parse('2026-03-09T00:01:30.000Z') };

let imports: TestImports;
beforeEach(() => {
  imports = openTestImports();
});
afterEach(() => imports.close());

const status = (isLocked: boolean) =>
  statusOfFiles(dirname(imports.registry), 'staffing.db', isLocked, clock);

test('a directory without files has nothing, and nothing is written there', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'countersign-status-'));
  expect(await statusOfFiles(empty, 'staffing.db', false, clock)).toEqual({
    current: null,
    former: null,
    deactivations_as_of: null,
    running: null,
    last_import: null,
  });
  expect(readdirSync(empty)).toEqual([]);
  rmSync(empty, { recursive: true });
  expect(existsSync(empty)).toBe(false);
});

test('the files show the registries, the report of deactivations and the last import', async () => {
  const name = imports.publish(madeUpClinicians(40, 1));
  const npis = [...madeUpClinicians(1, 1)].map(({ npi }) => [npi, '2026-01-15'] as const);
  await imports.run({ deactivated: writeDeactivated(imports.files, '2026-03-09', npis) });
  expect(await status(true)).toMatchObject({
    current: { name, records: 39 },
    former: null,
    deactivations_as_of: '2026-03-09',
    running: null,
    last_import: { kind: 'deactivations', outcome: 'done' },
  });
});

test('an import in the journal runs only if a process has locked the directory', async () => {
  writeJournal(imports.registry, {
    kind: 'full',
    started_at: '2026-03-09T00:00:00.000Z',
    file: '/files/monthly.zip',
    removable: [],
    pending: null,
  });
  expect((await status(true)).running).toMatchObject({ running: true, seconds: 90 });
  expect((await status(false)).running).toBeNull();
});
