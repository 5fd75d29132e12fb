import { type TSchema, TypeGuard } from '@sinclair/typebox';

/**
 * Writes a value as JSON. @throws Error for one that does not fit, such as an object where text is declared
 */
export type Serializer = (value: unknown) => string;

/**
 * Returns the function that writes the values of a schema as JSON. Only declared members are written, in the
 * order in which a value has them: for a value without others it is what `JSON.stringify` writes. Nothing
 * else is checked, such as the format of text.
 */
export function serializerOf(schema: TSchema): Serializer {
  const hasOnlyDeclared = checkOf(schema);
  return (value) => JSON.stringify(hasOnlyDeclared(value) ? value : onlyDeclared(schema, value));
}

type Check = (value: unknown) => boolean;

/** The compiled checks of schemas, and of alternatives in them. */
const checks = new WeakMap<TSchema, Check>();

function checkOf(schema: TSchema): Check {
  const check = checks.get(schema) ?? compileCheck(schema);
  checks.set(schema, check);
  return check;
}

/** Compiles the check whether a value has no undeclared members at any depth. Nearly all values pass. */
function compileCheck(schema: TSchema): Check {
  const functions: string[] = [];
  const entry = functionOf(schema, functions);
  return entry === null
    ? () => true
    : new Function('isRecord', `${functions.join('\n')}\nreturn ${entry}`)(isRecord);
}

/** Adds the function that checks the values of a schema, and returns its name; null if all are fine. */
function functionOf(schema: TSchema, functions: string[]): string | null {
  const test = testOf(schema, 'v', functions);
  if (test === null) return null;
  const name = `check${functions.length}`;
  functions.push(`function ${name}(v) { return ${test} }`);
  return name;
}

/** Returns the expression that checks the value of the expression `v`; null if all are fine. */
function testOf(schema: TSchema, v: string, functions: string[]): string | null {
  if (TypeGuard.IsObject(schema))
    return isOpen(schema) ? null : testOfObject(schema.properties, v, functions);
  if (TypeGuard.IsArray(schema)) {
    const item = functionOf(schema.items, functions);
    return item === null ? `Array.isArray(${v})` : `Array.isArray(${v}) && ${v}.every(${item})`;
  }
  if (TypeGuard.IsTuple(schema)) {
    const tests = (schema.items ?? []).map((item, index) => testOf(item, `${v}[${index}]`, functions));
    return [
      `Array.isArray(${v})`,
      `${v}.length <= ${tests.length}`,
      ...tests.filter((test) => test !== null),
    ].join(' && ');
  }
  if (TypeGuard.IsRecord(schema)) {
    const item = functionOf(valueOfRecord(schema), functions);
    return item === null ? `isRecord(${v})` : `isRecord(${v}) && Object.values(${v}).every(${item})`;
  }
  if (TypeGuard.IsUnion(schema)) {
    const tests = schema.anyOf.map((one) => testOf(one, v, functions));
    return tests.includes(null) ? null : `(${[...new Set(tests)].map((test) => `(${test})`).join(' || ')})`;
  }
  if (isScalar(schema)) return `(typeof ${v} !== 'object' || ${v} === null)`;
  if (TypeGuard.IsUnknown(schema) || TypeGuard.IsAny(schema)) return null;
  throw new Error('a response has a schema that cannot be written');
}

function testOfObject(properties: Record<string, TSchema>, v: string, functions: string[]): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const member = `${v}[${JSON.stringify(name)}]`;
    const test = testOf(schema, member, functions);
    const isThere = `${JSON.stringify(name)} in ${v}`;
    if (!TypeGuard.IsOptional(schema)) return { count: '1', tests: [isThere, test ?? 'true'] };
    return {
      count: `(${isThere} ? 1 : 0)`,
      tests: test === null ? [] : [`(${member} === undefined || ${test})`],
    };
  });
  const count = members.map(({ count }) => count).join(' + ') || '0';
  const tests = members.flatMap(({ tests }) => tests);
  return [`isRecord(${v})`, `Object.keys(${v}).length === ${count}`, ...tests].join(' && ');
}

/** Returns a copy of a value with the declared members only. @throws Error for a value that does not fit */
function onlyDeclared(schema: TSchema, value: unknown): unknown {
  if (TypeGuard.IsObject(schema)) {
    if (isOpen(schema)) return value;
    const { properties } = schema;
    return mapped(value, (name, member) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return declared === undefined || member === undefined ? undefined : onlyDeclared(declared, member);
    });
  }
  if (TypeGuard.IsArray(schema)) return listOf(value).map((item) => onlyDeclared(schema.items, item));
  if (TypeGuard.IsTuple(schema)) {
    return (schema.items ?? []).map((item, index) => onlyDeclared(item, listOf(value)[index]));
  }
  if (TypeGuard.IsRecord(schema)) {
    return mapped(value, (_name, member) => onlyDeclared(valueOfRecord(schema), member));
  }
  if (TypeGuard.IsUnion(schema)) {
    if (typeof value !== 'object' || value === null) return value;
    if (checkOf(schema)(value)) return value;
    const [only, other] = schema.anyOf.filter((one) => !isScalar(one));
    // None of several alternatives declares all that the value has.
    if (only === undefined || other !== undefined) throw unlike('one of the alternatives');
    return onlyDeclared(only, value);
  }
  if (isScalar(schema) && typeof value === 'object' && value !== null) throw unlike('a single value');
  return value;
}

function mapped(value: unknown, map: (name: string, member: unknown) => unknown): object {
  if (!isRecord(value)) throw unlike('an object');
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(name, member)]));
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw unlike('a list');
  return value;
}

function unlike(kind: string): Error {
  return new Error(`the response is not as described: ${kind} is expected`);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether any member may be in the objects of a schema. */
function isOpen({ additionalProperties }: TSchema): boolean {
  return additionalProperties === true;
}

function valueOfRecord({ patternProperties }: TSchema): TSchema {
  const [value]: TSchema[] = Object.values(patternProperties);
  if (value === undefined) throw new Error('a record without values');
  return value;
}

/** Returns whether no value of a schema has members. Bytes are sent as they are, and not as JSON. */
function isScalar(schema: TSchema): boolean {
  return (
    TypeGuard.IsUint8Array(schema) ||
    TypeGuard.IsString(schema) ||
    TypeGuard.IsNumber(schema) ||
    TypeGuard.IsInteger(schema) ||
    TypeGuard.IsBoolean(schema) ||
    TypeGuard.IsLiteral(schema) ||
    TypeGuard.IsNull(schema) ||
    TypeGuard.IsUndefined(schema)
  );
}
