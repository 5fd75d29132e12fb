import type { ShownMetrics } from '../../src/trust/datacenter/page/metric-table.ts';
import type { ShownScorecard } from '../../src/trust/datacenter/page/scorecard-page.ts';

const WINDOW = { from: '2026-01-03T00:00:00.000Z', to: '2026-11-21T23:00:00.000Z' };
const DAYS = 323;

const metric = (value: number | null, unit: string, standard: string | null, count = 12_345) => ({
  value,
  unit,
  standard,
  interim: true,
  window: WINDOW,
  coverage: 0.9123,
  count,
});

function metrics(pue: number, hasGap: (day: number) => boolean): ShownMetrics {
  const days = Array.from({ length: DAYS }, (_, day) => ({
    day: new Date(Date.UTC(2026, 0, 3 + day)).toISOString().slice(0, 10),
    pue: pue + 0.06 * Math.sin(day / 40) + 0.03 * Math.sin(day * 2.1) + (day === 160 ? 0.4 : 0),
  }));
  return {
    evidence_count: 123_456,
    instances: 42,
    window: WINDOW,
    pue: metric(pue, '1', 'ISO/IEC 30134-2:2016'),
    cue: metric(0.3124, 'kg/kWh', 'ISO/IEC 30134-8:2022'),
    wue: metric(1.1, 'L/kWh', 'ISO/IEC 30134-9:2022'),
    ref: metric(0.41, '1', 'ISO/IEC 30134-3:2016'),
    erf: metric(null, '1', 'ISO/IEC 30134-6:2021', 0),
    power: { ...metric(38_412.1234, 'W', null), max: 47_000, share_of_nameplate: 0.8123 },
    thermal: {
      ...metric(83.25, 'Cel', null),
      inlet_min: 18,
      inlet_mean: 23.1234,
      inlet_max: 27.5,
      throttled_count: 3,
    },
    avoided: { ...metric(12.5, 'kg', 'ISO 14064-2:2019'), energy_saved_kwh: 1234.5 },
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
    period: { from: '2025-11-22T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
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
