/** The logs of an installation. */
export const LOG_NAMES = ['receipts', 'keys', 'revocations', 'evidence', 'accounts'] as const;

export type LogName = (typeof LOG_NAMES)[number];

/**
 * The logs that installations of earlier versions do not have. They come last in LOG_NAMES, in the order in
 * which they were introduced.
 */
export const LATER_LOGS: readonly LogName[] = ['accounts'];

/** The order in which readers need the logs: the key log has the keys that signed the others. */
export const KEYS_FIRST: readonly LogName[] = ['keys', ...LOG_NAMES.filter((name) => name !== 'keys')];

/** The logs whose entries represent signed versions of receipts. */
export type LeafLog = Extract<LogName, 'receipts' | 'revocations'>;

/** Returns a record with a value for each log. `of` is called in the order of `LOG_NAMES`. */
export function mapLogs<T>(of: (name: LogName) => T): Record<LogName, T> {
  return {
    receipts: of('receipts'),
    keys: of('keys'),
    revocations: of('revocations'),
    evidence: of('evidence'),
    accounts: of('accounts'),
  };
}

/**
 * Returns a record like `mapLogs`, with values of promises that are made one after the other, as a
 * transaction demands.
 */
export async function mapLogsInOrder<T>(of: (name: LogName) => Promise<T>): Promise<Record<LogName, T>> {
  return {
    receipts: await of('receipts'),
    keys: await of('keys'),
    revocations: await of('revocations'),
    evidence: await of('evidence'),
    accounts: await of('accounts'),
  };
}

/** Returns the origin of one of an installation's logs: `<origin>/<name>`. */
export function originOf(origin: string, name: LogName): string {
  return `${origin}/${name}`;
}

/** Returns whether an origin is that of a log with this name, of any installation. */
export function isOriginOf(origin: string, name: LogName): boolean {
  return origin.endsWith(originOf('', name));
}

/** Returns the installation's part of a log's origin: the part before `/<name>`. */
export function commonOf({ origin, name }: { origin: string; name: LogName }): string {
  return origin.slice(0, -originOf('', name).length);
}
