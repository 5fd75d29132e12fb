import { expect, test } from 'bun:test';
import { type TSchema, Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { serializerOf } from '../../../../../src/platform/http/routing/serializer.ts';
import { nullable, oneOf, strictObject } from '../../../../../src/platform/http/schema.ts';

/** Text of every kind: controls, quotation marks, halves of surrogate pairs. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\u0000', '\ud800', '\udfff\ud800', '\u2028', '</script>', '😀'),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 2 ** 53, -(2 ** 53), 1e21, 5e-324, Number.NaN, Number.POSITIVE_INFINITY),
);

const Kind = oneOf(['a', 'b']);
const Inner = strictObject({ name: Type.String(), note: Type.Optional(nullable(Type.String())) });
const SCHEMA = strictObject({
  kind: Kind,
  count: Type.Number(),
  inner: nullable(Inner),
  list: Type.Array(Inner),
  pair: Type.Tuple([Type.String(), Inner]),
  byName: Type.Record(Type.String(), Inner),
  choice: Type.Union([Inner, strictObject({ code: Type.Integer() })]),
  anything: Type.Unknown(),
  more: Type.Optional(Inner),
});

const inner = fc.record(
  { name: text, note: fc.oneof(text, fc.constant(null), fc.constant(undefined)) },
  { requiredKeys: ['name'] },
);
const fitting = fc.record(
  {
    kind: fc.constantFrom('a', 'b'),
    count: number,
    inner: fc.oneof(inner, fc.constant(null)),
    list: fc.array(inner, { maxLength: 4 }),
    pair: fc.tuple(text, inner),
    byName: fc.dictionary(text, inner, { maxKeys: 4 }),
    choice: fc.oneof(inner, fc.record({ code: fc.integer() })),
    anything: fc.jsonValue(),
    more: fc.oneof(inner, fc.constant(undefined)),
  },
  { requiredKeys: ['kind', 'count', 'inner', 'list', 'pair', 'byName', 'choice', 'anything'] },
);

test('a value with declared members only is written as JSON.stringify writes it', () => {
  const write = serializerOf(SCHEMA);
  fc.assert(
    fc.property(fitting, (value) => {
      expect(write(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2000 },
  );
});

test('undeclared members are never written, at any depth, and the others stay in their order', () => {
  const write = serializerOf(SCHEMA);
  const names = fc.string({ minLength: 1 }).map((name) => `secret ${name}`);
  fc.assert(
    fc.property(fitting, names, text, fc.integer({ min: 0, max: 6 }), (value, name, secret, at) => {
      const leaking = structuredClone(value);
      const objects = [
        leaking,
        leaking.inner,
        leaking.list[0],
        leaking.pair[1],
        Object.values(leaking.byName)[0],
        leaking.more,
        leaking.list[1],
      ];
      const object = objects[at];
      if (object === null || object === undefined) return;
      Object.defineProperty(object, name, { value: { secret }, enumerable: true });
      expect(write(leaking)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2000 },
  );
});

test('members that every object inherits, or that look like a prototype, are undeclared', () => {
  const write = serializerOf(Type.Array(strictObject({ name: Type.Optional(Type.String()) })));
  const hostile: unknown = JSON.parse(
    '[{"__proto__":{"name":"inherited"},"constructor":1,"toString":2,"name":"own"}]',
  );
  expect(write(hostile)).toBe('[{"name":"own"}]');
  expect(write([Object.create({ name: 'inherited' })])).toBe('[{}]');
});

const MISFITS: [string, TSchema, unknown][] = [
  ['an object where text is declared', Type.String(), { secret: 1 }],
  ['a list where a number is declared', Type.Number(), ['secret']],
  ['an object where null is the alternative to text', nullable(Type.String()), { secret: 1 }],
  ['text where an object is declared', Inner, 'secret'],
  ['a list where an object is declared', Inner, ['secret']],
  ['an object where a list is declared', Type.Array(Inner), { secret: 1 }],
  ['an object in a member of text', strictObject({ name: Type.String() }), { name: { secret: 1 } }],
  ['an object that is like no alternative', SCHEMA.properties.choice, { secret: 1 }],
  ['a value where none is declared', Type.Undefined(), { secret: 1 }],
];

test.each(MISFITS)('%s is not written', (_name, schema, value) => {
  const write = serializerOf(schema);
  let written: unknown = 'nothing';
  try {
    written = write(value);
  } catch (error) {
    expect(String(error)).toContain('the response is not as described');
  }
  expect(String(written)).not.toContain('secret');
});

test('members of an open object, and of any value, are all written', () => {
  const open = Type.Object({ name: Type.String() }, { additionalProperties: true });
  const value = { name: 'a', other: { deep: [1, { x: null }] } };
  for (const schema of [open, Type.Unknown(), Type.Record(Type.String(), Type.Unknown())]) {
    expect(serializerOf(schema)(value)).toBe(JSON.stringify(value));
  }
});

test('a schema that no serializer knows is refused before a value is written', () => {
  expect(() => serializerOf(Type.Intersect([Inner, SCHEMA]))).toThrow('cannot be written');
});
