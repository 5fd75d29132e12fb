import { describe, expect, test } from 'bun:test';
import { type TSchema, Type } from '@sinclair/typebox';
import { Components } from '../../../../../src/platform/http/openapi/components.ts';
import {
  described,
  discriminated,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../../../src/platform/http/schema.ts';
import { type JsonObject, parseJson } from '../../../../../src/proof/encoding/json.ts';

const Color = named('Color', oneOf(['red', 'blue'], { description: 'A color.' }));
const Car = named('Car', strictObject({ color: Color, doors: Type.Integer() }));

/** What a document has for some schemas, in their order, and its components. */
function written(...schemas: object[]): { uses: unknown[]; components: JsonObject } {
  const components = new Components();
  const uses = schemas.map((schema, index) =>
    components.schemaOf(parseJson(JSON.stringify(schema)), `operation ${index}`),
  );
  return { uses, components: components.schemas };
}

describe('a named schema', () => {
  test('is a component, and a reference wherever it is used', () => {
    const { uses, components } = written(Car, nullable(Car), Type.Array(Color));
    expect(uses).toEqual([
      { $ref: '#/components/schemas/Car' },
      { anyOf: [{ $ref: '#/components/schemas/Car' }, { type: 'null' }] },
      { type: 'array', items: { $ref: '#/components/schemas/Color' } },
    ]);
    expect(components).toEqual({
      Car: {
        type: 'object',
        additionalProperties: false,
        required: ['color', 'doors'],
        properties: { color: { $ref: '#/components/schemas/Color' }, doors: { type: 'integer' } },
      },
      Color: { type: 'string', enum: ['red', 'blue'], description: 'A color.' },
    });
  });

  test('may be described otherwise where it is used, and have examples there', () => {
    const { uses, components } = written({
      ...described(Color, 'Of the doors.'),
      examples: ['red'],
    });
    expect(uses).toEqual([{ $ref: '#/components/schemas/Color', description: 'Of the doors.' }]);
    expect(components.Color).toEqual({ type: 'string', enum: ['red', 'blue'], description: 'A color.' });
  });

  test('that was made twice is one component', () => {
    const make = (): TSchema => named('Size', strictObject({ width: Type.Integer() }));
    expect(Object.keys(written(make(), make()).components)).toEqual(['Size']);
  });

  test('with the name of another is refused with both places', () => {
    const other = named('Color', oneOf(['green']));
    expect(() => written(Color, Car, other)).toThrow(
      'Two different schemas are named Color: one is used in operation 0, the other in operation 2. Rename one of them.',
    );
  });
});

test('a discriminated union maps each value of the member to a schema', () => {
  const kinds = [
    named('Circle', strictObject({ kind: Type.Literal('circle') })),
    named('Polygon', strictObject({ kind: oneOf(['square', 'triangle']) })),
  ];
  const { uses } = written(Type.Object({}, { 'x-schema': discriminated('kind', kinds) }));
  expect(uses).toEqual([
    {
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Polygon' }],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          circle: '#/components/schemas/Circle',
          square: '#/components/schemas/Polygon',
          triangle: '#/components/schemas/Polygon',
        },
      },
    },
  ]);
});
