import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { equalJson } from '../../../../src/proof/encoding/equal-json.ts';
import { type JsonValue, parseCanonicalJson, parseJson } from '../../../../src/proof/encoding/json.ts';

const value = fc.jsonValue().map((one): JsonValue => parseCanonicalJson(JSON.stringify(one)));

describe('two parsed values', () => {
  test('are the same if all of their members and elements are', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(equalJson(one, parseCanonicalJson(JSON.stringify(one)))).toBe(true);
        expect(equalJson(one, other)).toBe(Bun.deepEquals(one, other, true));
      }),
    );
  });

  test.each([
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
    ['{"a":1}', '{"b":1}', false],
    ['{"a":null}', '{}', false],
    ['{"a":1}', '{"a":1,"b":1}', false],
    ['[]', '{}', false],
    ['{}', '[]', false],
    ['[1,2]', '[2,1]', false],
    ['[1]', '[1,1]', false],
    ['0', '-0', false],
    ['1', '"1"', false],
    ['null', '{}', false],
    ['"é"', '"e\u0301"', false],
    ['{"__proto__":1}', '{"__proto__":1}', true],
    ['{"__proto__":{}}', '{"toString":{}}', false],
  ])('%s and %s: %p', (one, other, isEqual) => {
    expect(equalJson(parseJson(one), parseJson(other))).toBe(isEqual);
  });
});
