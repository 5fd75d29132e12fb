import { expect } from 'bun:test';
import fc from 'fast-check';
import type { ApiResponse } from './client.ts';
import { parametersOf } from './openapi.ts';

/** A list of a service, with at least three rows. */
export interface TestList {
  /** Path and query without `limit` and `cursor`. */
  path: string;
  /** Sends a request as a caller who may read the list. */
  get(path: string): Promise<ApiResponse>;
  /**
   * The same list with other filters, for another caller, or of another owner: a cursor is not valid there.
   */
  elsewhere: readonly { path: string; get(path: string): Promise<ApiResponse> }[];
}

/** Returns the paths of the operations in an OpenAPI document that accept a cursor. */
export function listPaths(document: Record<string, unknown>): string[] {
  return Object.entries(Object(document.paths)).flatMap(([path, item]) => {
    const isList = parametersOf(document, Object(item).get).some(({ name }) => name === 'cursor');
    return isList ? [path] : [];
  });
}

/** Returns the path with a page size of one and, if given, a cursor. */
function pagePath(path: string, cursor?: string): string {
  const query = `limit=1${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Returns the cursor after the first row. */
export async function firstCursor({ path, get }: TestList): Promise<string> {
  const { status, body } = await get(pagePath(path));
  expect([path, status, typeof body.next_cursor]).toEqual([path, 200, 'string']);
  return String(body.next_cursor);
}

/**
 * Checks that a list accepts its own cursor, and refuses all other text with 400 and `refusal`: cursors of
 * other lists and filters, and changed ones.
 */
export async function onlyOwnCursors(
  list: TestList,
  others: readonly { of: TestList; cursor: string }[],
  refusal: (response: ApiResponse) => unknown,
  runs: number,
): Promise<void> {
  const own = await firstCursor(list);
  const first = await list.get(pagePath(list.path, own));
  expect(first.status).toBe(200);
  expect((await list.get(pagePath(list.path, own))).body).toEqual(first.body);
  const refused = async (path: string, get: TestList['get'], cursor: string): Promise<void> => {
    const response = await get(pagePath(path, cursor));
    expect([path, cursor, response.status, refusal(response)]).toEqual([path, cursor, 400, 'cursor']);
  };
  for (const { path, get } of list.elsewhere) await refused(path, get, own);
  // An earlier cursor of the same list is its own too: something may have been delivered since.
  for (const { of, cursor } of others) if (of !== list) await refused(list.path, list.get, cursor);
  const bytes = Buffer.from(own, 'base64url');
  const byteChanged = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ by, at);
    return changed.toString('base64url');
  });
  const textChanged = fc
    .tuple(fc.nat(own.length), fc.nat(3), fc.string({ unit: 'grapheme', maxLength: 3 }))
    .map(([at, removed, added]) => own.slice(0, at) + added + own.slice(at + removed));
  const forged = fc
    .jsonValue({ maxDepth: 1 })
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
  const cursor = fc.oneof(
    byteChanged,
    textChanged,
    forged,
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.base64String({ maxLength: 200 }),
    fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length).toString('base64url')),
  );
  await fc.assert(
    fc.asyncProperty(cursor, async (changed) => {
      const wellFormed = changed.toWellFormed();
      if (wellFormed !== own) await refused(list.path, list.get, wellFormed);
    }),
    { numRuns: runs },
  );
}
