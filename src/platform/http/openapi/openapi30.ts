import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { membersOf } from './members.ts';

/** The parts of a document with schemas. */
interface Described {
  paths: JsonObject;
  webhooks: JsonObject;
  components: { schemas: JsonObject; headers: JsonObject };
}

/**
 * Converts the paths and components of an OpenAPI 3.1 document to 3.0.3. That version has an older draft of
 * JSON Schema: `nullable` instead of the null type, `enum` instead of `const`, one `example` instead of
 * `examples`, and no siblings of a `$ref` (https://spec.openapis.org/oas/v3.0.3#schema-object).
 */
export function toOpenApi30({ paths, webhooks, components: { schemas, headers } }: Described): Described {
  const write = new Writer(schemas);
  return withoutUnused({
    paths: membersOf(paths, (item) => write.withSchemas(item)),
    webhooks: membersOf(webhooks, (item) => write.withSchemas(item)),
    components: {
      schemas: membersOf(schemas, (schema) => write.schema(schema)),
      headers: membersOf(headers, (header) => write.withSchemas(header)),
    },
  });
}

/**
 * Leaves out the schemas that nothing refers to any more, because each of their uses is nullable and got a
 * copy.
 */
function withoutUnused(described: Described): Described {
  const { components } = described;
  const used = new Set(
    [...JSON.stringify(described).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
  );
  const kept = Object.entries(components.schemas).filter(([name]) => used.has(name));
  const fewer = { ...described, components: { ...components, schemas: Object.fromEntries(kept) } };
  return kept.length === Object.keys(components.schemas).length ? described : withoutUnused(fewer);
}

class Writer {
  constructor(private readonly components: JsonObject) {}

  withSchemas(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.withSchemas(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (name === 'example') return [name, member];
        return [name, name === 'schema' ? this.schema(member) : this.withSchemas(member)];
      }),
    );
  }

  schema(source: JsonValue): JsonValue {
    if (Array.isArray(source)) return source.map((item) => this.schema(item));
    if (!isJsonObject(source)) return source;
    const { $ref, anyOf, const: constant, examples, properties, items, allOf, oneOf, ...rest } = source;
    const tidy: JsonObject = { ...rest };
    if (Array.isArray(examples) && examples.length > 0) tidy.example = examples[0] ?? null;
    if (constant !== undefined) tidy.enum = [constant];
    if (isJsonObject(tidy.additionalProperties)) {
      tidy.additionalProperties = this.schema(tidy.additionalProperties);
    }
    if (items !== undefined) tidy.items = this.schema(items);
    if (allOf !== undefined) tidy.allOf = this.schema(allOf);
    if (oneOf !== undefined) tidy.oneOf = this.schema(oneOf);
    if (isJsonObject(properties)) tidy.properties = membersOf(properties, (member) => this.schema(member));
    if ($ref !== undefined) return Object.keys(tidy).length === 0 ? { $ref } : { ...tidy, allOf: [{ $ref }] };
    return Array.isArray(anyOf) ? { ...tidy, ...this.alternatives(anyOf) } : tidy;
  }

  /** Returns alternatives, with null as a property of the other ones. */
  private alternatives(anyOf: JsonValue[]): JsonObject {
    const choices = anyOf.filter((choice) => !isNull(choice));
    if (choices.length === anyOf.length) return { anyOf: choices.map((choice) => this.schema(choice)) };
    const [first = {}] = choices;
    // A component is not nullable, so a nullable use gets a copy of it.
    const only = choices.length === 1 ? this.schema(this.resolved(first)) : null;
    if (!isJsonObject(only)) return { nullable: true, anyOf: choices.map((choice) => this.schema(choice)) };
    // An enumeration without null refuses null, even if it is nullable.
    return { ...only, ...(Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}), nullable: true };
  }

  private resolved(schema: JsonValue): JsonValue {
    if (!isJsonObject(schema) || typeof schema.$ref !== 'string') return schema;
    const { $ref, ...use } = schema;
    return { ...Object(this.components[$ref.split('/').at(-1) ?? '']), ...use };
  }
}

function isNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && schema.type === 'null';
}
