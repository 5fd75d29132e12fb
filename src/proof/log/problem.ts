/** Something that is not as it has to be, in a row of the database or a place of a log. */
export interface Problem {
  /** The table; of a log that is audited from outside, what of it: `entry`, `tile`, `checkpoint`, `key`. */
  table: string;
  /** The row's own key, such as `{ receipt_seq: 7, version: 2 }`. */
  row: Record<string, string | number | null>;
  /** The receipt, checkpoint or key that it is about, where it has a name of its own. */
  id?: string;
  /** The log, by its origin, and the leaf's index in it. */
  log?: string;
  index?: number;
  /** What is wrong, in the words that follow the place. */
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

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
