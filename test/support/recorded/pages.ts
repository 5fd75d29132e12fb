import { client } from '../client.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Reads a resource by a key. @throws Error for any response but 200 */
export type Read = (path: string, key?: string | null) => Promise<Row>;

/** Returns a function that reads from a service. */
export function reader(url: string): Read {
  return async (path, key = null) => {
    const { status, body } = await client(fetch, url, key).get(path);
    if (status !== 200) throw new Error(`GET ${path} is ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

/** Reads all pages of a list. @param member the member that has the rows @param path with a query */
export async function allPages(read: Read, path: string, member: string, key: string | null = null) {
  const rows: Row[] = [];
  for (let cursor: unknown = null; ; ) {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const page = await read(`${path}${after}`, key);
    rows.push(...rowsOf(page[member]));
    cursor = page.next_cursor ?? null;
    if (cursor === null) return rows;
  }
}

/** The rows of a value that must be an array. */
export function rowsOf(value: unknown): Row[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value.map((row) => Object(row));
}

/** Some members of a row; an absent one is left out. */
export function pick(row: Row, ...names: readonly string[]): Row {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));
}

/** Rows by the value of a member, each with some of its members. */
export function by(rows: readonly Row[], member: string, ...names: readonly string[]): Record<string, Row> {
  return Object.fromEntries(rows.map((row) => [String(row[member]), pick(row, ...names)]));
}
