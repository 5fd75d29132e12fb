import { describe, expect, test } from 'bun:test';
import { csvRows } from '../../../../../src/trust/commands/reconcile/csv-rows.ts';

/** Yields bytes in pieces of a size. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 1 << 20): Promise<[number, string[]][]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const rows: [number, string[]][] = [];
  for await (const { line, values } of csvRows(pieces(bytes, size), 'f.csv')) rows.push([line, values]);
  return rows;
}

describe('rows of CSV', () => {
  const text = '\ufeffa,b\r\n1,"x, ""y""\r\nz"\r\n\r\n"2",\n,"é"';
  const rows: [number, string[]][] = [
    [1, ['a', 'b']],
    [2, ['1', 'x, "y"\r\nz']],
    [5, ['2', '']],
    [6, ['', 'é']],
  ];

  test('have quotes, line breaks in values, a byte order mark, and lines of both kinds', async () => {
    expect(await read(text)).toEqual(rows);
  });

  test('are the same in pieces of any size', async () => {
    for (let size = 1; size < 40; size++) expect([size, await read(text, size)]).toEqual([size, rows]);
  });

  test.each([
    ['a,b\n1,x"y"\n', 'line 2 of f.csv is no CSV: a quote is in the middle of a value'],
    ['a\n"1" 2\n', 'line 2 of f.csv is no CSV: a closing quote is not followed by a comma'],
    ['a\n"1\n2', 'line 2 of f.csv is no CSV: a quote is not closed'],
    [`a\n${'x'.repeat(300_000)}`, 'begins a row of more than 262144 characters'],
  ])('are refused in %j', async (bad, message) => {
    expect(await read(bad, 1000).catch((error: Error) => error.message)).toContain(message);
  });

  test('are refused in other bytes than UTF-8', async () => {
    expect(await read(new Uint8Array([97, 10, 255, 10])).catch((error: Error) => error.message)).toBe(
      'f.csv is not UTF-8, after line 1',
    );
  });
});
