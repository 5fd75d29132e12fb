import { expect, test } from 'bun:test';
import { inOneGo } from '../../../../../src/proof/encoding/steps.ts';
import { metricsOf, seriesOf } from '../../../../../src/trust/datacenter/scorecard/metrics.ts';
import type { ClassSums } from '../../../../../src/trust/datacenter/scorecard/scorecard-store.ts';
import { NO_METERS, tallySteps } from '../../../../../src/trust/datacenter/scorecard/slots.ts';

const SUMS: ClassSums = {
  evidence: 35_040,
  corrected: 0,
  itRows: 35_040,
  category1Rows: 0,
  category2Rows: 0,
  category3Rows: 35_040,
  powerMwh: 0,
  powerMs: 0,
  powerRows: 0,
  ratedPowerMwh: 0,
  ratedNameplateMwh: 0,
  thermalMs: 0,
  thermalRows: 0,
  inletMcS: 0,
  inletMs: 0,
  throttledRows: 0,
  setpointRows: 0,
  setpointApplied: 0,
  savedMwh: 0,
  avoidedG: 0,
  avoidedMs: 0,
  avoidedRows: 0,
  firstStart: 0,
  lastEnd: 365 * 86_400_000,
  longestMs: 900_000,
  powerMaxMw: null,
  junctionMaxMc: null,
  inletMinMc: null,
  inletMaxMc: null,
  instances: 1,
};

const METERS = {
  retired: 0,
  attested: 0,
  first_enrolled_at: '2026-01-01T00:00:00.000Z',
  last_enrolled_at: '2026-01-01T00:00:00.000Z',
};

interface Changes {
  days?: number;
  late?: number;
  corrected?: number;
  coarse?: number;
  unreplaced?: number;
  sums?: Partial<ClassSums>;
}

/** The metrics of 365 days in which one meter has 40 kWh of 50 kWh each day. */
function yearOf({ days = 365, late = 0, corrected = 0, coarse = 0, unreplaced = 0, sums = {} }: Changes) {
  const group = {
    itMeters: 1,
    facilityMeters: 1,
    waterMeters: 0,
    renewableMeters: 1,
    reusedMeters: 0,
    co2Meters: 0,
    itMwh: 40e6,
    facilityMwh: 50e6,
    waterMl: 0,
    renewableMwh: 20e6,
    reusedMwh: 0,
    co2Mg: 0,
    firstItMwh: 40e6,
    firstFacilityMwh: 60e6,
    slots: 96,
  };
  const marks = (day: number) => ({
    late: day < late ? 96 : 0,
    corrected: day < corrected ? 96 : 0,
    coarse: day < coarse ? 96 : 0,
  });
  const tally = inOneGo(
    tallySteps({
      fromDay: 0,
      toDay: 364,
      before: { ...NO_METERS, it: 1, facility: 1, renewable: 1, meter: 1 },
      steps: [],
      groups: Array.from({ length: days }, (_, day) => ({ ...group, day, ...marks(day) })),
      wholeDays: [],
      single: new Map(),
    }),
  );
  const metrics = metricsOf({ sums: { ...SUMS, ...sums }, tally, meters: METERS, unreplaced });
  return { ...metrics, daily: seriesOf(tally) };
}

test.each<[string, Changes, boolean]>([
  ['of a year in windows of 15 minutes is annual', {}, false],
  ['of 95% of a year is annual', { days: 347 }, false],
  ['of less is interim', { days: 346 }, true],
  ['of which 5% was late is annual', { late: 18 }, false],
  ['of which more was late is interim', { late: 19 }, true],
  ['of which 5% was corrected is annual', { corrected: 18 }, false],
  ['of which more was corrected is interim', { corrected: 19 }, true],
  ['of which 5% is of windows over an hour is annual', { coarse: 18 }, false],
  ['of which more is of such windows is interim', { coarse: 19 }, true],
  ['after a meter was retired without a successor is interim', { unreplaced: 1 }, true],
  ['without a category is interim', { sums: { category3Rows: 35_039 } }, true],
])('a PUE %s', (_, changes, interim) => {
  const { pue } = yearOf(changes);
  expect([pue.value, pue.interim]).toEqual([1.25, interim]);
});

test('a ratio that has no category is annual without one', () => {
  expect(yearOf({ sums: { category3Rows: 0 } }).ref.interim).toBe(false);
});

test('the shares of slots are rounded up, and what was sent first has a PUE of its own', () => {
  const { late_share, corrected_share, pue } = yearOf({ late: 1, corrected: 19 });
  expect([late_share, corrected_share, pue.first_sent]).toEqual([0.0028, 0.0521, 1.5]);
});

test('a day with a window over an hour has no daily value', () => {
  const { daily, pue } = yearOf({ coarse: 2 });
  expect([daily.length, daily[0]?.day, pue.coarse_slots]).toEqual([363, '1970-01-03', 192]);
});
