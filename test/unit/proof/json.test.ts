import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isJsonObject, JsonError, type JsonErrorReason, parseJson } from '../../../src/proof/json.ts';

function refusal(text: string, maxDepth?: number): JsonErrorReason | 'accepted' {
  try {
    parseJson(text, maxDepth);
    return 'accepted';
  } catch (error) {
    if (error instanceof JsonError) return error.reason;
    throw error;
  }
}

describe('reading JSON', () => {
  test('any value reads as JSON.parse reads it, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
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
      fc.property(
        fc.jsonValue(),
        fc.string(),
        fc.jsonValue(),
        fc.jsonValue(),
        (inner, name, first, second) => {
          const member = JSON.stringify(name);
          const twice = `{${member}:${JSON.stringify(first)},${member}:${JSON.stringify(second)}}`;
          expect(refusal(`{"outer":[${JSON.stringify(inner)},${twice}]}`)).toBe('duplicate_member');
        },
      ),
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
    expect(refusal(nested(66), 66)).toBe('accepted');
    expect(refusal('[[]]', 1)).toBe('too_deep');
    expect(refusal('[[],[],{}]', 2)).toBe('accepted');
    expect(refusal(JSON.stringify('['.repeat(100)))).toBe('accepted');
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
