/** The logs of an installation. */
export const LOG_NAMES = ['receipts', 'keys', 'revocations'] as const;

export type LogName = (typeof LOG_NAMES)[number];

/** The logs whose entries represent signed versions of receipts. */
export type LeafLog = Exclude<LogName, 'keys'>;

/** Returns the origin of one of an installation's logs: `<origin>/<name>`. */
export function originOf(origin: string, name: LogName): string {
  return `${origin}/${name}`;
}

/** Returns the installation's part of a log's origin: the part before `/<name>`. */
export function commonOf({ origin, name }: { origin: string; name: LogName }): string {
  return origin.slice(0, -originOf('', name).length);
}
