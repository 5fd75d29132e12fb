import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/**
 * Names a schema: the OpenAPI document has it once, under `components`, and generated clients have a type of this name. A use of it may
 * change only the description and the examples.
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  const { description } = schema;
  return { ...schema, 'x-component': { name, ...(description === undefined ? {} : { description }) } };
}

/**
 * Documents a body as one of several named schemas, told apart by the value of one member. The validator does not use it: put it beside
 * the schema that validates, as `x-schema`.
 */
export function discriminated(propertyName: string, schemas: readonly TSchema[]) {
  return { oneOf: schemas, discriminator: { propertyName } };
}

/** Returns a named schema with what it says in one place. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** The request_id of examples. */
export const EXAMPLE_REQUEST_ID = '019de396-2e00-7000-8f3a-5b0c7d1e9a42';

/** An object with exactly these members. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: { description?: string; examples?: unknown[]; 'x-schema'?: object } = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** One of these strings. */
export function oneOf<const Names extends readonly string[]>(
  names: Names,
  options: { description?: string; examples?: Names[number][] } = {},
) {
  const literals = names.map((name) => Type.Literal(name));
  return Type.Unsafe<Names[number]>(Type.Union(literals, options));
}

/** `bytes` bytes in lower-case hexadecimal. */
export function hexString(bytes: number, description: string) {
  return Type.String({
    pattern: `^[0-9a-f]{${bytes * 2}}$`,
    description,
    'x-complaint': `must be ${bytes * 2} lower-case hexadecimal characters`,
  });
}

/**
 * 1 to `longest` characters, counted as OpenAPI counts them, in code points; none of them in the range `excluded` of a
 * regular expression, none half of a surrogate pair. Not `blank`: one of them is to be seen.
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
    'x-complaint': `must be 1 to ${longest} characters, none of them a control character${blank ? '' : ', and not blank'}`,
    'x-schema': { type: 'string', minLength: 1, maxLength: longest, pattern: `^[^${excluded}]*$` },
  });
}

/** 1 to 256 characters, none of them a control character. */
export function plainName(description: string, example: string) {
  return characters(256, '\\u0000-\\u001f\\u007f-\\u009f', description, example);
}

/** Why something was done: 1 to 1,024 characters, of several lines; no control character but tab and line feed. */
export function reasonText(description: string) {
  return {
    ...characters(1024, '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', description),
    'x-complaint': 'must be 1 to 1024 characters, none of them a control character but tab and line feed',
  };
}

/** A strict RFC 3339 date-time. */
export function dateTime(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2030-01-31T12:00:00Z'] });
}

/** An answer that is text and no JSON. */
export function plainText(description: string) {
  return textOf('text/plain; charset=utf-8', description);
}

/** An answer that is text of another media type. */
export function textOf(mediaType: string, description: string) {
  return Type.String({ description, 'x-media-type': mediaType });
}

/** An answer whose headers say all. */
export function noContent(description: string) {
  return Type.Literal('', { description, 'x-no-content': true });
}

/** An answer that comes in several forms, each of a media type of its own. */
export function inForms<Forms extends TSchema[]>(forms: [...Forms], description: string) {
  return Type.Union(forms, { description, 'x-forms': true });
}

/** An answer that is text already, of JSON that fits `schema`: what is sent again and again is written once. */
export function written(schema: TSchema) {
  return Type.String({ 'x-schema': schema });
}

/** The schema, or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A list's `limit`: an integer from 1 to 100. */
export function limitParameter(description: string, fallback: number) {
  return Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      description,
      'x-complaint': 'must be an integer from 1 to 100',
      'x-schema': { type: 'integer', minimum: 1, maximum: 100, default: fallback },
    }),
  );
}
