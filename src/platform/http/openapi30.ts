import { isJsonObject, type JsonObject, type JsonValue } from '../../proof/encoding/json.ts';

/**
 * The paths of an OpenAPI 3.1 document as 3.0.3 has them: schemas there are an older draft of JSON Schema, which knows
 * `nullable` instead of the null type, `enum` instead of `const`, and one `example` instead of `examples`
 * (https://spec.openapis.org/oas/v3.0.3#schema-object).
 */
export function toOpenApi30(paths: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withSchemas(item)]));
}

function withSchemas(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSchemas);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'schema' ? schema30(member) : withSchemas(member),
    ]),
  );
}

function schema30(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(schema30);
  if (!isJsonObject(schema)) return schema;
  const { anyOf, const: constant, examples, properties, items, ...rest } = schema;
  const tidy: JsonObject = { ...rest };
  if (Array.isArray(examples) && examples.length > 0) tidy.example = examples[0] ?? null;
  if (constant !== undefined) tidy.enum = [constant];
  if (isJsonObject(tidy.additionalProperties)) {
    tidy.additionalProperties = schema30(tidy.additionalProperties);
  }
  if (items !== undefined) tidy.items = schema30(items);
  if (isJsonObject(properties)) {
    tidy.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, schema30(member)]),
    );
  }
  return Array.isArray(anyOf) ? { ...tidy, ...alternatives(anyOf) } : tidy;
}

/** Alternatives, of which null becomes a property of the others. */
function alternatives(anyOf: JsonValue[]): JsonObject {
  const others = anyOf.filter((choice) => !isNull(choice)).map(schema30);
  const nullable: JsonObject = others.length < anyOf.length ? { nullable: true } : {};
  const [only = {}] = others;
  if (others.length > 1 || !isJsonObject(only)) return { ...nullable, anyOf: others };
  // An enumeration that does not name null refuses it, nullable or not.
  const names = nullable.nullable === true && Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {};
  return { ...only, ...names, ...nullable };
}

function isNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && schema.type === 'null';
}
