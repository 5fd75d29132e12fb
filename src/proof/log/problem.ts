/** A problem that an audit found in a row of the database or at a position of a log. */
export interface Problem {
  /** The table; in a remote audit the part of the log: `entry`, `tile`, `checkpoint` or `key`. */
  table: string;
  /** The row's primary key, such as `{ receipt_seq: 7, version: 2 }`. */
  row: Record<string, string | number | null>;
  /** The identifier of the receipt, checkpoint or key with the problem, if it has one. */
  id?: string;
  /** The log's origin, and the leaf's index in that log. */
  log?: string;
  index?: number;
  /** The description of the problem, which follows the position in `sentenceOf`. */
  what: string;
  expected?: string;
  found?: string;
}

/** A problem for people, one sentence: where, what, expected and found. */
export function sentenceOf({ table, row, id, log, index, what, expected, found }: Problem): string {
  const key = Object.entries(row).map(([column, value]) => `${column} ${value}`);
  const place = key.length === 0 ? table : `${table} (${key.join(', ')})`;
  const leaf = index === undefined ? '' : `index ${index} of `;
  const named = [id, log === undefined ? undefined : `${leaf}${log}`].filter((part) => part !== undefined);
  const values = [
    expected === undefined ? undefined : `expected ${expected}`,
    found === undefined ? undefined : `found ${found}`,
  ].filter((part) => part !== undefined);
  const valueText = values.length === 0 ? '' : `: ${values.join(', ')}`;
  return `${[place, ...named].join(', ')}: ${what}${valueText}`;
}

/** Returns an error's message; for any other thrown value, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
