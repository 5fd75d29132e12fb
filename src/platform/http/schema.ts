import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import './formats.ts';

/**
 * Names a schema. The OpenAPI document contains it once, under `components`, and generated clients have a
 * type of this name. Uses may differ only in description and examples.
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  const { description } = schema;
  return { ...schema, 'x-component': { name, ...(description === undefined ? {} : { description }) } };
}

/**
 * Returns a schema that documents a body as one of several named schemas, distinguished by the value of one
 * member. The validator ignores it: add it as `x-schema` to the schema that validates.
 */
export function discriminated(propertyName: string, schemas: readonly TSchema[]) {
  return { oneOf: schemas, discriminator: { propertyName } };
}

/** Returns a named schema with the description of one use. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** The request_id of examples. */
export const EXAMPLE_REQUEST_ID = '019de396-2e00-7000-8f3a-5b0c7d1e9a42';

/** Returns the schema of an object with exactly these members. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: { description?: string; examples?: unknown[]; default?: object; 'x-schema'?: object } = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Returns the schema of one of some strings. */
export function oneOf<const Names extends readonly string[]>(
  names: Names,
  options: { description?: string; examples?: Names[number][] } = {},
) {
  const literals = names.map((name) => Type.Literal(name));
  return Type.Unsafe<Names[number]>(Type.Union(literals, options));
}

/** Returns the schema of `bytes` bytes in lower-case hexadecimal. */
export function hexString(bytes: number, description: string) {
  return Type.String({
    pattern: `^[0-9a-f]{${bytes * 2}}$`,
    description,
    'x-message': `must be ${bytes * 2} lower-case hexadecimal characters`,
  });
}

/**
 * Returns the schema of text with 1 to `longest` code points, as OpenAPI counts characters. `excluded` is the
 * range of a regular expression; lone surrogates are always excluded. With `blank` false, at least one
 * character must be visible.
 */
export function characters(
  longest: number,
  excluded: string,
  description: string,
  example?: string,
  { blank = true } = {},
) {
  return Type.String({
    pattern: `^${blank ? '' : '(?=[\\s\\S]*\\S)'}(?:[^${excluded}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff]){1,${longest}}$`,
    description,
    ...(example === undefined ? {} : { examples: [example] }),
    'x-message': `must be 1 to ${longest} characters, none of them a control character${blank ? '' : ', and not blank'}`,
    'x-schema': { type: 'string', minLength: 1, maxLength: longest, pattern: `^[^${excluded}]*$` },
  });
}

/** Returns the schema of text with 1 to 256 characters and no control character. */
export function plainName(description: string, example: string) {
  return characters(256, '\\u0000-\\u001f\\u007f-\\u009f', description, example);
}

/**
 * Returns the schema of a reason: 1 to 1,024 characters on one or more lines, with no control character
 * except tab and line feed.
 */
export function reasonText(description: string) {
  return {
    ...characters(1024, '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', description),
    'x-message': 'must be 1 to 1024 characters, none of them a control character but tab and line feed',
  };
}

/** Returns the schema of a strict RFC 3339 date-time. */
export function dateTime(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2030-01-31T12:00:00Z'] });
}

/** Returns the schema of a plain-text response. */
export function plainText(description: string) {
  return textOf('text/plain; charset=utf-8', description);
}

/** Returns the schema of a text response of a media type. */
export function textOf(mediaType: string, description: string) {
  return Type.String({ description, 'x-media-type': mediaType });
}

/** Returns the schema of a response without a body. */
export function noContent(description: string) {
  return Type.Literal('', { description, 'x-no-content': true });
}

/** The response 304 to a request whose If-None-Match has the entity tag of the document. */
export const NotModified = Type.Undefined({
  description: 'Not modified: If-None-Match has the current ETag.',
});

/** The response 303 to a request that prefers a page to JSON. */
export const SeePage = Type.Undefined({
  description: 'The page for people, for a preference of `text/html`.',
});

/** The description of the header ETag. */
export const ETAG_HEADER = 'The ETag of the response. If-None-Match with it returns 304.';

/** Returns the schema of a response in several forms, each with its own media type. */
export function inForms<Forms extends TSchema[]>(forms: [...Forms], description: string) {
  return Type.Union(forms, { description, 'x-forms': true });
}

/**
 * Returns the schema of a response that is JSON text of `schema`. A handler uses it for text that it
 * serializes once and sends often.
 */
export function written(schema: TSchema) {
  return Type.String({ 'x-schema': schema });
}

/** Returns the schema of a value or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Returns the schema of a list's `limit`: an integer from 1 to 100. */
export function limitParameter(description: string, fallback: number) {
  return Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      description,
      'x-message': 'must be an integer from 1 to 100',
      'x-schema': { type: 'integer', minimum: 1, maximum: 100, default: fallback },
    }),
  );
}
