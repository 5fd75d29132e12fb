import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  escapesLoneSurrogate,
  isJsonObject,
  JsonError,
  type JsonErrorReason,
  type JsonLimits,
  parseJson,
} from '../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';

function refusal(text: string, limits?: JsonLimits): JsonErrorReason | 'accepted' {
  try {
    parseJson(text, limits);
    return 'accepted';
  } catch (error) {
    if (error instanceof JsonError) return error.reason;
    throw error;
  }
}

/** Whether a double's shortest digits are an integer that is not its value. */
function isInexact(value: unknown): boolean {
  return (
    typeof value === 'number' && /^-?\d{16,}$/.test(String(value)) && BigInt(value) !== BigInt(String(value))
  );
}

/** Without the doubles that JavaScript prints as integers that they are not. */
const jsonValue = fc
  .jsonValue()
  .map((value): unknown => JSON.parse(JSON.stringify(value, (_, part) => (isInexact(part) ? 0 : part))));

describe('reading JSON', () => {
  test('any value reads as JSON.parse reads it, however it is spaced', () => {
    fc.assert(
      fc.property(jsonValue, fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('names and texts full of quotes, colons, brackets and backslashes are counted right', () => {
    const awkward = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '}', '[', ',', 'a', '\u2028') });
    fc.assert(
      fc.property(fc.dictionary(awkward, fc.oneof(awkward, fc.array(awkward))), (value) => {
        expect(refusal(JSON.stringify(value))).toBe('accepted');
      }),
    );
  });

  test('a member named a second time is refused wherever it stands', () => {
    fc.assert(
      fc.property(jsonValue, fc.string(), jsonValue, jsonValue, (inner, name, first, second) => {
        const member = JSON.stringify(name);
        const twice = `{${member}:${JSON.stringify(first)},${member}:${JSON.stringify(second)}}`;
        expect(refusal(`{"outer":[${JSON.stringify(inner)},${twice}]}`)).toBe('duplicate_member');
      }),
    );
  });

  test('two spellings of one name are one name', () => {
    expect(refusal('{"a":1,"\\u0061":2}')).toBe('duplicate_member');
    expect(refusal('{"__proto__":1,"__proto__":2}')).toBe('duplicate_member');
  });

  test('a repeated member whose first value held as many members is still seen', () => {
    expect(refusal('{"a":{"x":1,"y":2},"a":{"x":1}}')).toBe('duplicate_member');
  });

  test('one name in two objects is no repetition', () => {
    expect(parseJson('[{"a":1},{"a":{"a":2}}]')).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  test('__proto__ is a member like any other', () => {
    const value = parseJson('{"__proto__":{"admin":true},"constructor":1,"toString":2}');
    expect(isJsonObject(value) && Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('nesting is taken up to the limit and refused beyond it', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    expect(refusal(nested(64))).toBe('accepted');
    expect(refusal(nested(66))).toBe('too_deep');
    expect(refusal(nested(66), { maxDepth: 66 })).toBe('accepted');
    expect(refusal('[[]]', { maxDepth: 1 })).toBe('too_deep');
    expect(refusal('[[],[],{}]', { maxDepth: 2 })).toBe('accepted');
    expect(refusal(JSON.stringify('['.repeat(100)))).toBe('accepted');
  });

  test.each([
    ['{"a":1,"b":[2,3]}', 4],
    ['[1,2,3]', 3],
    ['[[[1]]]', 3],
    ['["a,b:[{",",",1]', 3],
    ['1', 0],
    // An empty one counts as if it had one.
    ['[[],{}]', 4],
    // Names that are like integers cost the engine more, however they are written.
    ['{"1":0,"a":"1"}', 4],
    ['{"\\u0031":0}', 3],
    ['["1","2"]', 2],
  ])('%s holds %d items', (text, items) => {
    expect(refusal(text, { maxItems: items })).toBe('accepted');
    if (items > 0) expect(refusal(text, { maxItems: items - 1 })).toBe('too_many');
  });

  test('a text of too many items is refused before what follows is looked at', () => {
    const broken = `[${'0,'.repeat(101)}9007199254740993,"a":"a":}${'['.repeat(100)}`;
    expect(refusal(broken, { maxItems: 100 })).toBe('too_many');
    expect(refusal(broken, { maxItems: 1000 })).not.toBe('too_many');
  });

  test('escaped halves of surrogate pairs are found wherever they stand, and pairs are none', () => {
    const unit = fc.constantFrom('\\ud83d', '\\uDE00', '\\\\', '\\n', '\\u0061', 'ud83d', '\u{1f600}', 'a');
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = `"${units.join('')}"`;
        expect([text, inOneGo(escapesLoneSurrogate(text))]).toEqual([
          text,
          !String(JSON.parse(text)).isWellFormed(),
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  test('a mebibyte of brackets, quotes or backslashes is refused without exhausting stack or time', () => {
    for (const unit of ['[', '{"a":', '"', '\\', '\\"', '"\\']) {
      expect(refusal(unit.repeat(2 ** 20 / unit.length))).not.toBe('accepted');
    }
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '[1,]',
    '01',
    'NaN',
    '\ufeff{}',
    '{"a" 1}',
    '"\n"',
    ']',
    '"\\"',
    '1 2',
  ])('%j is no JSON', (text) => {
    expect(refusal(text)).toBe('invalid');
    expect(() => parseJson(text)).toThrow(/^not JSON: \S/);
  });

  test('an integer is taken where a double holds it exactly, and nowhere else', () => {
    const integers = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
      fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 54n }), fc.nat(900)).map(([odd, by]) => odd << BigInt(by)),
    );
    fc.assert(
      fc.property(integers, (integer) => {
        const isExact = Number.isFinite(Number(integer)) && BigInt(Number(integer)) === integer;
        for (const text of [`${integer}`, `[${integer}]`, `{"a":[1,${integer} ]}`])
          expect([text, refusal(text)]).toEqual([text, isExact ? 'accepted' : 'inexact_integer']);
      }),
    );
  });

  test.each<[string, 'accepted' | 'inexact_integer']>([
    ['9007199254740991', 'accepted'],
    ['9007199254740992', 'accepted'],
    ['9007199254740993', 'inexact_integer'],
    ['-9007199254740993', 'inexact_integer'],
    ['{"a":9007199254740993}', 'inexact_integer'],
    ['[9007199254740993,1]', 'inexact_integer'],
    ['18446744073709551615', 'inexact_integer'],
    ['18446744073709551616', 'accepted'],
    ['100000000000000000000', 'accepted'],
    ['1152921504606846976', 'accepted'],
    ['1152921504606847000', 'inexact_integer'],
    ['9007199254740993.0', 'accepted'],
    ['9007199254740993e0', 'accepted'],
    ['0.12345678901234567890', 'accepted'],
    ['1e400', 'accepted'],
    ['-0', 'accepted'],
    ['"9007199254740993"', 'accepted'],
    ['{"9007199254740993":1}', 'accepted'],
  ])('%s: %s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  test('the largest power of two is taken, and what no double reaches is not, however long it is', () => {
    expect(refusal(`${2n ** 1023n}`)).toBe('accepted');
    expect(refusal('9'.repeat(309))).toBe('inexact_integer');
    expect(refusal(`-${'9'.repeat(1_000_000)}`)).toBe('inexact_integer');
    expect(() => parseJson('9'.repeat(1_000_000))).toThrow(/9{40}…/);
  });

  test('a mebibyte of long integers takes at most ten times as long as one of short ones', () => {
    /** The fewest microseconds of processor time of several runs, which other work disturbs least. */
    const costOf = (literal: string): number => {
      const text = `[${Array(Math.floor(2 ** 20 / (literal.length + 1))).fill(literal)}]`;
      const costs = Array.from({ length: 7 }, () => {
        const before = process.threadCpuUsage();
        parseJson(text);
        const { user, system } = process.threadCpuUsage(before);
        return user + system;
      });
      return Math.min(...costs);
    };
    const short = costOf('9007199254740');
    for (const literal of ['9007199254740992', `${2n ** 1023n}`])
      expect(costOf(literal) / short).toBeLessThan(10);
  });

  test('only objects are objects', () => {
    expect([{}, [], null, 'text', 1, undefined].map(isJsonObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
