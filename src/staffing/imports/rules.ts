import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { unreadable } from '../../platform/files/read.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { currentRegistry } from '../registry/current.ts';
import { describeRegistry, type RegistryDescription } from '../registry/description.ts';
import type { RegistryInfo } from '../registry/open.ts';
import { isImported } from './report.ts';
import type { Prepared } from './work.ts';

/** An import that is not allowed: a rule says so, and nothing went wrong. */
export class Refused extends Failure {}

/** Reads what is served now; null for nothing. @throws Failure for a file that is not a registry */
function servedNow(directory: string): RegistryDescription | null {
  const name = currentRegistry(directory);
  return name === null ? null : describeRegistry(join(directory, name));
}

/**
 * Reads what is served now, including a file that cannot be read: a forced import of a monthly file replaces
 * it.
 * @returns null for nothing, and for an unreadable file with `isForced` @throws Failure for an unreadable
 * file without it
 */
export function replaceableNow(directory: string, isForced: boolean): RegistryDescription | null {
  try {
    return servedNow(directory);
  } catch (error) {
    if (isForced) return null;
    throw error;
  }
}

/**
 * Refuses a file of the future: every file until that day would be too old after it. One day of tolerance is
 * for clocks and time zones.
 * @param name of the file @param asOf YYYY-MM-DD @throws Refused
 */
export function refuseFuture(name: string, asOf: string, clock: Clock): void {
  const day = (time: number): string => timestampOf(time).slice(0, 10);
  if (asOf <= day(clock.now() + DAY_MS)) return;
  throw new Refused(
    `${name} is as of ${asOf}, which is in the future: today is ${day(clock.now())} (UTC)`,
    'give the file the name that it was published with, or correct the clock; --force does not permit it',
  );
}

/**
 * Refuses a file from which the registry gets nothing: no row can be read, or a new registry has no
 * clinician. Such a file is damaged or of another kind, so that no option permits it. @param name of the file
 * @throws Refused
 */
export function refuseEmpty(name: string, { records, rows }: Pick<Prepared, 'records' | 'rows'>): void {
  const hasValidRow = rows === null || rows.read > rows.bad;
  if (hasValidRow && records !== 0) return;
  throw new Refused(
    `${name} has no ${hasValidRow ? 'clinician for the registry' : 'valid row'}`,
    'download the file again; --force does not permit it. countersign registry status --json shows bad rows by line',
  );
}

/**
 * The share of the old clinicians that a new registry must have: fewer mean that the file is not complete.
 */
const LEAST_PERCENT = 95;

/**
 * Refuses a new registry with too few clinicians. The sample of a first start, and any other sample before
 * real data, may be replaced by anything. @throws Refused
 */
export function refuseTooSmall(
  served: RegistryDescription | null,
  { records, sample }: Pick<Prepared, 'records' | 'sample'>,
  directory: string,
): void {
  if (served === null || records === null) return;
  if (served.sample && (sample === false || !isImported(directory, served.name))) return;
  if (records * 100 >= served.records * LEAST_PERCENT) return;
  throw new Refused(
    `the new registry has ${grouped(records)} clinicians, the current one ${grouped(served.records)}: fewer than ${LEAST_PERCENT} %`,
    'check that the file is complete; if the number is right, import it with --force',
  );
}

/**
 * Refuses a change that removes too many clinicians at once, such as by a list of another kind. @param
 * removed how many clinicians it removes
 * @throws Refused
 */
export function refuseManyRemoved({ records }: RegistryDescription, removed: number): void {
  if ((records - removed) * 100 >= records * LEAST_PERCENT) return;
  throw new Refused(
    `the import would remove ${grouped(removed)} of ${grouped(records)} clinicians: more than ${100 - LEAST_PERCENT} %`,
    'check that the file is the right one; if the number is right, import it with --force',
  );
}

/**
 * Refuses a weekly file that is not newer than the data. @returns a warning for a gap; null for none @throws
 * Refused
 */
export function refuseOld(served: RegistryDescription, asOf: string): string | null {
  if (asOf <= served.asOf) {
    throw new Refused(
      `the weekly file is as of ${asOf}, and the registry is as of ${served.asOf}`,
      'import a weekly file that is newer than the registry, or the newest monthly file',
    );
  }
  const days = (Date.parse(asOf) - Date.parse(served.asOf)) / DAY_MS;
  return days <= 7
    ? null
    : `the weekly file is ${days} days newer than the registry: the weeks between are missing until the next monthly file`;
}

/** The age in days from which the data is out of date: CMS publishes a whole file every month. */
const OLD_DAYS = 45;

/** Returns the problem that real data is old, for the administrator; null for none. */
export function oldData({ as_of: asOf, sample }: RegistryInfo, clock: Clock): string | null {
  const days = Math.floor((clock.now() - Date.parse(asOf)) / DAY_MS);
  if (sample || days < OLD_DAYS) return null;
  return `The data of the registry is ${days} days old: import the newest files.`;
}

/**
 * Checks that a file exists, is a regular file and may be read, and returns its size in bytes. @throws
 * Failure
 */
export function sizeOfInput(path: string): number {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (!stats.isFile())
    throw new Failure(`${path} is not a regular file`, 'specify a file that was downloaded');
  return stats.size;
}

/** Space that stays free, so that the service can continue to write: 64 MiB. */
const RESERVE = 64 * 2 ** 20;

/** Checks that a file system has enough free space. @param needed bytes @throws Refused */
export function requireSpace(directory: string, needed: number, what: string): void {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= needed + RESERVE) return;
  throw new Refused(
    `${what} needs about ${grouped(needed + RESERVE)} bytes of disk space in ${directory}, and ${grouped(free)} are free`,
    'free some space, or move the data directory to a larger disk',
  );
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
