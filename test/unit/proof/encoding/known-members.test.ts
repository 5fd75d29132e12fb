import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonError, type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { KnownMembers } from '../../../../src/proof/encoding/known-members.ts';

const LONG = 'x'.repeat(1100);
const FILLER = `"filler":"${'y'.repeat(700)}"`;
/** A document that is long enough for its members to be kept. */
const around = (members: string): string =>
  `{${[FILLER, `"z":"${LONG}"`, members, `"b":[${`"${LONG}",`.repeat(2)}1]`].join(',')}}`;

/** Returns the value or the error, as JSON text whose members are sorted. */
function outcome(parse: (text: string) => JsonValue, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { reason: error.reason, message: error.message };
  }
}

function expectSame(texts: readonly string[]): void {
  const known = new KnownMembers();
  for (const text of [...texts, ...texts]) {
    const [found, alone] = [outcome((one) => known.parse(one), text), outcome(parseJson, text)];
    expect(found).toEqual(alone);
  }
}

describe('a document after others with the same members', () => {
  test('shares their values', () => {
    const known = new KnownMembers();
    const read = (members: string) => Object(known.parse(around(members)));
    const [one, other] = [read(`"a":["${LONG}"],"c":1`), read(`"c":2,"a":["${LONG}"]`)];
    expect([one.c, other.c]).toEqual([1, 2]);
    expect(other.a).toBe(one.a);
    expect(read(`"a":["${LONG}x"]`).a).not.toBe(one.a);
    const [inner, same] = [read(`"o":{"a":["${LONG}"],"c":1}`), read(`"o":{"c":2,"a":["${LONG}"]}`)];
    expect(inner.o.a).toBe(one.a);
    expect(same.o).toEqual({ c: 2, a: [LONG] });
  });

  test('has the same value or the same error as by itself, whatever is in it', () => {
    const kept = `"a":["${LONG}"]`;
    expectSame(
      [
        kept,
        `${kept},${kept}`,
        `${kept},"a":1`,
        `"a":1,${kept}`,
        `${kept},`,
        `${kept}, `,
        `,${kept}`,
        `${kept},,"c":1`,
        `${kept} ,\n"c":1`,
        `${kept}.5`,
        `${kept}"c":1`,
        `${kept}]`,
        `${kept}}`,
        `${kept}},{"c":1`,
        `${kept}]},{"c":[1`,
        `"c":{${kept}`,
        `"c":[${kept}]`,
        `"c":{${kept},${kept}}`,
        `"c":{${kept}},"c":1`,
        `"c":{${kept},"d":{${kept},"e":{${kept},"f":{${kept}}}}}`,
        `"c\\"":${kept.slice(4)}`,
        `"\\u0061":${kept.slice(4)},${kept}`,
        `"c":"\\"a\\":[\\"${LONG}\\"]"`,
        `"__proto__":["${LONG}"]`,
        `"__proto__":{${kept}}`,
        `"constructor":["${LONG}"],"toString":{${kept}}`,
        `"7":["${LONG}"],"6":1`,
        `"a" : ["${LONG}"]`,
        `"a":["${LONG}\\ud800"]`,
        `"a":["${LONG}", 9007199254740993]`,
        `"a":["${LONG}", ${'['.repeat(70)}]`,
        `"a":[{"b":1,"b":"${LONG}"}]`,
        `"a":["${LONG}\n"]`,
        `"a":["${LONG}" 1]`,
        `\u00a0${kept}`,
        `a:["${LONG}"]`,
      ].map(around),
    );
  });

  test.each([
    ['an array', (text: string) => `[${text}]`],
    ['two objects', (text: string) => `${text}${text}`],
    ['two values', (text: string) => `${text},${text}`],
    ['an object with white space around it', (text: string) => `\n ${text}\t\r\n`],
    ['an object after something else', (text: string) => `1${text}`],
    ['an object before something else', (text: string) => `${text}]`],
    ['an object without its end', (text: string) => text.slice(0, -1)],
    ['an object without its start', (text: string) => text.slice(1)],
    ['an array of another end', (text: string) => `[${text.slice(1)}`],
    ['a text', (text: string) => JSON.stringify(text)],
    ['closed before it is opened', (text: string) => `}${text}`],
    ['very long', (text: string) => `${text.slice(0, -1)},"long":"${'x'.repeat(140_000)}"}`],
  ])('is refused or read as by itself if it is %s', (_, change) => {
    const text = around(`"a":["${LONG}"]`);
    expectSame([text, change(text), text]);
  });

  test('is read as by itself after any others, whatever was changed in it', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'proof', '__proto__', '1');
    const long = fc.constantFrom(LONG, `${LONG}\n\\"`, `${LONG}é`);
    const leaf = fc.oneof(fc.constantFrom<JsonValue>(null, 0, true, 'x', [], {}), long);
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc
          .array(fc.tuple(name, tie('value')), { maxLength: 5 })
          .map((members): JsonValue => parseJson(textOf(new Map(members)))),
      ),
    }));
    const document = fc
      .array(fc.tuple(name, value), { minLength: 2, maxLength: 5 })
      .map((members) => around(textOf(new Map(members)).slice(1, -1)));
    const cut = fc.tuple(
      document,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ',', '"', '}', '{', ']', '\\', ':'),
    );
    const changed = cut.map(([text, at, count, put]) => {
      const from = at % text.length;
      return `${text.slice(0, from)}${put}${text.slice(from + count)}`;
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(document, changed), { minLength: 1, maxLength: 6 }), expectSame),
      { numRuns: 300 },
    );
  });

  test('is kept of 8 names and the last 4 values of each', () => {
    const known = new KnownMembers();
    const read = (name: string, value: string) =>
      Object(known.parse(`{${FILLER},"w":"${LONG.repeat(4)}","${name}":["${LONG}${value}"]}`))[name];
    const first = Array.from({ length: 9 }, (_, index) => read(`n${index}`, ''));
    const again = Array.from({ length: 9 }, (_, index) => read(`n${index}`, ''));
    expect(first.map((one, index) => one === again[index])).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    for (const value of ['1', '2', '3']) read('n0', value);
    expect(read('n0', '')).toBe(first[0]);
    read('n0', '4');
    expect(read('n0', '')).not.toBe(first[0]);
  });
});

/** Returns the text of an object, which can have a member `__proto__`. */
function textOf(members: ReadonlyMap<string, JsonValue>): string {
  const texts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${texts.join(',')}}`;
}
