import type { ShownMetrics } from '../../src/trust/datacenter/page/metric-table.ts';
import type { ShownScorecard } from '../../src/trust/datacenter/page/scorecard-page.ts';

const WINDOW = { from: '2026-01-03T00:00:00.000Z', to: '2026-11-21T23:00:00.000Z' };
const DAYS = 323;

const metric = (value: number | null, unit: string, standard: string | null) => ({
  value,
  unit,
  standard,
  interim: true,
  coverage: 0.9123,
  count: 12_345,
});

const ratio = (value: number | null, unit: string, standard: string) => ({
  value,
  unit,
  standard,
  interim: true,
  coverage: 0.9123,
  slots: 31_967,
});

function metrics(pue: number, hasGap: (day: number) => boolean): ShownMetrics {
  const days = Array.from({ length: DAYS }, (_, day) => ({
    day: new Date(Date.UTC(2026, 0, 3 + day)).toISOString().slice(0, 10),
    pue: pue + 0.06 * Math.sin(day / 40) + 0.03 * Math.sin(day * 2.1) + (day === 160 ? 0.4 : 0),
  }));
  return {
    evidence_count: 123_456,
    corrected_count: 3,
    instances: 42,
    late_share: 0.0123,
    corrected_share: 0.0004,
    longest_window_s: 900,
    window: WINDOW,
    meters: {
      count: 41,
      it: 40,
      facility: 1,
      retired: 1,
      unreplaced: 0,
      attested: 1,
      first_enrolled_at: '2026-01-03T00:20:00.000Z',
      last_enrolled_at: '2026-02-01T08:00:00.000Z',
    },
    pue: {
      ...ratio(pue, '1', 'ISO/IEC 30134-2:2026'),
      category: 2,
      exactly_one: false,
      first_sent: pue + 0.01,
      impossible_slots: 12,
      coarse_slots: 0,
    },
    cue: { ...ratio(0.3124, 'kg/kWh', 'ISO/IEC 30134-8:2022'), category: null },
    wue: { ...ratio(1.1, 'L/kWh', 'ISO/IEC 30134-9:2022'), category: 2 },
    ref: ratio(0.41, '1', 'ISO/IEC 30134-3:2016'),
    erf: ratio(null, '1', 'ISO/IEC 30134-6:2021'),
    power: { ...metric(38_412.1234, 'W', null), max: 47_000, share_of_nameplate: 0.8123 },
    thermal: {
      ...metric(83.25, 'Cel', null),
      inlet_min: 18,
      inlet_mean: 23.1234,
      inlet_max: 27.5,
      throttled_count: 3,
    },
    avoided: { ...metric(12.5, 'kg', 'ISO 14064-2:2019'), energy_saved_kwh: 1234.5 },
    energy: {
      it_kwh: 2_412_345.678,
      facility_kwh: 2_918_938.1234,
      renewable_kwh: 1_196_764.5,
      reused_kwh: null,
      emissions_kg: 753_610.25,
      water_l: 2_653_580,
    },
    instruments: [
      {
        instance_id: 'utility-1',
        meter_role: 'facility',
        subject_commitment: 'ab'.repeat(32),
        enrolled_at: '2026-01-03T00:20:00.000Z',
        attested_by: 'cd'.repeat(32),
        attester_operator_id: 'op_cus_5678…90ab',
        retired_at: null,
      },
      {
        instance_id: 'rack-07',
        meter_role: 'it',
        subject_commitment: 'ef'.repeat(32),
        enrolled_at: '2026-02-01T08:00:00.000Z',
        attested_by: 'self_attested',
        attester_operator_id: null,
        retired_at: '2026-10-01T00:00:00.000Z',
      },
    ],
    daily_pue: days.filter((_, day) => !hasGap(day)),
  };
}

/** Returns a scorecard with made-up values. Its signature is not valid. */
export function madeUpScorecard(changes: Partial<ShownScorecard> = {}): {
  text: string;
  scorecard: ShownScorecard;
} {
  const scorecard: ShownScorecard = {
    cluster_id: 'demo-hall-1',
    id: 'urn:countersign:cluster:demo-hall-1',
    operator_id: 'op_cus_1234…cdef',
    period: { from: '2025-11-22T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
    limits: ['Nothing here shows that it is complete.'],
    generated_at: '2026-11-22T12:00:00.000Z',
    issuer: 'did:web:trust.example',
    signature: 'cd'.repeat(64),
    kid: 'credentials-1',
    hardware_measured: metrics(
      1.21,
      (day) => (day > 80 && day < 110) || (day > 200 && day < 215 && day !== 207),
    ),
    declared: metrics(1.35, (day) => day % 30 > 20),
    simulated: null,
    ...changes,
  };
  return { text: JSON.stringify(scorecard), scorecard };
}
