import { DAY_MS } from '../../platform/time/units.ts';

/** The slots over which energy is spread: 15 minutes. */
export const SLOT_MS = 900_000;

/**
 * Returns over how many pieces the energy of a window is spread: whole days (UTC), and slots of 15 minutes
 * before and after them. At most 127 for a window of 31 days, at most 190 for any of two days.
 * @param start inclusive, end exclusive: milliseconds since 1970
 */
export function piecesOf(start: number, end: number): number {
  const [firstSlot, endSlot] = [Math.floor(start / SLOT_MS), Math.ceil(end / SLOT_MS)];
  const firstDay = Math.ceil(start / DAY_MS);
  const days = Math.floor(end / DAY_MS) - firstDay;
  if (days <= 0) return endSlot - firstSlot;
  const slotsOfDay = DAY_MS / SLOT_MS;
  return firstDay * slotsOfDay - firstSlot + days + endSlot - (firstDay + days) * slotsOfDay;
}
