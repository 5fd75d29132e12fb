import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importActions } from '../../../../src/staffing/imports/actions.ts';
import { importMetrics } from '../../../../src/staffing/imports/metrics.ts';
import { suppress } from '../../../../src/staffing/suppressions/suppress.ts';
import {
  madeUpRows,
  monthlyName,
  weeklyName,
  writeDeactivated,
  writePublished,
} from '../../../support/published-files.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';

let app: StaffingApp;
let files: string;
beforeEach(async () => {
  app = await openStaffingApp();
  files = mkdtempSync(join(tmpdir(), 'countersign-files-'));
});
afterEach(async () => {
  await app.close();
  rmSync(files, { recursive: true });
});

/** Performs an action as the control socket does. */
async function act(name: string, input: object): Promise<Record<string, unknown>> {
  const action = importActions.find((known) => known.name === name);
  return Object(await action?.handle(app.service.staffing, input));
}
const NOTHING = {
  npi: null,
  taxonomy: null,
  deactivated: null,
  groupings: null,
  weekly: false,
  as_of: null,
  force: false,
};
/** Imports in a Worker and returns the report. */
async function load(input: Partial<Record<keyof typeof NOTHING, unknown>>): Promise<Record<string, unknown>> {
  const { id } = await act('import.start', { ...NOTHING, ...input });
  await app.service.staffing.importer.idle();
  return Object((await act('import.status', { id })).report);
}
const monthly = (rows: number, last = '2026-03-08'): string =>
  writePublished(files, monthlyName(last), madeUpRows(rows));
const registry = async (): Promise<unknown> => (await app.own.get('/me')).body.registry;
const found = async (npi: unknown): Promise<number> => (await app.own.get(`/clinicians/${npi}`)).status;

describe('an import in the service', () => {
  test('runs in a Worker, and requests are served from the new registry at its end', async () => {
    const npi = monthly(3000);
    const { id, running } = await act('import.start', { ...NOTHING, npi });
    expect(running).toBe(true);
    await expect(act('import.start', { ...NOTHING, npi })).rejects.toThrow(/an import is running/);
    expect(await act('registry.status', {})).toMatchObject({ running: { id } });
    expect(await registry()).toMatchObject({ as_of: '2026-01-01' });
    await app.service.staffing.importer.idle();
    expect(await act('import.status', { id })).toMatchObject({ running: false, report: { outcome: 'done' } });
    expect(await registry()).toEqual({ as_of: '2026-03-08', records: 3000, sample: true });
  });

  test('reports a problem of its Worker with what to do', async () => {
    const npi = join(files, monthlyName('2026-03-08'));
    writeFileSync(npi, 'NPI,Name\n1,2\n');
    expect(await load({ npi })).toMatchObject({ outcome: 'failed', hint: expect.any(String) });
    expect(await load({ npi: writePublished(files, 'nameless.csv', madeUpRows(2)) })).toMatchObject({
      outcome: 'refused',
      hint: expect.stringContaining('--as-of'),
    });
    expect(await registry()).toMatchObject({ as_of: '2026-01-01' });
  });

  test('is cancelled by its id', async () => {
    const { id } = await act('import.start', { ...NOTHING, npi: monthly(30_000) });
    await act('import.cancel', { id: 'another' });
    await act('import.cancel', { id });
    await app.service.staffing.importer.idle();
    expect(await act('import.status', { id })).toMatchObject({ report: { outcome: 'cancelled' } });
    await expect(act('import.status', { id: 'another' })).rejects.toThrow(/another import was started/);
  });

  test('leaves out whom the administrator suppresses while it runs', async () => {
    const rows = [...madeUpRows(5000)];
    const npi = writePublished(files, monthlyName('2026-03-08'), rows);
    const hidden = String(rows[4999]?.NPI);
    const { id } = await act('import.start', { ...NOTHING, npi });
    await suppress(app.service.staffing, hidden, 'asked for it');
    await app.service.staffing.importer.idle();
    expect(await act('import.status', { id })).toMatchObject({ report: { outcome: 'done', records: 4999 } });
    expect([await found(hidden), await found(rows[0]?.NPI)]).toEqual([404, 200]);
  });

  test('changes the served file by a weekly file and a report of deactivations, and is rolled back', async () => {
    await load({ npi: monthly(300) });
    await load({ npi: monthly(310, '2026-04-12') });
    const rows = [...madeUpRows(330)];
    const weekly = writePublished(files, weeklyName('2026-04-13', '2026-04-19'), rows.slice(310));
    expect(await load({ npi: weekly })).toMatchObject({ added: 20 });
    expect(await found(rows[329]?.NPI)).toBe(200);
    const deactivated = writeDeactivated(files, '2026-04-20', [[Number(rows[5]?.NPI), '2026-04-01']]);
    expect(await load({ deactivated })).toMatchObject({ removed: 1 });
    expect(await found(rows[5]?.NPI)).toBe(404);
    const { id } = await act('registry.rollback', {});
    await app.service.staffing.importer.idle();
    expect(await act('import.status', { id })).toMatchObject({ report: { kind: 'rollback', records: 299 } });
    expect([await found(rows[329]?.NPI), await found(rows[5]?.NPI)]).toEqual([404, 404]);
  });
});

test('the commands list files with their state', async () => {
  await load({ npi: monthly(30) });
  writeFileSync(join(app.service.staffing.registryPath, '2020-01-01-copy.db'), 'no registry');
  expect(await act('registry.list', {})).toEqual({
    files: [
      {
        name: expect.stringContaining('2026-03-08-'),
        state: 'current',
        as_of: '2026-03-08',
        records: 30,
        sample: true,
        bytes: expect.any(Number),
      },
      expect.objectContaining({ state: 'former', as_of: '2026-01-01' }),
      { name: '2020-01-01-copy.db', state: 'other', as_of: null, records: null, sample: null, bytes: 11 },
    ],
  });
  expect(await act('registry.status', {})).toMatchObject({
    current: { as_of: '2026-03-08' },
    former: { as_of: '2026-01-01' },
    running: null,
    last_import: { outcome: 'done' },
  });
});

test('the metrics have the age of the registry, whether an import runs, and how imports ended', async () => {
  const { staffing } = app.service;
  const clock = { now: () => Date.parse('2026-03-10T00:00:00Z') };
  const metrics = importMetrics({ ...staffing, clock });
  const read = async (name: string): Promise<unknown> =>
    metrics.find((metric) => metric.name === `countersign_registry_${name}`)?.read();
  await act('import.start', { ...NOTHING, npi: monthly(30) });
  expect(await read('import_running')).toEqual([{ labels: {}, value: 1 }]);
  await staffing.importer.idle();
  expect(await read('import_running')).toEqual([{ labels: {}, value: 0 }]);
  expect(await read('age_seconds')).toEqual([{ labels: {}, value: 2 * 86_400 }]);
  expect(await read('imports_total')).toEqual([{ labels: { kind: 'full', outcome: 'done' }, value: 1 }]);
});
