/** The logs of an installation. */
export const LOG_NAMES = ['receipts', 'keys', 'revocations'] as const;

export type LogName = (typeof LOG_NAMES)[number];

/** The logs whose entries represent signed versions of receipts. */
export type LeafLog = Extract<LogName, 'receipts' | 'revocations'>;

/** Returns a record with a value for each log. `valueOf` is called in the order of `LOG_NAMES`. */
export function mapLogs<T>(valueOf: (name: LogName) => T): Record<LogName, T> {
  return {
    receipts: valueOf('receipts'),
    keys: valueOf('keys'),
    revocations: valueOf('revocations'),
  };
}

/** Does the same with promises, one after the other, as the statements of a transaction must be. */
export async function mapLogsInOrder<T>(valueOf: (name: LogName) => Promise<T>): Promise<Record<LogName, T>> {
  return {
    receipts: await valueOf('receipts'),
    keys: await valueOf('keys'),
    revocations: await valueOf('revocations'),
  };
}

/** Returns the origin of one of an installation's logs: `<origin>/<name>`. */
export function originOf(origin: string, name: LogName): string {
  return `${origin}/${name}`;
}

/** Returns the installation's part of a log's origin: the part before `/<name>`. */
export function commonOf({ origin, name }: { origin: string; name: LogName }): string {
  return origin.slice(0, -originOf('', name).length);
}
