import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { signedObjectDigest } from '../../../../../src/proof/keys/signed-object.ts';
import { readTrustedKeys } from '../../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { judgePackage } from '../../../../../src/proof/package/verdict.ts';
import { mask } from '../../../../../src/trust/operators/mask.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { isSignedBy } from '../../../../support/statements.ts';
import { hourOf, ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const PACKAGE = '/api/v1/datacenter/compliance/packages/hall-1';

let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-05-04T12:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

async function sent(...telemetry: JsonObject[]): Promise<void> {
  for (const one of telemetry) await ingested(app.own, one);
  await publishCheckpoints(app);
}

async function packageOf(query = '?framework=ISO_14064') {
  const { status, body } = await app.anyone.get(`${PACKAGE}${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return Object(body);
}

/** A control of a package by its id. */
const control = ({ controls }: { controls: { id: string }[] }, id: string) =>
  Object(controls.find((one) => one.id === id));

/** A set of references of a package by its name. */
const setOf = ({ reference_sets }: { reference_sets: { name: string }[] }, name: string) =>
  Object(reference_sets.find((one) => one.name === name));

const AVOIDED = {
  cluster_id: 'hall-1',
  instance_id: 'rack-1',
  event_type: 'CARBON_AVOIDED_ACCRUAL',
  origin: 'live-instrument',
  window_start: hourOf(0),
  window_end: hourOf(24),
  carbon_avoided_kg: 7.5,
  energy_saved_kwh: 30,
};

const THERMAL = {
  cluster_id: 'hall-1',
  instance_id: 'rack-2',
  event_type: 'THERMAL_SAFETY_AUDIT',
  origin: 'live-instrument',
  window_start: hourOf(0),
  window_end: hourOf(1),
  inlet_temp_c: 22,
};

describe('the compliance package of a cluster', () => {
  test('states energy by class, cites its receipts, and is signed', async () => {
    await sent(
      telemetryOf(0, { grid_carbon_intensity_g_per_kwh: 400, renewable_kwh: 20, water_l: 60 }),
      telemetryOf(1, { origin: 'synthetic' }),
      THERMAL,
      AVOIDED,
    );
    const made = await packageOf();
    const { operator_id } = (await app.own.get('/api/v1/operator/status')).body;
    expect(made).toMatchObject({
      type: 'compliance-package',
      kind: 'datacenter',
      framework: 'ISO_14064',
      subject: {
        type: 'cluster',
        id: 'urn:countersign:cluster:hall-1',
        cluster_id: 'hall-1',
        operator: mask(String(operator_id), 'op_cus_'),
      },
      view: 'public',
      period: { from: '2026-02-03T12:00:00.001Z', to: '2026-05-04T12:00:00.001Z' },
    });
    const energy = control(made, 'ISO 14064-1, 6.2.2');
    expect([energy.status, energy.counts]).toEqual([
      'reported',
      { energy: 1, energy_hardware_measured: 0, declared: 2, simulated: 1, measured_days: 1 },
    ]);
    expect(made.reference_sets.map((one: JsonObject) => [one.name, one.count])).toEqual([
      ['telemetry', 2],
      ['energy', 1],
      ['avoided', 1],
    ]);
    const set = setOf(made, 'energy');
    expect(energy.references).toEqual({ set: 'energy', count: 1, merkle_root: set.merkle_root });
    const none = { hardware_measured: null, simulated: null };
    expect(made.sections.energy).toMatchObject({
      hardware_measured: null,
      declared: {
        items: 1,
        it_kwh: 40,
        estimated_it_kwh: null,
        facility_kwh: 50,
        renewable_kwh: 20,
        reused_kwh: null,
        water_l: 60,
        pue_statement:
          '1.25, interim (0 of 91 days), category not stated: not comparable, longest window 1\u00a0h, 100% of the covered time received late',
        pue: { value: 1.25, interim: true, category: null, slots: 4, first_sent: 1.25, coarse_slots: 0 },
        late_share: 1,
        corrected_share: 0,
        meters: { count: 1, it: 1, facility: 1, retired: 0, unreplaced: 0, attested: 0 },
      },
      simulated: { items: 1, facility_kwh: 50 },
    });
    expect(made.sections.inventory).toMatchObject({
      standard: 'ISO 14064-1:2018',
      declared: { emissions_kg: 20, energy_with_intensity_kwh: 50, energy_without_intensity_kwh: 0 },
      simulated: { emissions_kg: null, energy_with_intensity_kwh: 0, energy_without_intensity_kwh: 50 },
    });
    expect(made.sections.avoided).toMatchObject({
      ...none,
      standard: 'ISO 14064-2:2019',
      declared: { items: 1, avoided_kg: 7.5, energy_saved_kwh: 30 },
    });
    const keys = JSON.parse(JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body));
    expect(isSignedBy(keys.keys, made)).toBe(true);
    const judged = judgePackage(nativePrimitives, new TextEncoder().encode(JSON.stringify(made)), {
      keys: readTrustedKeys(nativePrimitives, keys),
      logKeys: readLogKeys(nativePrimitives, keys).trusted,
      now: time.now(),
    });
    expect([judged.verdict, judged.problems]).toEqual(['valid', []]);
  });

  test('keeps avoided emissions apart from the inventory, each with a set of its own', async () => {
    await sent(telemetryOf(0, { grid_carbon_intensity_g_per_kwh: 400 }), AVOIDED);
    const made = await packageOf('?framework=ISO_14064');
    expect(Object(made.reference_sets).map(({ name, count }: JsonObject) => [name, count])).toEqual([
      ['telemetry', 1],
      ['energy', 1],
      ['avoided', 1],
    ]);
    expect(control(made, 'ISO 14064-1, 6.3')).toMatchObject({ status: 'reported' });
    expect(control(made, 'ISO 14064-2, 6.8')).toMatchObject({ status: 'reported', counts: { avoided: 1 } });
    expect((await packageOf('?framework=NIST_AI_RMF')).framework).toBe('NIST_AI_RMF');
  });

  test('meets no requirement by simulated telemetry, by telemetry without energy, or outside of the period', async () => {
    await sent(telemetryOf(0, { origin: 'synthetic' }), THERMAL);
    expect(control(await packageOf(), 'ISO 14064-1, 6.2.2')).toMatchObject({
      status: 'not_assessed',
      references: null,
    });
    await sent(telemetryOf(24, { grid_carbon_intensity_g_per_kwh: 400 }));
    // An item belongs to each period that its window reaches into: from 00:00 to 01:00 of the second day.
    for (const [period, status] of [
      ['from=2026-05-02T00:00:00Z&to=2026-05-02T01:00:00Z', 'reported'],
      ['from=2026-05-02T00:00:00Z&to=2026-05-02T00:00:00.001Z', 'reported'],
      ['from=2026-05-01T20:00:00Z&to=2026-05-02T00:00:00Z', 'not_assessed'],
      ['from=2026-05-02T00:59:59.999Z&to=2026-05-03T00:00:00Z', 'reported'],
      ['from=2026-05-02T01:00:00Z&to=2026-05-03T00:00:00Z', 'not_assessed'],
    ] as const)
      expect([
        period,
        control(await packageOf(`?framework=ISO_14064&${period}`), 'ISO 14064-1, 6.2.2').status,
      ]).toEqual([period, status]);
  });

  test('states no emissions by a carbon intensity of 0, which no grid has', async () => {
    await sent(telemetryOf(0, { grid_carbon_intensity_g_per_kwh: 0 }));
    const made = await packageOf('?framework=ISO_14064');
    expect(control(made, 'ISO 14064-1, 6.3')).toMatchObject({ counts: { carbon_intensity: 0 } });
    expect(made.sections.inventory.declared).toMatchObject({ emissions_kg: 0 });
  });

  test('estimates the energy of items that have only a power', async () => {
    const { it_energy_kwh: _, facility_energy_kwh: __, ...item } = telemetryOf(0);
    await sent({ ...item, measured_power_avg_w: 3000 });
    const { sections } = await packageOf();
    expect(sections.energy.declared).toMatchObject({
      items: 1,
      it_kwh: null,
      estimated_it_kwh: 3,
      pue_statement: null,
      pue: { value: null },
    });
    expect(sections.inventory.declared).toBeNull();
  });

  test('is the same until telemetry arrives, and has the same ETag until then', async () => {
    await sent(telemetryOf(0));
    const first = await packageOf();
    time.advance(60_000);
    expect(await packageOf()).toEqual(first);
    const headers = { 'if-none-match': `"${signedObjectDigest(nativePrimitives, first)}"` };
    const unchanged = await app.fetch(
      new Request(`http://localhost${PACKAGE}?framework=ISO_14064`, { headers }),
    );
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    await sent(telemetryOf(1));
    const second = await packageOf();
    expect([
      second.package_id === first.package_id,
      control(second, 'ISO 14064-1, 6.2.2').counts.energy,
    ]).toEqual([false, 2]);
  });

  test('is a page for a client that prefers HTML', async () => {
    await sent(telemetryOf(0));
    const headers = { accept: 'text/html' };
    const page = await app.fetch(new Request(`http://localhost${PACKAGE}`, { headers }));
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(await page.text()).toContain('hall-1');
  });

  test('of an operator that was suspended says so', async () => {
    await ingested(app.other, telemetryOf(0));
    await publishCheckpoints(app);
    const before = await packageOf();
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    const { limits } = await packageOf();
    expect(limits.length).toBe(before.limits.length + 1);
    expect(limits.join(' ')).toContain('was not active');
  });

  test('of more telemetry than a page has each item once', async () => {
    // Two pages of the builder.
    const items = 5100;
    const minute = (number: number): string =>
      new Date(Date.UTC(2026, 4, 1) + (number * 60_000) / 2).toISOString();
    for (let first = 0; first < items; first += 300)
      await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          ingested(
            app.own,
            telemetryOf(0, {
              window_start: minute(first + index),
              window_end: minute(first + index + 1),
              it_energy_kwh: 0.004,
              facility_energy_kwh: 0.005,
            }),
          ),
        ),
      );
    await publishCheckpoints(app);
    const made = await packageOf();
    const counts = control(made, 'ISO 14064-1, 6.2.2').counts;
    expect([counts.energy, setOf(made, 'energy').count, made.sections.energy.declared.facility_kwh]).toEqual([
      items,
      items,
      25.5,
    ]);
  }, 180_000);

  test.each([
    ['an unknown cluster', '/api/v1/datacenter/compliance/packages/hall-9', 404, 'not_found'],
    ['a framework of agents', `${PACKAGE}?framework=SOC2_TYPE2`, 400, 'validation_error'],
    [
      'a reversed period',
      `${PACKAGE}?from=2026-05-03T00:00:00Z&to=2026-05-02T00:00:00Z`,
      400,
      'validation_error',
    ],
    [
      'a period of 367 days',
      `${PACKAGE}?from=2025-05-02T00:00:00Z&to=2026-05-04T00:00:00Z`,
      400,
      'validation_error',
    ],
    ['a period in the future', `${PACKAGE}?to=2026-05-06T00:00:00Z`, 400, 'validation_error'],
    ['an unknown parameter', `${PACKAGE}?view=sponsor`, 400, 'validation_error'],
  ])('is refused for %s', async (_, path, status, code) => {
    await sent(telemetryOf(0));
    const answer = await app.anyone.get(path);
    expect([answer.status, answer.body.reason_code]).toEqual([status, code]);
  });
});

test('packages of clusters beyond the limit of an address are refused, and cached ones are not', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'limits.packages': '2' }, time);
  await ingested(limited.own, telemetryOf(0));
  await publishCheckpoints(limited);
  const statusOf = async (framework: string) =>
    (await limited.anyone.get(`${PACKAGE}?framework=${framework}`)).status;
  expect(await statusOf('EU_AI_ACT')).toBe(200);
  expect(await statusOf('ISO_14064')).toBe(200);
  expect(await statusOf('NIST_AI_RMF')).toBe(429);
  expect(await statusOf('ISO_14064')).toBe(200);
  await limited.close();
});
