import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import { readForm } from '../../../../../src/platform/http/request/form.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const RULES = { fields: ['name', 'url'], lists: ['events'] } as const;

const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = FORM) =>
  new Request('http://localhost/form', { method: 'POST', body, headers });

/** Returns why a body is refused: the cause, and the field with its problem. */
async function refusalOf(
  body: string | Buffer<ArrayBuffer>,
  headers?: Record<string, string>,
): Promise<unknown> {
  try {
    await readForm(post(body, headers), RULES);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.cause, ...Object.entries(error.details.issues ?? {}).flat(2)];
  }
}

describe('the body of a form', () => {
  test('has fields and lists, as a browser sends them', async () => {
    const sent = new URLSearchParams([
      ['name', 'a + b = 100 % & “ünïcödé” 🧾\r\n'],
      ['events', 'evidence.anchored'],
      ['events', 'enrollment.completed'],
    ]);
    expect(await readForm(post(sent.toString()), RULES)).toEqual({
      fields: { name: 'a + b = 100 % & “ünïcödé” 🧾\r\n', url: '' },
      lists: { events: ['evidence.anchored', 'enrollment.completed'] },
    });
  });

  test('may be empty, declare its charset, and have fields without a value', async () => {
    const empty = { fields: { name: '', url: '' }, lists: { events: [] } };
    expect(await readForm(post(''), RULES)).toEqual(empty);
    for (const type of [
      'application/x-www-form-urlencoded; charset=utf-8',
      'APPLICATION/X-WWW-FORM-URLENCODED;charset="UTF-8"',
    ]) {
      expect(await readForm(post('name&url=&', { 'content-type': type }), RULES)).toEqual(empty);
    }
  });

  test('keeps names of the language as fields', async () => {
    const { fields } = await readForm(post('__proto__=1&constructor=2'), {
      fields: ['__proto__', 'constructor'],
    });
    expect(Object.entries(fields)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  const cases: [string, string | Buffer<ArrayBuffer>, readonly string[], Record<string, string>?][] = [
    ['a repeated field', 'name=a&name=b', ['invalid', 'name', 'is given more than once']],
    ['a repeated empty field', 'name=&name', ['invalid', 'name', 'is given more than once']],
    ['an unknown field', 'admin=true', ['invalid', 'admin', 'is not a known field']],
    ['an unknown field of the language', '__proto__=1', ['invalid', '__proto__', 'is not a known field']],
    ['a long unknown name', `${'x'.repeat(5000)}=1`, ['invalid', 'x'.repeat(64), 'is not a known field']],
    ['a lone percent', 'name=100%', ['invalid', 'body', 'has a percent encoding that is not UTF-8']],
    [
      'percent encoding of Latin-1',
      'name=%FC',
      ['invalid', 'body', 'has a percent encoding that is not UTF-8'],
    ],
    [
      'an encoded surrogate',
      'name=%ED%A0%80',
      ['invalid', 'body', 'has a percent encoding that is not UTF-8'],
    ],
    ['bytes that are not UTF-8', Buffer.from([0x6e, 0xff]), ['invalid', 'body', 'is not UTF-8']],
    ['101 fields', 'events=a&'.repeat(101), ['invalid', 'body', 'must have at most 100 fields']],
    ['a body above 32 KiB', `name=${'a'.repeat(32_768)}`, ['too_large']],
    ['JSON', '{}', ['media_type'], { 'content-type': 'application/json' }],
    ['no media type', Buffer.from('name=a'), ['media_type'], {}],
    [
      'another charset',
      'name=a',
      ['media_type'],
      { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' },
    ],
    ['multipart', 'name=a', ['media_type'], { 'content-type': 'multipart/form-data; boundary=a' }],
    ['compression', 'name=a', ['media_type'], { ...FORM, 'content-encoding': 'gzip' }],
  ];
  for (const [name, body, refusal, headers] of cases) {
    test(`is refused with ${name}`, async () => {
      expect(await refusalOf(body, headers)).toEqual(refusal);
    });
  }
});
