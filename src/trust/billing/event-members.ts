/** The members of an object of an event. They are read one by one: see `factOf`. */
export type Members = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an id, even of an expanded object; null for none, and for an id that no column can store. */
export function idOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value : recordOf(value).id;
  return typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id) ? id : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** The latest time that the service stores, in seconds since 1970: the end of the year 9999. */
const LATEST_S = 253_402_300_799;

/** Returns a time in milliseconds since 1970; null for none, and for one that is no time. */
export function timeOf(seconds: unknown): number | null {
  const time = whole(seconds);
  return time === null || time < 0 || time > LATEST_S ? null : time * 1000;
}
