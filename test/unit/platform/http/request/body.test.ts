import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import {
  type JsonBodyRules,
  MAX_BODY_ITEMS,
  readJson,
} from '../../../../../src/platform/http/request/body.ts';

/** Nearly 1 MiB of units, which differ by their number. */
function mebibyte(unit: (index: number) => string): string {
  const units: string[] = [];
  for (let index = 0, length = 0; length < 1_040_000; index++) {
    units.push(unit(index));
    length += unit(index).length + 1;
  }
  return units.join(',');
}

async function refusalOf(
  text: string | Uint8Array<ArrayBuffer>,
  rules: JsonBodyRules = {},
  contentEncoding?: string,
): Promise<Refusal | null> {
  const encoding = contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding };
  const headers = { 'content-type': 'application/json', ...encoding };
  try {
    await readJson(new Request('http://localhost', { method: 'POST', headers, body: text }), rules);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Bodies whose parsing alone took 50 ms and more. */
const COSTLY: [string, string][] = [
  ['names like integers', `{${mebibyte((index) => `"${(index * 7919) % 4294967291}":0`)}`],
  ['short names', `{${mebibyte((index) => `"${index.toString(36)}":0`)}`],
  [
    'names in reverse, and a surrogate pair',
    `{"x":"\\ud83d\\ude00",${mebibyte((index) => `"_${1e7 - index}":0`)}`,
  ],
  ['objects of one name each', `{"a":[${mebibyte((index) => `{"_${index}":0}`)}`],
  ['one name again and again', `{${mebibyte(() => '"a":0')}`],
  ['empty objects', `{"a":[${mebibyte(() => '{}')}`],
  ['nested arrays', `{"a":[${mebibyte(() => '['.repeat(60) + ']'.repeat(60))}`],
];

describe('a body of 1 MiB', () => {
  test.each(COSTLY)(
    'with %s is refused for its size, before its end is found to be no JSON',
    async (_, text) => {
      const rule = 'must have at most 20000 members and elements together';
      const refusal = await refusalOf(`${text}, and this is no JSON`);
      expect(refusal?.cause).toBe('invalid');
      expect(refusal?.details.message).toStartWith(`The body ${rule}. A member `);
      expect(refusal?.details.issues).toEqual({ body: [rule] });
    },
  );

  test('of one long text is read', async () => {
    expect(await refusalOf(`{"a":"${'\\"'.repeat(500_000)}"}`)).toBeNull();
  });
});

test('a body has a maximum number of members and elements, which its route may raise', async () => {
  const body = (items: number): string => `{"a":[${'0,'.repeat(items - 2)}0]}`;
  expect(await refusalOf(body(MAX_BODY_ITEMS))).toBeNull();
  expect((await refusalOf(body(MAX_BODY_ITEMS + 1)))?.cause).toBe('invalid');
  expect(await refusalOf(body(MAX_BODY_ITEMS + 1), { maxItems: MAX_BODY_ITEMS + 1 })).toBeNull();
  expect((await refusalOf(body(4), { maxItems: 3 }))?.details.message).toContain('at most 3 members');
});

describe('a compressed body', () => {
  const rules: JsonBodyRules = { acceptsGzip: true };
  const refusedAs = async (body: Uint8Array<ArrayBuffer>, encoding = 'gzip', own = rules) => {
    const refusal = await refusalOf(body, own, encoding);
    return refusal === null ? null : [refusal.cause, refusal.details.message];
  };
  const json = gzipSync('{"a":1}');

  test('is read where the route accepts it', async () => {
    expect(await refusedAs(json)).toBeNull();
    expect(await refusedAs(json, 'GZIP')).toBeNull();
  });

  test('is refused where the route does not, and in any other encoding', async () => {
    expect(await refusedAs(json, 'gzip', {})).toEqual(['media_type', undefined]);
    expect(await refusedAs(json, 'gzip, gzip')).toEqual(['media_type', undefined]);
    expect(await refusedAs(json, 'zstd', { ...rules, otherMediaType: 'Only gzip.' })).toEqual([
      'media_type',
      'Only gzip.',
    ]);
  });

  test('that describes more than 1 MiB is refused before it is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 2 ** 20, ' '));
    const before = process.memoryUsage().rss;
    expect(await refusedAs(bomb)).toEqual(['too_large', 'The body is larger than 1048576 bytes.']);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });

  test.each([
    ['no gzip', Buffer.from('{"a":1}')],
    ['cut off', json.subarray(0, -4)],
    ['followed by other bytes', Buffer.concat([json, Buffer.from('{}')])],
  ])('that is %s is refused', async (_what, body) => {
    expect(await refusedAs(new Uint8Array(body))).toEqual(['invalid', 'The body is not valid gzip.']);
  });
});

test('an integer beyond doubles is refused, unless the route rounds integers', async () => {
  const body = '{"timeUnixNano":1777593600000000001}';
  expect((await refusalOf(body))?.cause).toBe('invalid_json');
  expect(await refusalOf(body, { roundsIntegers: true })).toBeNull();
});

test('a short body that arrives after a long one is read first', async () => {
  const members = Array.from({ length: 40_000 }, (_, index) => `"name${(index * 7919) % 40_000}":${index}`);
  const read: string[] = [];
  const long = refusalOf(`{${members.join(',')}}`, { maxItems: 44_000 }).then((refusal) => {
    expect(refusal).toBeNull();
    read.push('long');
  });
  await refusalOf('{"a":1}');
  read.push('short');
  await long;
  expect(read).toEqual(['short', 'long']);
});
