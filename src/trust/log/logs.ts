import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonOf, type LogName, mapLogs } from '../../proof/log/log-names.ts';
import { allLogs, FIRST_LEAF, type LogRow } from './store.ts';

export { allLogs, FIRST_LEAF, type LogRow };

/** The open log of each name. */
export type Logs = Readonly<Record<LogName, LogRow>>;

/**
 * Reads the open logs; null if one is missing, before the first start of the service or of a newer version.
 */
export async function openLogs(snapshot: Snapshot): Promise<Logs | null> {
  return openLogsOf(await allLogs(snapshot));
}

/** Picks the open logs among all logs. */
export function openLogsOf(logs: readonly LogRow[]): Logs | null {
  const open = logs.filter(({ closedSize }) => closedSize === null);
  const byName = mapLogs((name) => open.find((log) => log.name === name));
  const { receipts, keys, revocations, evidence, accounts } = byName;
  if (receipts && keys && revocations && evidence && accounts)
    return { receipts, keys, revocations, evidence, accounts };
  return null;
}

/** The open logs of a directory that an earlier version made, which may lack some of LATER_LOGS. */
export type EarlierLogs = Readonly<{ receipts: LogRow } & Partial<Logs>>;

/** Picks the open logs of a directory that lacks some of LATER_LOGS; null if it has all logs, or none. */
export function earlierLogsOf(logs: readonly LogRow[]): EarlierLogs | null {
  const open = logs.filter(({ closedSize }) => closedSize === null);
  const receipts = open.find(({ name }) => name === 'receipts');
  if (receipts === undefined || openLogsOf(logs) !== null) return null;
  return { ...Object.fromEntries(open.map((log) => [log.name, log])), receipts };
}

/** Returns the common part of the origins of the open logs. */
export function commonOrigin({ receipts }: Pick<Logs, 'receipts'>): string {
  return commonOf(receipts);
}

/**
 * Returns the common part of the origins of the first logs, which no renaming and no restart changes; null
 * before the first start.
 *
 * @param logs every log, including closed ones, oldest first
 */
export function firstOrigin(logs: readonly LogRow[]): string | null {
  const first = logs.find(({ name }) => name === 'receipts');
  return first === undefined ? null : commonOf(first);
}

/**
 * Returns the name that the first start or a renaming gave the logs last, without the number that a restart
 * adds; null before the first start.
 *
 * @param logs every log, including closed ones, oldest first
 */
export function givenOrigin(logs: readonly LogRow[]): string | null {
  const names = logs.filter(({ name }) => name === 'receipts').map(commonOf);
  let givenName: string | null = null;
  for (const [index, name] of names.entries()) {
    // A restart skips the numbers of logs that a restored database does not know.
    const ordinal = givenName === null ? null : restartOrdinal(givenName, name);
    if (ordinal === null || ordinal <= index) givenName = name;
  }
  return givenName;
}

/**
 * Returns the name that a restart gives the logs.
 * @param ordinal of the log that it opens; the first log is 1
 */
export function restartedName(givenName: string, ordinal: number): string {
  return `${givenName}-${ordinal}`;
}

/**
 * Returns the number that a restart added to a name; null for another name. A number has at most three
 * digits: `acme.example-2027` is a name that an administrator chose.
 */
export function restartOrdinal(givenName: string, name: string): number | null {
  const prefix = `${givenName}-`;
  const digits = name.slice(prefix.length);
  return name.startsWith(prefix) && /^[1-9]\d{0,2}$/.test(digits) ? Number(digits) : null;
}
