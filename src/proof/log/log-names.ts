/** The logs of an installation. */
export const LOG_NAMES = ['receipts', 'keys', 'revocations'] as const;

export type LogName = (typeof LOG_NAMES)[number];

/** The logs whose entries stand for signed versions of receipts. */
export type LeafLog = Exclude<LogName, 'keys'>;

/** The origins of an installation's logs: what is theirs in common, a slash, and the name. */
export function originOf(origin: string, name: LogName): string {
  return `${origin}/${name}`;
}

/** What stands before the name in the origin of a log, which ends in it. */
export function commonOf({ origin, name }: { origin: string; name: LogName }): string {
  return origin.slice(0, -originOf('', name).length);
}
