import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { mask } from '../../../../../src/trust/operators/mask.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import {
  enrolledInstrument,
  hourOf,
  ingested,
  TELEMETRY,
  telemetryOf,
} from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-05-04T12:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

/** The first day of telemetry, or more of them. */
async function declaredOf(days = 1) {
  const to = hourOf(24 * days);
  const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${hourOf(0)}&to=${to}`;
  const { status, body } = await app.anyone.get(path);
  expect([status, body.error]).toEqual([200, undefined]);
  return Object(body).declared;
}

/** The sections of a package about a period. */
async function sectionsOf(from: string, to: string) {
  await publishCheckpoints(app);
  const path = `/api/v1/datacenter/compliance/packages/hall-1?framework=ISO_14064&from=${from}&to=${to}`;
  const { status, body } = await app.anyone.get(path);
  expect([status, body.error]).toEqual([200, undefined]);
  return Object(body).sections;
}

const meter = (instance_id: string, hour: number, values: JsonObject, more: JsonObject = {}) => {
  const { it_energy_kwh: _it, facility_energy_kwh: _facility, ...telemetry } = telemetryOf(hour);
  return { ...telemetry, event_type: 'HARDWARE_POWER_VALIDATION', instance_id, ...values, ...more };
};
const rack = (hour: number, kwh: number, more: JsonObject = {}) =>
  meter(String(more.instance_id ?? 'rack-1'), hour, { it_energy_kwh: kwh }, { meter_role: 'it', ...more });
const utility = (hour: number, kwh: number, more: JsonObject = {}) =>
  meter('utility', hour, { facility_energy_kwh: kwh }, { meter_role: 'facility', ...more });

const retire = (instanceId: string, at: string) =>
  app.own.post(`/api/v1/datacenter/clusters/hall-1/meters/${instanceId}/retire`, { at });

describe('a plant', () => {
  test('with four rack meters and one utility meter has a PUE, a CUE and a WUE', async () => {
    for (const instance_id of ['rack-1', 'rack-2', 'rack-3', 'rack-4'])
      await ingested(app.own, rack(0, 100, { instance_id, pue_category: 2 }));
    await ingested(app.own, utility(0, 520, { grid_carbon_intensity_g_per_kwh: 400, water_l: 600 }));
    const declared = await declaredOf();
    expect(declared.pue).toEqual({
      value: 1.3,
      unit: '1',
      standard: 'ISO/IEC 30134-2:2026',
      interim: true,
      coverage: 0.0416,
      slots: 4,
      category: 2,
      first_sent: 1.3,
      exactly_one: false,
      impossible_slots: 0,
      coarse_slots: 0,
    });
    expect([declared.cue.value, declared.wue.value, declared.cue.category]).toEqual([0.52, 1.5, 2]);
    expect(declared.meters).toEqual({
      count: 5,
      it: 4,
      facility: 1,
      retired: 0,
      unreplaced: 0,
      attested: 0,
      first_enrolled_at: '2026-05-04T12:00:00.000Z',
      last_enrolled_at: '2026-05-04T12:00:00.000Z',
    });
    expect(declared.instruments[4]).toEqual({
      instance_id: 'utility',
      meter_role: 'facility',
      subject_commitment: null,
      enrolled_at: '2026-05-04T12:00:00.000Z',
      attested_by: 'self_attested',
      attester_operator_id: null,
      retired_at: null,
    });
  });

  test('whose windows are a minute, a day and an uneven time has the sum of their shares by time', async () => {
    for (let minute = 0; minute < 15; minute++)
      await ingested(app.own, rack(minute / 60, 1, { window_end: hourOf((minute + 1) / 60) }));
    // From 18 hours before to 30 hours after the start of the day: a whole day, and two parts of days.
    await ingested(app.own, utility(-18, 96 * 4, { window_end: hourOf(30) }));
    const declared = await declaredOf();
    // 384 kWh in 48 hours are 2 kWh in 15 minutes, in which the rack used 15.
    expect(declared.pue).toMatchObject({ value: null, slots: 0, impossible_slots: 1 });
    expect(declared.energy).toMatchObject({ it_kwh: 15, facility_kwh: 192 });
    await ingested(app.own, utility(30, 96 * 4, { window_end: hourOf(32.5) }));
    expect((await declaredOf(2)).energy.facility_kwh).toBe(192 + 48 + 384);
  });

  test('has a period that begins in the middle of a window', async () => {
    await ingested(app.own, utility(0, 31, { window_end: hourOf(31) }));
    await ingested(app.own, rack(25, 1));
    const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${hourOf(24)}&to=${hourOf(48)}`;
    const { declared } = Object((await app.anyone.get(path)).body);
    expect([declared.energy.facility_kwh, declared.energy.it_kwh]).toEqual([7, 1]);
    expect(declared.pue).toMatchObject({ value: 1, exactly_one: true, slots: 4 });
  });
});

describe('nobody makes a better PUE of', () => {
  test('two hours 365 days apart: it is interim, with the coverage of two hours', async () => {
    time.advance(365 * 24 * 3600_000);
    await ingested(app.own, telemetryOf(0, { facility_energy_kwh: 41 }));
    await ingested(app.own, telemetryOf(365 * 24 - 1, { facility_energy_kwh: 41 }));
    expect((await declaredOf(365)).pue).toMatchObject({ interim: true, slots: 8, coverage: 0.0002 });
  });

  test('a meter that stops in expensive hours: these slots are not complete', async () => {
    for (const hour of [0, 1, 2, 3]) await ingested(app.own, rack(hour, 100));
    // In the hours 2 and 3 the chiller runs, and the meter of the facility reports nothing.
    for (const hour of [0, 1]) await ingested(app.own, utility(hour, 110));
    expect((await declaredOf()).pue).toMatchObject({ value: 1.1, slots: 8, coverage: 0.0833 });
  });

  test('a second facility meter that leaves out expensive hours, or only a value in them', async () => {
    for (const hour of [0, 1]) await ingested(app.own, rack(hour, 100));
    for (const hour of [0, 1]) await ingested(app.own, utility(hour, 110));
    await ingested(app.own, utility(0, 40, { instance_id: 'chiller' }));
    expect((await declaredOf()).pue).toMatchObject({ value: 1.5, slots: 4 });
    await ingested(app.own, meter('chiller', 1, { measured_power_avg_w: 40_000 }));
    expect((await declaredOf()).pue).toMatchObject({ value: 1.5, slots: 4 });
  });

  test('a second meter of the same load: with it the facility has less energy than its IT equipment', async () => {
    await ingested(app.own, utility(0, 130));
    await ingested(app.own, rack(0, 100));
    await ingested(app.own, rack(0, 100, { instance_id: 'the-same-rack' }));
    const { pue, meters } = await declaredOf();
    expect(pue).toMatchObject({ value: null, slots: 0, impossible_slots: 4 });
    expect(meters).toMatchObject({ it: 2, facility: 1 });
    // Of the same instance, a second item of another event type does not count at all.
    const { body } = await app.own.post(TELEMETRY, {
      ...rack(0, 30),
      event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
    });
    expect(body.counts_energy).toBe(false);
  });

  test('a facility meter under its IT meters: the slots are impossible and left out', async () => {
    for (const hour of [0, 1]) await ingested(app.own, rack(hour, 100));
    await ingested(app.own, utility(0, 10));
    await ingested(app.own, utility(1, 140));
    expect((await declaredOf()).pue).toMatchObject({ value: 1.4, slots: 4, impossible_slots: 4 });
  });

  test('nor a worse one of rounding: a facility a little above its IT equipment has no impossible slots', async () => {
    const days = { window_start: hourOf(-24 * 30), window_end: hourOf(0) };
    await ingested(app.own, rack(0, 100.000001, days));
    await ingested(app.own, utility(0, 100.000002, days));
    const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${days.window_start}&to=${days.window_end}`;
    const { pue } = Object((await app.anyone.get(path)).body).declared;
    expect(pue).toMatchObject({ value: 1, coverage: 1, impossible_slots: 0 });
  });

  test('a facility that uses exactly as much as its IT equipment: it is flagged', async () => {
    await ingested(app.own, telemetryOf(0, { facility_energy_kwh: 40 }));
    expect((await declaredOf()).pue).toMatchObject({ value: 1, exactly_one: true });
  });

  test('corrections: their share of the covered time, and the PUE of what was sent first, are beside it', async () => {
    for (const hour of [0, 1, 2, 3]) {
      const { evidence_id } = await ingested(app.own, telemetryOf(hour, { facility_energy_kwh: 63 }));
      const correction = { corrects: String(evidence_id), correction_reason: 'units' };
      if (hour > 0) await ingested(app.own, telemetryOf(hour, { facility_energy_kwh: 41, ...correction }));
    }
    expect(await declaredOf()).toMatchObject({
      corrected_share: 0.75,
      pue: { value: 1.1625, first_sent: 1.575, interim: true },
    });
    // The same for windows of whole days, whose sums are apart.
    const days = { window_start: hourOf(24), window_end: hourOf(72) };
    const { evidence_id } = await ingested(app.own, telemetryOf(24, { facility_energy_kwh: 60, ...days }));
    const correction = { corrects: String(evidence_id), correction_reason: 'units' };
    await ingested(app.own, telemetryOf(24, { facility_energy_kwh: 42, ...days, ...correction }));
    const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${hourOf(24)}&to=${hourOf(48)}`;
    expect(Object((await app.anyone.get(path)).body).declared).toMatchObject({
      corrected_share: 1,
      pue: { value: 1.05, first_sent: 1.5 },
    });
  });

  test('meters that are on time beside a late one: a slot is late if any of its meters is', async () => {
    // The last hours are on time, the utility meter of the first of them is not.
    for (let socket = 0; socket < 20; socket++)
      await ingested(app.own, utility(60, 1, { instance_id: `socket-${socket}` }));
    await ingested(app.own, rack(60, 100));
    expect((await declaredOf(4)).late_share).toBe(0);
    time.advance(36 * 3600_000);
    await ingested(app.own, utility(60, 90));
    expect(await declaredOf(4)).toMatchObject({ late_share: 1, pue: { value: 1.1, slots: 4 } });
  });

  test('typed values of months: they are no annual PUE, no daily one, and their windows are named', async () => {
    time.advance(365 * 24 * 3600_000);
    const month = 365 * 2;
    for (let hour = 0; hour < 365 * 24; hour += month)
      await ingested(
        app.own,
        telemetryOf(hour, { window_end: hourOf(hour + month), pue_category: 3, facility_energy_kwh: 40.4 }),
      );
    expect(await declaredOf(365)).toMatchObject({
      longest_window_s: month * 3600,
      daily_pue: [],
      pue: { value: 1.01, interim: true, coverage: 1, category: 3, slots: 35_040, coarse_slots: 35_040 },
    });
    const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${hourOf(0)}&to=${hourOf(24 * 365)}`;
    const page = await app.fetch(
      new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }),
    );
    const text = await page.text();
    expect(text).toContain('category 3, claimed, not supported by windows over an hour');
    expect(text).toContain('longest window 30.42\u00a0d');
  });

  test('a meter that is retired after its first day: the PUE is interim, and says so', async () => {
    for (const hour of [80, 81, 82]) await ingested(app.own, rack(hour, 100));
    for (const hour of [80, 81, 82]) await ingested(app.own, utility(hour, 102));
    await ingested(app.own, utility(80, 58, { instance_id: 'chiller' }));
    expect((await declaredOf(4)).meters.unreplaced).toBe(0);
    expect((await retire('chiller', hourOf(81))).status).toBe(201);
    expect(await declaredOf(4)).toMatchObject({
      meters: { facility: 1, retired: 1, unreplaced: 1 },
      pue: { value: 1.2133, interim: true },
    });
    // Also of a period after it, and no longer once another meter takes its place.
    const later = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${hourOf(72)}&to=${hourOf(96)}`;
    expect(Object((await app.anyone.get(later)).body).declared.meters.unreplaced).toBe(1);
    const page = await app.fetch(
      new Request(`http://localhost${later}`, { headers: { accept: 'text/html' } }),
    );
    expect(await page.text()).toContain('1 meter retired without a successor');
    for (const hour of [81, 82]) await ingested(app.own, utility(hour, 58, { instance_id: 'chiller-2' }));
    expect((await declaredOf(4)).meters).toMatchObject({ facility: 2, retired: 1, unreplaced: 0 });
  });

  test('a package: it says of its PUE what the scorecard says', async () => {
    await ingested(app.own, rack(0, 100, { window_end: hourOf(24), pue_category: 3 }));
    await ingested(app.own, utility(0, 137, { window_end: hourOf(24) }));
    const { energy } = await sectionsOf(hourOf(0), hourOf(24 * 3));
    const { pue, late_share, corrected_share, longest_window_s, meters } = await declaredOf(3);
    expect(energy.declared).toMatchObject({ pue, late_share, corrected_share, longest_window_s, meters });
    expect(energy.declared.pue_statement).toBe(
      '1.37, interim (1 of 3 days), category 3, claimed, not supported by windows over an hour, ' +
        'longest window 1\u00a0d, 96 slots of windows over an hour, 100% of the covered time received late',
    );
  });

  test('the end of a period: a window that it cuts counts by time in an inventory', async () => {
    time.advance(31 * 24 * 3600_000);
    const month = { window_end: hourOf(24 * 31), grid_carbon_intensity_g_per_kwh: 400 };
    await ingested(
      app.own,
      telemetryOf(0, { ...month, it_energy_kwh: 310, facility_energy_kwh: 620.000001 }),
    );
    const inventoryOf = async (from: number, to: number) =>
      (await sectionsOf(hourOf(24 * from), hourOf(24 * to))).inventory.declared;
    expect(await inventoryOf(0, 30)).toEqual({
      emissions_kg: 240,
      energy_with_intensity_kwh: 600,
      energy_without_intensity_kwh: 0,
    });
    const parts = [await inventoryOf(0, 1), await inventoryOf(1, 31), await inventoryOf(0, 31)];
    expect(parts.map(({ emissions_kg }) => emissions_kg)).toEqual([8, 240, 248]);
  });

  test('windows in the future', async () => {
    const { status, body } = await app.own.post(TELEMETRY, telemetryOf(84));
    expect([status, Object(body.issues)]).toEqual([400, { window_end: ['must not be in the future'] }]);
  });

  test('a late window before the first: the meter is then expected from it on', async () => {
    for (const hour of [4, 5, 6]) await ingested(app.own, rack(hour, 100));
    for (const hour of [5, 6]) await ingested(app.own, utility(hour, 120));
    expect((await declaredOf()).pue.slots).toBe(8);
    // It arrives late, and the hours between are missing.
    await ingested(app.own, rack(0, 100, { instance_id: 'rack-2' }));
    expect((await declaredOf()).pue.slots).toBe(0);
  });

  test('roles: a facility meter has no IT energy, and an IT meter none of the facility', async () => {
    for (const [role, member] of [
      ['facility', 'it_energy_kwh'],
      ['it', 'facility_energy_kwh'],
    ] as const) {
      const body = meter('m', 0, { [member]: 10 }, { meter_role: role });
      expect((await app.own.post(TELEMETRY, body)).body.issues).toEqual({
        meter_role: ['must not be facility with it_energy_kwh, nor it with facility_energy_kwh'],
      });
    }
  });
});

describe('a correction', () => {
  const correct = async (evidenceId: unknown, body: JsonObject) =>
    app.own.post(TELEMETRY, { ...body, corrects: String(evidenceId), correction_reason: 'a typo' });

  test('replaces an item in all metrics, up or down, and both stay in the log', async () => {
    const first = await ingested(app.own, telemetryOf(0, { it_energy_kwh: 4, measured_power_avg_w: 4000 }));
    expect((await declaredOf()).pue.value).toBe(12.5);
    const second = await correct(first.evidence_id, telemetryOf(0, { measured_power_avg_w: 40_000 }));
    expect(second.status).toBe(201);
    const down = await declaredOf();
    expect(down).toMatchObject({
      corrected_count: 1,
      evidence_count: 2,
      pue: { value: 1.25, slots: 4 },
      power: { value: 40_000, max: 40_000 },
      energy: { it_kwh: 40, facility_kwh: 50 },
    });
    const third = await correct(second.body.evidence_id, telemetryOf(0, { it_energy_kwh: 25 }));
    expect((await declaredOf()).pue.value).toBe(2);
    expect((await declaredOf()).power.value).toBeNull();
    const { body } = await app.anyone.get('/api/v1/datacenter/receipts?cluster_id=hall-1');
    expect(
      Object(body).receipts.map((row: JsonObject) => [row.evidence_id, row.corrects, row.corrected_by]),
    ).toEqual([
      [third.body.evidence_id, second.body.evidence_id, null],
      [second.body.evidence_id, first.evidence_id, third.body.evidence_id],
      [first.evidence_id, null, second.body.evidence_id],
    ]);
  });

  test('of a window moves its slots exactly', async () => {
    await ingested(app.own, rack(5, 100));
    await ingested(app.own, rack(6, 100));
    const wrong = await ingested(app.own, utility(0.1, 70, { window_end: hourOf(0.9) }));
    await ingested(app.own, utility(6, 130));
    expect((await declaredOf()).pue).toMatchObject({ value: 1.3, slots: 4 });
    await correct(wrong.evidence_id, utility(5, 120));
    const declared = await declaredOf();
    expect(declared.pue).toMatchObject({ value: 1.25, slots: 8 });
    expect(declared.energy.facility_kwh).toBe(250);
    expect(declared.daily_pue).toEqual([{ day: '2026-05-01', pue: 1.25, slots: 8 }]);
  });

  test('takes no hours out: its meter is expected from the earliest window that it ever sent', async () => {
    time.advance(300 * 24 * 3600_000);
    const from = '2026-12-01T00:00:00.000Z';
    const to = '2027-01-01T00:00:00.000Z';
    const month = { window_start: from, window_end: to };
    const december = async () => {
      const path = `/api/v1/datacenter/clusters/hall-1/scorecard?from=${from}&to=${to}`;
      return Object((await app.anyone.get(path)).body).declared.pue;
    };
    await ingested(app.own, rack(0, 1000, month));
    await ingested(app.own, utility(0, 1040, month));
    const chiller = await ingested(app.own, utility(0, 500, { ...month, instance_id: 'chiller' }));
    expect(await december()).toMatchObject({ value: 1.54, coverage: 1 });
    const tail = { window_start: '2026-12-31T23:45:00.000Z', window_end: to, instance_id: 'chiller' };
    const { status, body } = await correct(chiller.evidence_id, utility(0, 0, tail));
    expect([status, body.class]).toEqual([201, 'declared']);
    // Of the month 15 minutes are complete.
    expect(await december()).toMatchObject({ value: 1.04, slots: 1, coverage: 0.0003, interim: true });
  });

  test('that takes a quantity away leaves it expected: only a retired meter is expected no longer', async () => {
    const wrong = await ingested(app.own, meter('utility', 80, { it_energy_kwh: 120 }));
    for (const hour of [80, 81, 82]) await ingested(app.own, rack(hour, 100));
    expect((await declaredOf(4)).meters).toMatchObject({ it: 2, facility: 0 });
    await correct(wrong.evidence_id, utility(80, 120));
    expect(await declaredOf(4)).toMatchObject({
      meters: { it: 2, facility: 1 },
      pue: { value: null, slots: 0 },
    });
    expect((await retire('utility', hourOf(81))).status).toBe(201);
    for (const hour of [81, 82]) await ingested(app.own, utility(hour, 120, { instance_id: 'utility-2' }));
    expect(await declaredOf(4)).toMatchObject({
      meters: { it: 1, facility: 1 },
      pue: { value: 1.2, slots: 8 },
    });
  });

  test('is one chain: an item is corrected once, and neither it nor its correction counts again', async () => {
    const first = await ingested(app.own, telemetryOf(0));
    const fixed = telemetryOf(0, { facility_energy_kwh: 60 });
    const second = await correct(first.evidence_id, fixed);
    const again = await correct(first.evidence_id, fixed);
    expect([again.status, again.body.duplicate, again.body.evidence_id]).toEqual([
      200,
      true,
      second.body.evidence_id,
    ]);
    const other = await correct(first.evidence_id, telemetryOf(0, { facility_energy_kwh: 41 }));
    expect([other.status, other.body.evidence_id]).toEqual([409, second.body.evidence_id]);
    const replayed = await app.own.post(TELEMETRY, telemetryOf(0));
    expect([replayed.status, replayed.body.evidence_id]).toEqual([200, first.evidence_id]);
    expect((await declaredOf()).pue.value).toBe(1.5);
  });

  test.each([
    ['another instance', { instance_id: 'rack-9' }],
    ['another event type', { event_type: 'HARDWARE_POWER_VALIDATION' }],
    ['another class', { origin: 'synthetic' }],
    ['another cluster', { cluster_id: 'hall-9' }],
  ])('is of no item of %s', async (_, more) => {
    const first = await ingested(app.own, telemetryOf(0));
    const { status, body } = await correct(first.evidence_id, telemetryOf(0, more));
    expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['corrects']]);
  });

  test('needs its reason, and gives none without an item', async () => {
    const first = await ingested(app.own, telemetryOf(0));
    for (const members of [{ corrects: String(first.evidence_id) }, { correction_reason: 'a typo' }])
      expect((await app.own.post(TELEMETRY, { ...telemetryOf(0), ...members })).body.issues).toEqual({
        correction_reason: ['must be sent with corrects, or neither of them'],
      });
  });

  test('does not reach into the window of another item', async () => {
    const first = await ingested(app.own, telemetryOf(0));
    const next = await ingested(app.own, telemetryOf(1));
    const { status, body } = await correct(first.evidence_id, telemetryOf(0.5));
    expect([status, body.evidence_id]).toEqual([409, next.evidence_id]);
    expect((await declaredOf()).pue.slots).toBe(8);
  });
});

describe('a meter that is retired', () => {
  test('is expected no longer, and its windows still count', async () => {
    for (const hour of [80, 81]) await ingested(app.own, utility(hour, 120));
    await ingested(app.own, rack(80, 50));
    await ingested(app.own, rack(80, 50, { instance_id: 'rack-2' }));
    await ingested(app.own, rack(81, 100));
    expect((await declaredOf(4)).pue.slots).toBe(4);
    const { status, body } = await retire('rack-2', hourOf(81));
    expect([status, body.retired_at, Object(body.receipt).status]).toEqual([201, hourOf(81), 'success']);
    const declared = await declaredOf(4);
    expect(declared.pue).toMatchObject({ value: 1.2, slots: 8 });
    expect(declared.meters).toMatchObject({ count: 2, it: 1, retired: 1 });
    expect((await app.own.post(TELEMETRY, rack(82, 1, { instance_id: 'rack-2' }))).status).toBe(409);
    await ingested(app.own, rack(79, 1, { instance_id: 'rack-2' }));
    expect((await retire('rack-2', hourOf(82))).status).toBe(409);
  });

  test.each([
    ['back in time, so that its bad hours would leave the figures', 81, 'must not be before'],
    ['in the future', 85, 'must not be in the future'],
  ])('is not retired %s', async (_, hour, sentence) => {
    await ingested(app.own, utility(82, 900));
    const { status, body } = await retire('utility', hourOf(hour));
    expect([status, JSON.stringify(body.issues)]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test('is not retired more than a day back, after looking at the figures', async () => {
    await ingested(app.own, utility(0, 120));
    const { status, body } = await retire('utility', hourOf(1));
    expect([status, body.issues]).toEqual([400, { at: ['must be at most 24 hours ago'] }]);
  });

  test('belongs to the operator, and exists', async () => {
    await ingested(app.own, utility(82, 900));
    const path = '/api/v1/datacenter/clusters/hall-1/meters';
    expect((await app.other.post(`${path}/utility/retire`, { at: hourOf(83) })).status).toBe(403);
    expect((await app.anyone.post(`${path}/utility/retire`, { at: hourOf(83) })).status).toBe(401);
    expect((await retire('nothing', hourOf(83))).status).toBe(404);
  });
});

describe('an attestation of an instrument', () => {
  const attested = async (sponsor: string | null, change: JsonObject = {}) => {
    const instrument = await enrolledInstrument(app);
    const attester = await enrolledAgent(app, { sponsor });
    const telemetry = telemetryOf(0, { subject_commitment: instrument.commitment });
    const signature = attester.sign({
      type: 'instrument-attestation',
      cluster_id: 'hall-1',
      instance_id: 'rack-1',
      subject_commitment: instrument.commitment,
      attester_commitment: attester.commitment,
      ...change,
    });
    const signed = { ...telemetry, attestation: { attester_commitment: attester.commitment, signature } };
    const { status, body } = await app.own.post(TELEMETRY, { ...signed, signature: instrument.sign(signed) });
    return { status, body, instrument, attester };
  };

  test('of an agent of another operator is on the scorecard', async () => {
    const { status, instrument, attester } = await attested(app.otherId);
    expect(status).toBe(201);
    const { body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
    const { meters, instruments } = Object(body).hardware_measured;
    expect(meters.attested).toBe(1);
    expect(instruments).toMatchObject([
      {
        subject_commitment: instrument.commitment,
        attested_by: attester.commitment,
        attester_operator_id: mask(app.otherId, 'op_cus_'),
      },
    ]);
  });

  test('does not cover another instrument of the same meter, which is refused', async () => {
    await attested(app.otherId);
    const second = await enrolledInstrument(app);
    const telemetry = telemetryOf(1, { subject_commitment: second.commitment });
    const { status, body } = await app.own.post(TELEMETRY, {
      ...telemetry,
      signature: second.sign(telemetry),
    });
    expect([status, body.reason_code]).toEqual([409, 'conflict']);
    expect(body.error).toContain('Another instrument enrolled this meter');
  });

  test.each([
    {
      what: 'is revoked',
      end: (commitment: string) =>
        app.own.post(`/api/v1/passport/agents/${commitment}/revoke`, { reason: 'stolen' }),
    },
    {
      what: 'has a sponsor that is suspended',
      end: () => setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED'),
    },
    {
      what: 'came to the owner of the cluster',
      end: (commitment: string) =>
        app.own.call('PUT', `/api/v1/passport/agents/${commitment}/sponsor`, {
          operator_id: app.service.firstStart.operatorId,
        }),
    },
  ])('ends when the attester $what, also of a scorecard that was read before', async ({ end }) => {
    const { attester } = await attested(app.otherId);
    const said = async () => {
      const { body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
      const { meters, instruments } = Object(body).hardware_measured;
      return [meters.attested, instruments[0].attested_by, instruments[0].attester_operator_id];
    };
    expect(await said()).toEqual([1, attester.commitment, mask(app.otherId, 'op_cus_')]);
    await end(attester.commitment);
    expect(await said()).toEqual([0, 'self_attested', null]);
  });

  test('of an agent whose operator is suspended is refused', async () => {
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect((await attested(app.otherId)).status).toBe(403);
  });

  test('of an own agent, or of one without sponsor, is refused', async () => {
    expect((await attested(app.service.firstStart.operatorId)).status).toBe(403);
    expect((await attested(null)).status).toBe(403);
  });

  test('that is of another meter does not verify', async () => {
    expect((await attested(app.otherId, { instance_id: 'rack-2' })).status).toBe(401);
    expect((await attested(app.otherId, { cluster_id: 'hall-2' })).status).toBe(401);
  });

  test('without an instrument is refused', async () => {
    const attestation = { attester_commitment: 'ab'.repeat(32), signature: 'cd'.repeat(64) };
    const { status, body } = await app.own.post(TELEMETRY, { ...telemetryOf(0), attestation });
    expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['attestation']]);
  });
});

test('a window of 31 days writes 127 rows at most, and its shares add up to it', async () => {
  const start = Date.UTC(2026, 2, 1) + 1;
  const window_start = new Date(start).toISOString();
  const window_end = new Date(start + 31 * 86_400_000).toISOString();
  await ingested(
    app.own,
    telemetryOf(0, { window_start, window_end, it_energy_kwh: 1, facility_energy_kwh: 7.7 }),
  );
  const [pieces, sums] = await app.service.trust.store.read(({ connection }) => [
    connection.sqlite
      .query<{ n: number }, []>(
        'SELECT (SELECT count(*) FROM datacenter_slot) + (SELECT count(*) FROM datacenter_whole_day) AS n',
      )
      .get(),
    connection.sqlite
      .query<{ it: number; facility: number }, []>(
        `SELECT sum(it_mwh) AS it, sum(facility_mwh) AS facility FROM (SELECT it_mwh, facility_mwh FROM datacenter_slot
         UNION ALL SELECT it_mwh, facility_mwh FROM datacenter_whole_day)`,
      )
      .get(),
  ]);
  expect([pieces, sums]).toEqual([{ n: 96 + 30 + 1 }, { it: 1_000_000, facility: 7_700_000 }]);
});
