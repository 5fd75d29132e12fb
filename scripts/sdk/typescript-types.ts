import { commentOf } from './comments.ts';
import { type Json, listOf, objectOf, type Schemas, textOf } from './schemas.ts';

/** Returns the TypeScript of all named schemas of a service: a type for each, with its comments. */
export function typesOf(schemas: Schemas): string {
  return [...schemas.named]
    .map(([name, schema]) => {
      const comment = commentOf(textOf(schema.description ?? ''), '');
      return `${comment}export type ${name} = ${typeOf(schema, { isCommented: true, indent: '' })};\n`;
    })
    .join('\n');
}

interface Layout {
  /** Whether members have comments, each on a line of its own. */
  isCommented: boolean;
  indent: string;
}

const ON_ONE_LINE: Layout = { isCommented: false, indent: '' };

/** Returns the TypeScript type of the values of a schema. @throws Error for a schema that it cannot express */
export function typeOf(schema: Json, layout: Layout = ON_ONE_LINE): string {
  const type = typeWithoutNull(schema, layout);
  return schema.nullable === true ? `${type} | null` : type;
}

function typeWithoutNull(schema: Json, layout: Layout): string {
  if (schema.$ref !== undefined) return textOf(schema.$ref).split('/').at(-1) ?? '';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return listOf(schema.enum).map(literal).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) {
    const types = listOf(alternatives).map((one) => typeOf(objectOf(one), layout));
    return [...new Set(types)].join(' | ');
  }
  if (schema.allOf !== undefined) {
    const parts = listOf(schema.allOf).map((one) => typeOf(objectOf(one), layout));
    // An object can have members of its own in addition to those of others.
    if (schema.properties !== undefined) parts.push(objectType(schema, layout));
    return parts.map((part) => (parts.length > 1 && part.includes(' | ') ? `(${part})` : part)).join(' & ');
  }
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array': {
      const item = typeOf(objectOf(schema.items), layout);
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case 'object':
      return objectType(schema, layout);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`a schema has the type ${JSON.stringify(schema.type)}`);
  }
}

function objectType(schema: Json, layout: Layout): string {
  const properties = Object.entries(objectOf(schema.properties));
  const [pattern] = Object.values(objectOf(schema.patternProperties));
  if (properties.length === 0) {
    if (pattern !== undefined) return `Record<string, ${typeOf(objectOf(pattern), layout)}>`;
    return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  }
  const required = listOf(schema.required ?? []);
  const indent = `${layout.indent}  `;
  const members = properties.map(([name, value]) => {
    const member = objectOf(value);
    const type = typeOf(member, { ...layout, indent });
    const mark = required.includes(name) ? '' : '?';
    const line = `${keyOf(name)}${mark}: ${type}`;
    return layout.isCommented
      ? `${commentOf(textOf(member.description ?? ''), indent)}${indent}${line};\n`
      : line;
  });
  return layout.isCommented ? `{\n${members.join('')}${layout.indent}}` : `{ ${members.join('; ')} }`;
}

/** Returns a name as the key of an object in TypeScript. */
export const keyOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

function literal(value: unknown): string {
  return JSON.stringify(value);
}
