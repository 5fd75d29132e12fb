import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListWriter } from '../../../../src/staffing/imports/deactivations.ts';
import { replaceCurrent } from '../../../../src/staffing/imports/swap.ts';
import { amendRegistry, readEntries } from '../../../../src/staffing/registry/amend.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import { SAMPLE } from '../../../../src/staffing/registry/sample/extent.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import {
  allSuppressed,
  applySuppressions,
  applySuppressionsToFormer,
  retrySuppressions,
} from '../../../../src/staffing/suppressions/apply-again.ts';
import { suppress } from '../../../../src/staffing/suppressions/suppress.ts';
import { undoSuppression } from '../../../../src/staffing/suppressions/undo.ts';
import { staffingAdministrator } from '../../../support/staffing-administrator.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';

const [ONE, TWO, THREE] = [...madeUpClinicians(3, SAMPLE.seed)];
const npiOf = (record: typeof ONE): string => String(record?.npi);

let app: StaffingApp;
let path: string;
beforeEach(async () => {
  app = await openStaffingApp();
  const { registryPath } = app.service.staffing;
  path = join(registryPath, currentRegistry(registryPath) ?? '');
});
afterEach(() => app.close());

const status = async (record: typeof ONE): Promise<number> =>
  (await app.own.get(`/clinicians/${npiOf(record)}`)).status;

describe('a suppression while something else changes the registry', () => {
  test('is stored at once, and changes the file after that', async () => {
    const { staffing } = app.service;
    const { promise, resolve } = Promise.withResolvers<void>();
    const other = staffing.registryLock.run(() => promise);
    const suppressing = suppress(staffing, npiOf(ONE), 'asked for it');
    while ((await allSuppressed(staffing)).length === 0) await Bun.sleep(1);
    expect(await status(ONE)).toBe(200);
    resolve();
    await other;
    expect(await suppressing).toEqual({ npi: npiOf(ONE), reason: 'asked for it', was_in_registry: true });
    expect(await status(ONE)).toBe(404);
  });

  test('and its end run in the order in which they came', async () => {
    const { staffing } = app.service;
    const [, ended] = await Promise.all([
      suppress(staffing, npiOf(ONE), 'asked for it'),
      suppress(staffing, npiOf(TWO), 'asked for it').then(() => undoSuppression(staffing, npiOf(TWO))),
    ]);
    expect(ended).toEqual({ npi: npiOf(TWO), restored: true });
    expect([await status(ONE), await status(TWO)]).toEqual([404, 200]);
  });
});

test('who was changed by weekly files, suppressed, and restored after another weekly file, is found as before', async () => {
  const { staffing } = app.service;
  const weekly = (put: Parameters<typeof amendRegistry>[1]['put']) =>
    amendRegistry(path, { put, remove: [], at: '2026-03-09T00:00:00.000Z', kind: 'weekly' });
  if (ONE === undefined || THREE === undefined) throw new Error('no clinicians');
  weekly([{ ...ONE, lastName: 'QUAVERLEY', formerNames: ['WIXLEHURST'] }]);
  staffing.registryChanged();
  const before = (await app.own.get('/clinicians/search?surname=wixlehurst&include_total=true')).body;
  expect(before.total).toBe(1);
  await suppress(staffing, npiOf(ONE), 'asked for it');
  expect((await app.own.get('/clinicians/search?surname=wixlehurst&include_total=true')).body.total).toBe(0);
  weekly([{ ...THREE, lastName: 'OTHER' }]);
  expect(await undoSuppression(staffing, npiOf(ONE))).toEqual({ npi: npiOf(ONE), restored: true });
  expect((await app.own.get('/clinicians/search?surname=wixlehurst&include_total=true')).body).toEqual(
    before,
  );
});

describe('who was deactivated while being suppressed', () => {
  const deactivate = async (deactivatedOn: string): Promise<void> => {
    const { store, clock } = app.service.staffing;
    const lists = new ListWriter({ store, clock });
    lists.addDeactivations('2026-03-09', [{ npi: Number(npiOf(ONE)), deactivatedOn }]);
    await lists.written();
    await lists.enforce();
  };

  test('is not found after the suppression ends', async () => {
    const { staffing } = app.service;
    await suppress(staffing, npiOf(ONE), 'asked for it');
    await deactivate('2026-03-01');
    expect(await undoSuppression(staffing, npiOf(ONE))).toEqual({ npi: npiOf(ONE), restored: false });
    expect(await status(ONE)).toBe(404);
    expect(await allSuppressed(staffing)).toEqual([]);
  });

  test('is found again after the suppression ends, if the NPI was reactivated later', async () => {
    const { staffing } = app.service;
    await suppress(staffing, npiOf(ONE), 'asked for it');
    await deactivate('2026-03-01');
    const lists = new ListWriter(staffing);
    lists.addReactivations([{ npi: Number(npiOf(ONE)), reactivatedOn: '2026-03-02' }]);
    await lists.written();
    expect(await undoSuppression(staffing, npiOf(ONE))).toEqual({ npi: npiOf(ONE), restored: true });
    expect(await status(ONE)).toBe(200);
  });
});

test('a start removes who was suppressed by a process that ended before it changed the file', async () => {
  const { staffing } = app.service;
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = staffing.registryLock.run(() => promise);
  void suppress(staffing, npiOf(TWO), 'asked for it');
  while ((await allSuppressed(staffing)).length === 0) await Bun.sleep(1);
  const { RegistryLock } = await import('../../../../src/staffing/registry/changes-lock.ts');
  await applySuppressions({ ...staffing, registryLock: new RegistryLock() });
  staffing.registryChanged();
  expect(await status(TWO)).toBe(404);
  resolve();
  await other;
  expect(await undoSuppression(staffing, npiOf(TWO))).toEqual({ npi: npiOf(TWO), restored: true });
  expect(await status(TWO)).toBe(200);
});

test('a suppression that could not change the registry says so, and changes it once that is possible', async () => {
  const { staffing } = app.service;
  const other = new Database(path);
  other.run('BEGIN IMMEDIATE');
  other.run("UPDATE registry SET as_of = '2026-01-02'");
  const asked = { npi: npiOf(ONE), reason: 'asked for it' };
  await expect(staffingAdministrator(app.service)('suppressClinician', asked)).rejects.toMatchObject({
    message: expect.stringMatching(/^the suppression was stored, but the clinician can still be found: /),
    hint: expect.stringMatching(/^solve the problem/),
  });
  expect([await status(ONE), await allSuppressed(staffing)]).toEqual([200, [Number(npiOf(ONE))]]);
  other.run('ROLLBACK');
  other.close();
  await retrySuppressions(staffing);
  expect([await status(ONE), staffing.unappliedSuppressions.size]).toEqual([404, 0]);
  expect(await undoSuppression(staffing, npiOf(ONE))).toEqual({ npi: npiOf(ONE), restored: true });
}, 180_000);

describe('the former registry, which is kept for a rollback', () => {
  const inFormer = (name: string, record: typeof ONE): boolean =>
    readEntries(join(app.service.staffing.registryPath, name), [Number(npiOf(record))]).length === 1;

  /** Makes a registry of the same clinicians the current one. @returns the name of the former one */
  async function replaceRegistry(): Promise<string> {
    const { staffing } = app.service;
    const { registryPath } = staffing;
    const former = currentRegistry(registryPath) ?? '';
    const { name } = buildRegistry(registryPath, madeUpClinicians(50, SAMPLE.seed), {
      asOf: '2026-03-08',
      sample: true,
      taxonomy: embeddedTaxonomy(),
      groupings: null,
      at: '2026-03-09T00:00:00.000Z',
    });
    await replaceCurrent(staffing, name);
    return former;
  }

  test('loses who is suppressed at once, and gets back whose suppression ends', async () => {
    const former = await replaceRegistry();
    const { staffing } = app.service;
    expect(inFormer(former, ONE)).toBe(true);
    await suppress(staffing, npiOf(ONE), 'asked for it');
    expect(inFormer(former, ONE)).toBe(false);
    const bytes = readFileSync(join(staffing.registryPath, former), 'latin1');
    expect(bytes.includes(`"npi":"${npiOf(ONE)}"`)).toBe(false);
    expect(await undoSuppression(staffing, npiOf(ONE))).toEqual({ npi: npiOf(ONE), restored: true });
    expect(inFormer(former, ONE)).toBe(true);
  });

  test('loses at the next start who was suppressed by a process that ended before it changed the file', async () => {
    const former = await replaceRegistry();
    const { staffing } = app.service;
    await suppress(staffing, npiOf(TWO), 'asked for it');
    if (TWO === undefined) throw new Error('no clinician');
    amendRegistry(join(staffing.registryPath, former), {
      put: [TWO],
      remove: [],
      at: '2026-03-09T00:00:00.000Z',
      kind: 'weekly',
    });
    await applySuppressionsToFormer(staffing);
    expect(inFormer(former, TWO)).toBe(false);
  });

  test('that is damaged is reported, and the current one loses the clinician nevertheless', async () => {
    const former = await replaceRegistry();
    const { staffing } = app.service;
    writeFileSync(join(staffing.registryPath, former), 'no registry');
    await expect(suppress(staffing, npiOf(ONE), 'asked for it')).rejects.toThrow(
      /cannot be read|not a registry/,
    );
    expect(await status(ONE)).toBe(404);
  });
});
