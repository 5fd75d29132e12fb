import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import {
  datacenterRegisterStep,
  datacenterSlot,
  datacenterSlotGroup,
  datacenterWholeDay,
} from '../../../../db/trust/datacenter.ts';
import type { MeteredQuantity, TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { slices } from '../../../platform/turns/slices.ts';
import type { Days } from './scorecard-store.ts';
import { DAY_SLOTS, type DaySlots, NO_METERS, tallySteps } from './slots.ts';

const sql = sqlOf({ datacenterRegisterStep, datacenterSlot, datacenterSlotGroup, datacenterWholeDay });

type Columns = typeof datacenterSlot | typeof datacenterSlotGroup | typeof datacenterWholeDay;

/** A sum can exceed 2^53: as a floating-point number it is then rounded, and never an error. */
const real = (column: SQLiteColumn) => sql.number`CAST(${sql.verbatim(column.name)} AS REAL)`;

const coveredOf = (table: Columns) => ({
  itMeters: table.itMeters,
  facilityMeters: table.facilityMeters,
  waterMeters: table.waterMeters,
  renewableMeters: table.renewableMeters,
  reusedMeters: table.reusedMeters,
  co2Meters: table.co2Meters,
  itMwh: real(table.itMwh),
  facilityMwh: real(table.facilityMwh),
  waterMl: real(table.waterMl),
  renewableMwh: real(table.renewableMwh),
  reusedMwh: real(table.reusedMwh),
  co2Mg: real(table.co2Mg),
  firstItMwh: real(table.firstItMwh),
  firstFacilityMwh: real(table.firstFacilityMwh),
});

const groups = sql.joined({
  day: datacenterSlotGroup.day,
  slots: datacenterSlotGroup.slots,
  ...coveredOf(datacenterSlotGroup),
  late: datacenterSlotGroup.lateSlots,
  corrected: datacenterSlotGroup.correctedSlots,
  coarse: datacenterSlotGroup.coarseSlots,
}).rows`FROM datacenter_slot_group
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day >= ${'fromDay:day'} AND day <= ${'toDay:day'}
  ORDER BY day`;

const wholeDays = sql.joined({
  day: datacenterWholeDay.day,
  ...coveredOf(datacenterWholeDay),
  late: datacenterWholeDay.late,
  corrected: datacenterWholeDay.corrected,
  coarse: datacenterWholeDay.coarse,
}).rows`
  FROM datacenter_whole_day
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day >= ${'fromDay:day'} AND day <= ${'toDay:day'}`;

const slotsOf = sql.joined({
  slot: datacenterSlot.slot,
  ...coveredOf(datacenterSlot),
  late: sql.number`late > 0`,
  corrected: sql.number`corrected > 0`,
  coarse: sql.number`coarse > 0`,
}).rows`
  FROM datacenter_slot
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND slot >= ${'fromSlot:slot'} AND slot < ${'toSlot:slot'}`;

const meters = (quantity: MeteredQuantity) =>
  sql.number`total(change) FILTER (WHERE quantity = ${sql.verbatim(`'${quantity}'`)})`;
/** The meters of each quantity at the start of a period: one range of the primary key. */
const expectedBefore = sql.joined({
  it: meters('it'),
  facility: meters('facility'),
  water: meters('water'),
  renewable: meters('renewable'),
  reused: meters('reused'),
  co2: meters('co2'),
  meter: meters('meter'),
}).row`FROM datacenter_register_step
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND slot <= ${'fromSlot:slot'}`;

const steps = sql.joined({
  slot: datacenterRegisterStep.slot,
  quantity: datacenterRegisterStep.quantity,
  change: datacenterRegisterStep.change,
}).rows`FROM datacenter_register_step
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND slot > ${'fromSlot:slot'} AND slot < ${'toSlot:slot'}
  ORDER BY slot`;

/** The number of meters of IT equipment and of the facility at any time, as a running sum of its changes. */
const runningMeters = (quantity: 'it' | 'facility') =>
  sql.part`total(change) FILTER (WHERE quantity = ${sql.verbatim(`'${quantity}'`)}) OVER (ORDER BY slot) AS ${sql.verbatim(quantity)}`;
const mostMeters = sql.joined({
  it: sql.number`coalesce(max(it), 0)`,
  facility: sql.number`coalesce(max(facility), 0)`,
}).row`FROM (
    SELECT ${runningMeters('it')}, ${runningMeters('facility')} FROM datacenter_register_step
    WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND slot < ${'toSlot:slot'}
  )`;

/**
 * Returns how many meters of IT equipment or of the facility fewer are in service at the end of some days
 * than at any time before: meters that were retired, and none took their place.
 */
export async function unreplacedMeters(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
  { toDay }: Days,
  { it, facility }: { it: number; facility: number },
): Promise<number> {
  const most = await mostMeters(snapshot, { clusterSeq, class: name, toSlot: (toDay + 1) * DAY_SLOTS });
  return Math.max(0, (most?.it ?? 0) - it, (most?.facility ?? 0) - facility);
}

/**
 * Returns what the slots of some days say about one class of a cluster's telemetry. It reads a few rows of
 * each day, and all slots only of days in which a meter began or ended. Others are served between days.
 */
export async function slotTally(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
  { fromDay, toDay }: Days,
) {
  const cluster = { clusterSeq, class: name };
  const days = { ...cluster, fromDay, toDay };
  const slots = { ...cluster, fromSlot: fromDay * DAY_SLOTS, toSlot: (toDay + 1) * DAY_SLOTS };
  const changes = await steps(snapshot, slots);
  const inner = new Set(
    changes.filter(({ slot }) => slot % DAY_SLOTS !== 0).map(({ slot }) => Math.floor(slot / DAY_SLOTS)),
  );
  const single = new Map<number, DaySlots>();
  for (const day of inner) {
    const bounds = { ...cluster, fromSlot: day * DAY_SLOTS, toSlot: (day + 1) * DAY_SLOTS };
    const paused = slices.pause();
    if (paused !== undefined) await paused;
    single.set(day, await slotsOf(snapshot, bounds));
  }
  const readings = {
    fromDay,
    toDay,
    before: (await expectedBefore(snapshot, slots)) ?? NO_METERS,
    steps: changes,
    groups: await groups(snapshot, days),
    wholeDays: await wholeDays(snapshot, days),
    single,
  };
  return slices.run(tallySteps(readings));
}
