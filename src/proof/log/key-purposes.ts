import { LOG_NAMES, type LogName } from './log-names.ts';

/**
 * What the keys of a log sign: its checkpoints. The keys of `keys-log` also sign the events in the key log.
 */
export type LogPurpose = `${LogName}-log`;

/** Returns the purpose of the keys of a log: `<name>-log`. */
export function logPurposeOf(name: LogName): LogPurpose {
  return `${name}-log`;
}

/** The purposes of the keys of all logs. */
export const LOG_PURPOSES: readonly LogPurpose[] = LOG_NAMES.map(logPurposeOf);

/** Every purpose of a signing key. */
export const KEY_PURPOSES = ['receipts', 'credentials', ...LOG_PURPOSES] as const;

/** Returns the log whose checkpoints a key of a purpose signs; null for a key that signs no checkpoints. */
export function logOfPurpose(purpose: string): LogName | null {
  return LOG_NAMES.find((name) => logPurposeOf(name) === purpose) ?? null;
}

/** The time that a replaced log key signs together with its successor, in milliseconds: 30 days. */
export const OVERLAP_MS = 30 * 24 * 3600_000;

/**
 * Returns the time that a replaced key of a purpose signs together with its successor, in milliseconds; 0 if
 * it does not sign for a log.
 */
export function overlapOf(purpose: string): number {
  return logOfPurpose(purpose) === null ? 0 : OVERLAP_MS;
}
