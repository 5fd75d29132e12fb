import { expect, test } from 'bun:test';
import { toOpenApi30 } from '../../../../../src/platform/http/openapi/openapi30.ts';

test('schemas of OpenAPI 3.1 become those of 3.0, everywhere in the document', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }], description: 'A name.' },
      kind: { const: 'one', type: 'string' },
      state: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      rows: { type: 'array', items: { type: 'string', examples: ['x', 'y'] } },
      rest: { type: 'object', additionalProperties: { const: 1 } },
    },
    additionalProperties: false,
  };
  const paths = { '/a': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } };
  const components = { schemas: {}, headers: {} };
  const written = Object(toOpenApi30({ paths, webhooks: {}, components }).paths);
  const { properties, additionalProperties } =
    written['/a'].get.responses[200].content['application/json'].schema;
  expect({ properties, additionalProperties }).toEqual({
    additionalProperties: false,
    properties: {
      name: { type: 'string', maxLength: 3, nullable: true, description: 'A name.' },
      kind: { enum: ['one'], type: 'string' },
      state: { type: 'string', enum: ['a', 'b', null], nullable: true },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
      rows: { type: 'array', items: { type: 'string', example: 'x' } },
      rest: { type: 'object', additionalProperties: { enum: [1] } },
    },
  });
});

test('components of OpenAPI 3.1 become those of 3.0, and so do their uses', () => {
  const $ref = '#/components/schemas/Color';
  const schemas = {
    Color: { type: 'string', enum: ['red', 'blue'], description: 'A color.' },
    Car: {
      type: 'object',
      properties: {
        plain: { $ref },
        described: { $ref, description: 'Of the doors.' },
        nullable: { anyOf: [{ $ref }, { type: 'null' }] },
        both: { allOf: [{ $ref }, { const: 'red' }] },
        one: { oneOf: [{ $ref }, { const: 'green' }] },
      },
    },
  };
  const header = { schema: { const: 'x' } };
  const { components } = toOpenApi30({
    paths: { '/a': { get: { schema: { $ref: '#/components/schemas/Car' } } } },
    webhooks: {},
    components: { schemas, headers: { header } },
  });
  expect(components.headers).toEqual({ header: { schema: { enum: ['x'] } } });
  expect(Object(components.schemas.Car).properties).toEqual({
    plain: { $ref },
    described: { allOf: [{ $ref }], description: 'Of the doors.' },
    nullable: { ...schemas.Color, enum: ['red', 'blue', null], nullable: true },
    both: { allOf: [{ $ref }, { enum: ['red'] }] },
    one: { oneOf: [{ $ref }, { enum: ['green'] }] },
  });
});

test('a component whose uses are all nullable is left out, and so is what only it refers to', () => {
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Used: { type: 'object', properties: { maybe: { anyOf: [refer('Copied'), { type: 'null' }] } } },
    Copied: { type: 'array', items: { anyOf: [refer('Deeper'), { type: 'null' }] } },
    Deeper: { type: 'string' },
    Alone: { type: 'object', properties: { next: refer('OnlyOfAlone') } },
    OnlyOfAlone: { type: 'string' },
  };
  const paths = { '/a': { get: { schema: refer('Used') } } };
  const { components } = toOpenApi30({ paths, webhooks: {}, components: { schemas, headers: {} } });
  expect(Object.keys(components.schemas)).toEqual(['Used']);
});
