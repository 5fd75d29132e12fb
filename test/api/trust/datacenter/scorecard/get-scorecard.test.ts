import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../../../../src/platform/time/units.ts';
import { newestReceiptOf, ownedCluster } from '../../../../../src/trust/datacenter/clusters-store.ts';
import { classMetrics } from '../../../../../src/trust/datacenter/scorecard/class-metrics.ts';
import { instrumentsOf } from '../../../../../src/trust/datacenter/scorecard/instruments-store.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import { isSignedBy } from '../../../../support/statements.ts';
import { hourOf, ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  // At noon of the fourth day of telemetry.
  time = new VirtualTime(Date.parse('2026-05-04T12:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

const SCORECARD = '/api/v1/datacenter/clusters/hall-1/scorecard';

async function scorecard(query = '') {
  const { status, body } = await app.anyone.get(`${SCORECARD}${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return Object(body);
}

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://localhost${path}`, { headers }));

describe('a scorecard', () => {
  test('is a page for a client that prefers HTML', async () => {
    await ingested(app.own, telemetryOf(0));
    const page = await get(SCORECARD, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(await page.text()).toContain('urn:countersign:cluster:hall-1');
  });

  test('has every metric of ISO/IEC 30134 over the complete slots, exactly', async () => {
    await ingested(
      app.own,
      telemetryOf(0, {
        water_l: 60,
        renewable_kwh: 20,
        reused_kwh: 5,
        measured_power_avg_w: 40_000,
        baseline_nameplate_w: 50_000,
        peak_junction_temp_c: 81.5,
        inlet_temp_c: 22,
        grid_carbon_intensity_g_per_kwh: 400,
      }),
    );
    // It has no value of the facility, so its slots are not complete, and it counts for the energy only.
    const { facility_energy_kwh: _, ...withoutFacility } = telemetryOf(3, { it_energy_kwh: 10 });
    await ingested(app.own, withoutFacility);
    const body = await scorecard();
    const window = { from: hourOf(0), to: hourOf(4) };
    // Of 365 days: four slots, and an hour of the one instance.
    const slots = { interim: true, coverage: 0.0001, slots: 4 };
    const metric = { interim: true, coverage: 0.0001, count: 1 };
    const category = null;
    expect(body).toEqual({
      type: 'datacenter-scorecard',
      v: 1,
      issuer: expect.stringMatching(/^did:key:z6Mk/),
      generated_at: '2026-05-04T12:00:00.000Z',
      cluster_id: 'hall-1',
      id: 'urn:countersign:cluster:hall-1',
      operator_id: expect.stringMatching(/^op_cus_.{4}\D/),
      limits: expect.arrayContaining([expect.stringContaining('nothing here shows that it is complete')]),
      period: { from: '2025-05-05T00:00:00.000Z', to: '2026-05-05T00:00:00.000Z' },
      hardware_measured: null,
      declared: {
        evidence_count: 2,
        corrected_count: 0,
        instances: 1,
        // All of it arrived more than 48 hours after its window.
        late_share: 1,
        corrected_share: 0,
        longest_window_s: 3600,
        window,
        meters: {
          count: 1,
          it: 1,
          facility: 1,
          retired: 0,
          unreplaced: 0,
          attested: 0,
          first_enrolled_at: '2026-05-04T12:00:00.000Z',
          last_enrolled_at: '2026-05-04T12:00:00.000Z',
        },
        instruments: [
          {
            instance_id: 'rack-1',
            meter_role: 'both',
            subject_commitment: null,
            enrolled_at: '2026-05-04T12:00:00.000Z',
            attested_by: 'self_attested',
            attester_operator_id: null,
            retired_at: null,
          },
        ],
        pue: {
          value: 1.25,
          unit: '1',
          standard: 'ISO/IEC 30134-2:2026',
          ...slots,
          category,
          first_sent: 1.25,
          exactly_one: false,
          impossible_slots: 0,
          coarse_slots: 0,
        },
        // 50 kWh at 400 g are 20 kg, for 40 kWh.
        cue: { value: 0.5, unit: 'kg/kWh', standard: 'ISO/IEC 30134-8:2022', ...slots, category },
        wue: { value: 1.5, unit: 'L/kWh', standard: 'ISO/IEC 30134-9:2022', ...slots, category },
        ref: { value: 0.4, unit: '1', standard: 'ISO/IEC 30134-3:2016', ...slots },
        erf: { value: 0.1, unit: '1', standard: 'ISO/IEC 30134-6:2021', ...slots },
        power: { value: 40_000, unit: 'W', standard: null, ...metric, max: 40_000, share_of_nameplate: 0.8 },
        thermal: {
          value: 81.5,
          unit: 'Cel',
          standard: null,
          ...metric,
          inlet_min: 22,
          inlet_mean: 22,
          inlet_max: 22,
          throttled_count: 0,
          setpoint_applied_count: 0,
          setpoint_count: 0,
        },
        avoided: {
          value: null,
          unit: 'kg',
          standard: 'ISO 14064-2:2019',
          ...metric,
          coverage: 0,
          count: 0,
          energy_saved_kwh: null,
        },
        energy: {
          it_kwh: 50,
          facility_kwh: 50,
          renewable_kwh: 20,
          reused_kwh: 5,
          water_l: 60,
          emissions_kg: 20,
        },
        daily_pue: [{ day: '2026-05-01', pue: 1.25, slots: 4 }],
      },
      simulated: null,
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      kid: expect.any(String),
    });
  });

  test('never mixes declared and simulated telemetry, nor avoided emissions with the inventory', async () => {
    await ingested(app.own, telemetryOf(0, { facility_energy_kwh: 80 }));
    await ingested(app.own, telemetryOf(1, { origin: 'synthetic', facility_energy_kwh: 44 }));
    await ingested(app.own, {
      ...telemetryOf(2, {
        event_type: 'CARBON_AVOIDED_ACCRUAL',
        carbon_avoided_kg: 7.5,
        energy_saved_kwh: 30,
      }),
    });
    const { declared, simulated } = await scorecard();
    expect([declared.pue.value, declared.pue.slots]).toEqual([2, 4]);
    expect([simulated.pue.value, simulated.pue.slots, simulated.evidence_count]).toEqual([1.1, 4, 1]);
    expect(declared.avoided).toMatchObject({ value: 7.5, energy_saved_kwh: 30, count: 1 });
    expect(declared.energy).toMatchObject({ facility_kwh: 80, emissions_kg: null });
    expect(simulated.avoided).toMatchObject({ value: null, count: 0 });
  });

  test('says the share of the period, and of the hours of all instances, that a metric covers', async () => {
    await ingested(app.own, telemetryOf(0));
    await ingested(app.own, telemetryOf(1));
    // A second instance that has only temperatures, up to the fourth hour.
    await ingested(app.own, {
      cluster_id: 'hall-1',
      instance_id: 'rack-2',
      event_type: 'THERMAL_SAFETY_AUDIT',
      origin: 'live-instrument',
      window_start: hourOf(0),
      window_end: hourOf(4),
      inlet_temp_c: 24,
      thermal_throttle_observed: true,
    });
    const { declared } = await scorecard(`?from=${hourOf(0)}&to=${hourOf(24)}`);
    // Two of 24 hours; four of twice 24 hours, rounded down.
    expect([declared.instances, declared.pue.coverage, declared.thermal.coverage]).toEqual([
      2, 0.0833, 0.0833,
    ]);
    expect(declared.thermal).toMatchObject({ value: null, inlet_mean: 24, throttled_count: 1 });
  });

  test('counts the instances of each period, in whatever order their telemetry arrives', async () => {
    // The days of each instance after 2026-04-20, in the order of arrival.
    const arrivals = { a: [5], b: [3, 1, 7], c: [1, 2, 3], d: [7, 2], e: [2, 5, 4] };
    for (const [instance_id, days] of Object.entries(arrivals))
      for (const day of days) await ingested(app.own, telemetryOf(24 * (day - 11), { instance_id }));
    const at = (day: number): string => hourOf(24 * (day - 11));
    for (const [from, to] of [
      [1, 1],
      [2, 2],
      [1, 3],
      [3, 4],
      [4, 4],
      [6, 6],
      [5, 8],
      [1, 8],
    ] as const) {
      const { declared } = await scorecard(`?from=${at(from)}&to=${at(to + 1)}`);
      // An instance is there from its first to its last day, if any of them sent something in the period.
      const expected = Object.values(arrivals).filter(
        (days) => Math.min(...days) <= to && Math.max(...days) >= from,
      ).length;
      const isEmpty = !Object.values(arrivals)
        .flat()
        .some((day) => from <= day && day <= to);
      expect([from, to, declared?.instances ?? null]).toEqual([from, to, isEmpty ? null : expected]);
    }
  });

  test('has a period of whole UTC days, and a line of the PUE of each day with gaps', async () => {
    await ingested(app.own, telemetryOf(0));
    await ingested(app.own, telemetryOf(50, { facility_energy_kwh: 60 }));
    const { declared } = await scorecard();
    expect(declared.daily_pue).toEqual([
      { day: '2026-05-01', pue: 1.25, slots: 4 },
      { day: '2026-05-03', pue: 1.5, slots: 4 },
    ]);
    const third = await scorecard('?from=2026-05-03T10:00:00Z&to=2026-05-03T10:00:01Z');
    expect(third.period).toEqual({ from: '2026-05-03T00:00:00.000Z', to: '2026-05-04T00:00:00.000Z' });
    expect([third.declared.pue.value, third.declared.instances]).toEqual([1.5, 1]);
    const empty = await scorecard('?from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z');
    expect([empty.hardware_measured, empty.declared, empty.simulated]).toEqual([null, null, null]);
  });

  test('is complete as its meters are: a further one, which stops, leaves only its own slots', async () => {
    await ingested(app.own, telemetryOf(0, { window_end: hourOf(72) }));
    const days = '?from=2026-05-01T00:00:00Z&to=2026-05-04T00:00:00Z';
    expect((await scorecard(days)).declared.pue).toMatchObject({ interim: true, coverage: 1 });
    await ingested(app.own, telemetryOf(0, { instance_id: 'rack-2', window_end: hourOf(24) }));
    expect((await scorecard(days)).declared.pue).toMatchObject({ interim: true, slots: 96 });
  });

  test('says in how many slots a value arrived late, corrections too', async () => {
    const { facility_energy_kwh: _, ...rack } = telemetryOf(35);
    const utility = { it_energy_kwh: 1, instance_id: 'utility' };
    // Now is 48 hours after the end of the first.
    await ingested(app.own, rack);
    await ingested(app.own, { ...rack, instance_id: 'rack-2', window_end: hourOf(35.999) });
    expect((await scorecard()).declared.late_share).toBe(1);
    const { evidence_id } = await ingested(app.own, telemetryOf(40, utility));
    expect((await scorecard()).declared.late_share).toBe(0.5);
    time.advance(72 * HOUR_MS);
    const correction = { corrects: String(evidence_id), correction_reason: 'a typo' };
    await ingested(app.own, telemetryOf(40, { ...utility, ...correction }));
    expect((await scorecard()).declared.late_share).toBe(1);
  });

  test('counts new telemetry at once, and has the same ETag until then', async () => {
    await ingested(app.own, telemetryOf(0));
    const first = await get(SCORECARD);
    const etag = String(first.headers.get('etag'));
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await get(SCORECARD, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await ingested(app.own, telemetryOf(1, { facility_energy_kwh: 60 }));
    const changed = await get(SCORECARD, { 'if-none-match': etag });
    expect([changed.status, Object(await changed.json()).declared.pue.value]).toEqual([200, 1.375]);
  });

  test('keeps the policy of the page that a client has, as a 304 updates the headers of its copy', async () => {
    await ingested(app.own, telemetryOf(0));
    const accept = 'text/html';
    const first = await get(SCORECARD, { accept });
    expect(first.headers.get('content-security-policy')).toContain("style-src 'sha256-");
    const again = await get(SCORECARD, { accept, 'if-none-match': String(first.headers.get('etag')) });
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([304, null]);
  });

  test('is signed, so that it is verified without the service, and no longer after a change', async () => {
    await ingested(app.own, telemetryOf(0));
    const signed = await scorecard();
    const { body: keys } = await app.anyone.get('/api/v1/transparency/keys');
    expect(isSignedBy(Object(keys.keys), signed)).toBe(true);
    signed.declared.pue.value = 1.05;
    expect(isSignedBy(Object(keys.keys), signed)).toBe(false);
  });

  test('is signed again by the next key, and not at all while the clock is wrong', async () => {
    await ingested(app.own, telemetryOf(0));
    const { kid } = await scorecard();
    expect((await scorecard()).kid).toBe(kid);
    await reportCompromised(app.service.trust, kid);
    expect((await scorecard()).kid).not.toBe(kid);
    await ingested(app.own, telemetryOf(1));
    time.jump(600_000);
    const { status, body } = await app.anyone.get(SCORECARD);
    expect([status, body.reason_code]).toEqual([503, 'clock_wrong']);
  });

  test('of a cluster without telemetry is 404', async () => {
    const { status, body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-2/scorecard');
    expect([status, body.reason_code]).toEqual([404, 'not_found']);
    expect(body.error).toContain('No cluster has this id');
  });

  test.each([
    ['a name with a slash', 'hall%2F1/scorecard', 'id'],
    ['a name of 129 characters', `${'h'.repeat(129)}/scorecard`, 'id'],
    ['a reversed period', 'hall-1/scorecard?from=2026-05-03T00:00:00Z&to=2026-05-02T00:00:00Z', 'from'],
    ['an empty period', 'hall-1/scorecard?from=2026-05-03T00:00:00Z&to=2026-05-03T00:00:00Z', 'from'],
    ['a period in the future', 'hall-1/scorecard?to=2026-05-05T00:00:00.001Z', 'to'],
    [
      'a period of 367 days',
      'hall-1/scorecard?from=2025-05-03T00:00:00Z&to=2026-05-04T00:00:00.001Z',
      'from',
    ],
    ['a time that is none', 'hall-1/scorecard?from=yesterday', 'from'],
    ['an unknown parameter', 'hall-1/scorecard?since=2026-05-03T00:00:00Z', 'since'],
  ])('refuses %s', async (_, path, field) => {
    await ingested(app.own, telemetryOf(0));
    const { status, body } = await app.anyone.get(`/api/v1/datacenter/clusters/${path}`);
    expect([status, body.reason_code, Object.keys(Object(body.issues))]).toEqual([
      400,
      'validation_error',
      [field],
    ]);
  });
});

test('every query of a scorecard reads a range of an index or of a primary key', async () => {
  await ingested(app.own, telemetryOf(0.5));
  const plans = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await ownedCluster(asked, 'hall-1');
      await newestReceiptOf(asked, 1);
      const first = Date.UTC(2026, 4, 1) / 86_400_000;
      await classMetrics(asked, 1, 'declared', { fromDay: first, toDay: first + 2 });
      await instrumentsOf(asked, 1, 'declared');
    }),
  );
  expect(plans.filter((step) => step.startsWith('SCAN') || /TEMP B-TREE/.test(step))).toEqual([]);
  expect(plans.join('\n')).toContain('INDEX datacenter_evidence_by_cluster (cluster_seq=?)');
});
