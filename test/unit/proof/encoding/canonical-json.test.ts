import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CanonicalJsonError, canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import { type JsonValue, parseCanonicalJson, parseJson } from '../../../../src/proof/encoding/json.ts';
import { vectorText } from '../../../support/vectors.ts';

const text = fc.string({ unit: 'binary' });
const number = fc
  .double({ noDefaultInfinity: true, noNaN: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
}));

/** The same value with the members of every object in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

describe('canonical JSON', () => {
  test('it reads back as the value it was written from, and is its own canonical form', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const canonical = canonicalJson(value);
        const read = parseJson(canonical, { maxDepth: 1024 });
        expect(read).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(read)).toBe(canonical);
      }),
    );
  });

  test('it does not depend on the order of members', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('every string is written as ECMAScript writes it', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(canonicalJson(value)).toBe(JSON.stringify(value));
      }),
    );
    for (let code = 0; code < 0x100; code++) {
      const character = String.fromCharCode(code);
      expect(canonicalJson(character)).toBe(JSON.stringify(character));
    }
  });

  test('members are sorted by UTF-16 code units, integer-like names among them', () => {
    expect(canonicalJson({ 10: 1, 9: 2, b: 3, B: 4, '\u{1f600}': 5, '\ufb33': 6 })).toBe(
      '{"10":1,"9":2,"B":4,"b":3,"\u{1f600}":5,"\ufb33":6}',
    );
  });

  test('an object whose members are sorted already is written as any other', () => {
    const member = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.constant(-0));
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), member);
    fc.assert(
      fc.property(objects, (object) => {
        const entries = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
        const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
        expect(canonicalJson(Object.fromEntries(entries))).toBe(`{${members.join(',')}}`);
        expect(canonicalJson(Object.fromEntries(entries.reverse()))).toBe(`{${members.join(',')}}`);
      }),
    );
    for (const value of ['\ud800', Number.NaN])
      expect(() => canonicalJson({ a: 'b', b: value })).toThrow(CanonicalJsonError);
    expect(() => canonicalJson({ '\udc00': 'a' })).toThrow(CanonicalJsonError);
  });

  test('__proto__ stays a member', () => {
    expect(canonicalJson(parseJson('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  test('text is not normalised', () => {
    expect(canonicalJson(['A\u030a', '\u00c5'])).toBe('["A\u030a","\u00c5"]');
  });

  test('numbers are printed as ECMAScript prints them, and minus zero as zero', () => {
    expect(canonicalJson([-0, 1.0, 0.1 + 0.2, 1e-7, 5e-324, 2 ** 53 - 1, 1 - 2 ** 53, 4.5])).toBe(
      '[0,1,0.30000000000000004,1e-7,5e-324,9007199254740991,-9007199254740991,4.5]',
    );
  });

  test('numbers beyond 2^53 are doubles like all others, by the samples of RFC 8785', () => {
    const samples: [number, string][] = [
      [2 ** 53, '9007199254740992'],
      [-(2 ** 53), '-9007199254740992'],
      [2 ** 60, '1152921504606847000'],
      [1e20, '100000000000000000000'],
      [1e21, '1e+21'],
      [9.999999999999997e22, '9.999999999999997e+22'],
      [333333333.3333332, '333333333.3333332'],
      [Number.MAX_VALUE, '1.7976931348623157e+308'],
      [-Number.MAX_VALUE, '-1.7976931348623157e+308'],
    ];
    for (const [number, text] of samples) expect(canonicalJson({ a: number })).toBe(`{"a":${text}}`);
  });

  test('its output reads back as the same value, for any numbers', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        (value) => {
          const text = canonicalJson(value);
          expect(canonicalJson(parseCanonicalJson(text))).toBe(text);
        },
      ),
    );
    expect(parseCanonicalJson(canonicalJson([2 ** 60]))).toEqual([2 ** 60]);
  });

  test.each([
    ['NaN', Number.NaN],
    ['infinity', -Infinity],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in the midst of text', ['é\udc00x']],
    ['a lone surrogate in a name', { '\udc00': 1 }],
  ])('%s is refused', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
  });

  const smuggled: [string, unknown][] = [
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole', new Array(1)],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(2)],
    ['a map', [new Map()]],
    ['a boxed string', Object('text')],
  ];
  test.each(smuggled)('%s is refused, whatever its type was said to be', (_, value) => {
    const untyped: { value: JsonValue } = JSON.parse('{"value":null}');
    Object.assign(untyped, { value });
    expect(() => canonicalJson(untyped.value)).toThrow(CanonicalJsonError);
  });

  test('an object without a prototype is an object', () => {
    const bare: { [name: string]: JsonValue } = Object.create(null);
    bare.b = 1;
    bare.a = [];
    expect(canonicalJson(bare)).toBe('{"a":[],"b":1}');
  });

  test('nesting is written up to 1024 levels and refused beyond', () => {
    const nested = (levels: number): JsonValue => {
      let value: JsonValue = 1;
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    expect(canonicalJson(nested(1024))).toHaveLength(2049);
    expect(() => canonicalJson(nested(1025))).toThrow(CanonicalJsonError);
    expect(() => canonicalJson(nested(500_000))).toThrow(CanonicalJsonError);
  });

  test.each(['arrays', 'french', 'structures', 'unicode', 'values', 'weird'])(
    'the RFC 8785 test data %s',
    (name) => {
      const input = parseJson(vectorText(`jcs/${name}.input.json`));
      expect(canonicalJson(input)).toBe(vectorText(`jcs/${name}.output.json`));
    },
  );
});
