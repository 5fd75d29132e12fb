import { afterEach, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { operationAction } from '../../../../src/platform/control/operation.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../../../src/staffing/registry/current.ts';
import { SAMPLE } from '../../../../src/staffing/registry/sample/extent.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { staffingModules } from '../../../../src/staffing/service/modules.ts';
import { localStaffingOpening } from '../../../../src/staffing/service/open-local-app.ts';
import { openStaffingService } from '../../../../src/staffing/service/service.ts';
import { applySuppressions } from '../../../../src/staffing/suppressions/apply-again.ts';
import { client } from '../../../support/client.ts';
import { staffingAdministrator } from '../../../support/staffing-administrator.ts';
import { openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';

const log = pino({ level: 'silent' });
let app: StaffingApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** Returns the clinicians of the registry, as the metric of a service counts them. */
async function recordsIn({
  background,
}: Pick<Awaited<ReturnType<typeof openStaffingService>>, 'background'>) {
  const { metrics } = await background();
  const [sample] = (await metrics.find(({ name }) => name === 'countersign_registry_records')?.read()) ?? [];
  return sample?.value;
}

test('an administrator sees the active keys and the newest ten of each tier of a partner who made many, and revokes any', async () => {
  app = await openStaffingApp();
  const call = staffingAdministrator(app.service);
  const partner = { id: app.partnerId };
  const made: string[] = [];
  for (let count = 0; count < 15; count++) {
    const { id } = (await app.own.post('/keys', {})).body;
    made.push(String(id));
    expect((await app.own.call('DELETE', `/keys/${id}`)).status).toBe(200);
  }
  const { body } = await app.admin.get('/admin/partners');
  const { keys } = Object(body.data).find((row: Record<string, unknown>) => row.partner_id === partner.id);
  const [oldest, ...others]: unknown[][] = keys
    .filter(({ tier }: Record<string, unknown>) => tier === 'sandbox')
    .map(({ id, revoked_at }: Record<string, unknown>) => [id, revoked_at === null]);
  expect(oldest?.[1]).toBe(true);
  expect(others).toEqual(made.slice(-10).map((id) => [id, false]));
  // The partner's own list has all of them, in pages.
  const own: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await app.own.get(`/keys?limit=4${cursor}`);
    own.push(...Object(body.data).map(({ id }: { id: string }) => id));
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(own).toEqual([...made.toReversed(), oldest?.[0]]);
  const revoked = await call('revokePartnerKeys', { ...partner, key_id: made[0] });
  expect(revoked.partner_id).toBe(app.partnerId);
  await call('revokePartnerKeys', partner);
  expect((await app.own.get('/me')).status).toBe(401);
});

test('commands of the staffing service do what its endpoints do, and revoke for the very next request', async () => {
  app = await openStaffingApp();
  const call = staffingAdministrator(app.service);
  const { data } = await call('listPartners');
  expect(Object(data).map(({ name }: { name: string }) => name)).toEqual(['Agency', 'Firm']);
  const otherId = Object(data)[0].partner_id;
  const key = await call('createPartnerKey', { id: otherId, tier: 'sandbox' });
  expect((await app.keyed(String(key.api_key)).get('/me')).status).toBe(200);
  await expect(call('createPartnerKey', { id: otherId, tier: 'live' })).rejects.toThrow(/Promote it first/);
  await expect(call('promotePartner', { id: app.partnerId })).rejects.toThrow(/already live.*partners key/);
  await call('revokePartnerKeys', { id: otherId, key_id: key.id });
  expect((await app.keyed(String(key.api_key)).get('/me')).status).toBe(401);
  expect((await app.other.get('/me')).status).toBe(200);
  await expect(call('revokePartnerKeys', { id: otherId, key_id: 'key_x' })).rejects.toThrow(
    /no key with this id/,
  );
  await expect(call('createPartnerKey', { id: 'ptr_x', tier: 'sandbox' })).rejects.toThrow(
    /no partner ptr_x/,
  );
  const job = (await app.live.submit()).body;
  expect(await call('setJobStatus', { id: job.id, status: 'filled' })).toMatchObject({ status: 'filled' });
  expect(await call('listAllJobs', { status: 'filled' })).toMatchObject({ data: [{ id: job.id }] });
  await expect(call('setJobStatus', { id: 'req_x', status: 'open' })).rejects.toThrow(/no requisition/);
  await expect(call('setJobStatus', { id: job.id, status: 'gone' })).rejects.toThrow(/status/);
});

test('a suppressed clinician is not found, even after a restart', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-staffing-'));
  const suppressed: unknown[] = [];
  for (const start of [1, 2]) {
    const directory = takeDataDirectory(join(parent, 'data'));
    const config = new Map([['bootstrap_email', 'ci@firm.example']]);
    const service = await openStaffingService(directory, config, log, { version: 'test' });
    const { get } = client(service.app('/').fetch, 'http://localhost', service.firstStart.apiKey);
    const search = async () =>
      Object((await get(`${PREFIX}/clinicians/search?limit=1&include_total=true`)).body);
    if (start === 1) {
      const { data, total } = await search();
      suppressed.push(data[0].npi);
      const call = staffingAdministrator(service);
      const asked = { npi: data[0].npi, reason: 'asked for it' };
      expect(await call('suppressClinician', asked)).toEqual({ ...asked, was_in_registry: true });
      expect(await call('suppressClinician', asked)).toEqual({ ...asked, was_in_registry: false });
      await expect(call('suppressClinician', { npi: '123', reason: 'x' })).rejects.toThrow(/ten digits/);
      await expect(call('suppressClinician', { npi: data[0].npi, reason: ' ' })).rejects.toThrow(/reason/);
      expect((await search()).total).toBe(total - 1);
    } else {
      // As an import would bring him back: a registry of before, with the list that stands in the database.
      rmSync(join(parent, 'data', 'registry'), { recursive: true });
    }
    const { status, body } = await get(`${PREFIX}/clinicians/${suppressed[0]}`);
    expect([status, Object(body.error).code]).toEqual([404, 'NOT_FOUND']);
    expect((await search()).data[0].npi).not.toBe(suppressed[0]);
    await service.close();
    directory.release();
  }
  const directory = takeDataDirectory(join(parent, 'data'));
  const service = await openStaffingService(directory, new Map(), log, { version: 'test' });
  expect(await recordsIn(service)).toBe(SAMPLE.clinicians - 1);
  await service.close();
  directory.release();
  rmSync(parent, { recursive: true });
});

describe('a suppression that is undone', () => {
  const searched = async (): Promise<Record<string, unknown>> =>
    Object((await app?.own.get('/clinicians/search?limit=100&include_total=true&surname=s'))?.body);

  test('makes the clinician findable again immediately, and leaves no record', async () => {
    app = await openStaffingApp();
    const call = staffingAdministrator(app.service);
    const before = await searched();
    const npis = Object(before.data)
      .slice(0, 12)
      .map(({ npi }: { npi: string }) => npi);
    for (const npi of npis) await call('suppressClinician', { npi, reason: `asked for ${npi}` });
    expect((await searched()).total).toBe(Number(before.total) - 12);
    const listed = await call('listSuppressions');
    expect(Object(listed.data).map(({ npi }: { npi: string }) => npi)).toEqual(npis.toSorted());
    expect(Object(listed.data)[0]).toEqual({
      npi: npis.toSorted()[0],
      reason: `asked for ${npis.toSorted()[0]}`,
      at: expect.stringMatching(/Z$/),
    });
    // A second reason for one who is gone already does not lose what he was.
    await call('suppressClinician', { npi: npis[0], reason: 'asked again' });
    for (const npi of npis) {
      expect(await call('undoSuppression', { npi })).toEqual({ npi, restored: true });
    }
    expect(await searched()).toEqual(before);
    expect(await call('listSuppressions')).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  test('leaves no readable data of the clinician in the database', async () => {
    app = await openStaffingApp();
    const call = staffingAdministrator(app.service);
    const [clinician] = Object((await searched()).data);
    await call('suppressClinician', { npi: clinician.npi, reason: 'asked for it' });
    await app.service.staffing.store.read((snapshot) => {
      const row = snapshot.connection.sqlite.query('SELECT * FROM suppression').get();
      expect(Object(row).record).toMatch(/^[0-9a-f]{200,}$/);
      const texts = [JSON.stringify(row), Buffer.from(String(Object(row).record), 'hex').toString('latin1')];
      for (const text of texts) {
        for (const name of [clinician.last_name, clinician.first_name]) expect(text).not.toContain(name);
      }
    });
  });

  test('says that the clinician comes with the next registry, where this one is another or never had him', async () => {
    app = await openStaffingApp();
    const call = staffingAdministrator(app.service);
    const { staffing } = app.service;
    const [one, two, three] = Object((await searched()).data).map(({ npi }: { npi: string }) => npi);
    for (const npi of [one, two]) await call('suppressClinician', { npi, reason: 'asked for it' });
    const unknown = '1234567893';
    await call('suppressClinician', { npi: unknown, reason: 'asked for it' });
    expect(await call('undoSuppression', { npi: unknown })).toEqual({ npi: unknown, restored: false });
    const options = {
      asOf: '2026-03-01',
      sample: true,
      taxonomy: embeddedTaxonomy(),
      groupings: null,
      at: '2026-03-01T00:00:00.000Z',
    };
    const others = [...madeUpClinicians(SAMPLE.clinicians, SAMPLE.seed)].filter(
      ({ npi }) => String(npi) !== one,
    );
    makeCurrent(staffing.registryPath, buildRegistry(staffing.registryPath, others, options).name);
    await applySuppressions(staffing);
    staffing.registryChanged();
    expect((await app.own.get(`/clinicians/${two}`)).status).toBe(404);
    // What the former file had of the one is out of date; the other is as the new file had him.
    expect(await call('undoSuppression', { npi: one })).toEqual({ npi: one, restored: false });
    expect(await call('undoSuppression', { npi: two })).toEqual({ npi: two, restored: true });
    const statuses = [one, two].map(async (npi) => (await app?.own.get(`/clinicians/${npi}`))?.status);
    expect(await Promise.all(statuses)).toEqual([404, 200]);
    await expect(call('undoSuppression', { npi: three })).rejects.toThrow(/not suppressed/);
    await expect(call('undoSuppression', { npi: '123' })).rejects.toThrow(/ten digits/);
  });
});

test('a start of the staffing service gives the account that it is to make a key that works, each time', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-staffing-'));
  const keys: string[] = [];
  for (let start = 0; start < 4; start++) {
    const directory = takeDataDirectory(join(parent, 'data'));
    const config = new Map([['bootstrap_email', 'ci@firm.example']]);
    const service = await openStaffingService(directory, config, log, { version: 'test' });
    const { adminToken, apiKey } = service.firstStart;
    expect(adminToken === null).toBe(start > 0);
    keys.push(String(apiKey));
    const caller = client(service.app('/').fetch, 'http://localhost', apiKey);
    expect((await caller.get(`${PREFIX}/me`)).status).toBe(200);
    expect(await recordsIn(service)).toBe(20_000);
    expect((await (await service.background()).metrics[1]?.read())?.[0]?.value).toBeGreaterThan(0);
    for (const { run } of (await service.background()).tasks) await run();
    await service.close();
    directory.release();
  }
  expect(new Set(keys).size).toBe(4);
  rmSync(parent, { recursive: true });
});

test("the staffing service refuses another service's directory, and opens one without a server for commands", async () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-staffing-'));
  mkdirSync(join(parent, 'trust'));
  writeFileSync(join(parent, 'trust', 'trust.db'), '');
  const theirs = takeDataDirectory(join(parent, 'trust'));
  await expect(openStaffingService(theirs, new Map(), log, { version: 'test' })).rejects.toThrow(
    /it has trust.db/,
  );
  theirs.release();
  const own = takeDataDirectory(join(parent, 'own'));
  const { context, close } = await localStaffingOpening(new Map(), log, staffingModules).open(own);
  expect(
    await operationAction.handle(context, { operation: 'listPartners', operator: null, arguments: {} }),
  ).toEqual({ data: [], has_more: false, next_cursor: null });
  await close();
  own.release();
  rmSync(parent, { recursive: true });
});
