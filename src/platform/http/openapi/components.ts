import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { Failure } from '../../failure.ts';

const PREFIX = '#/components/schemas/';

/** A named schema, and its first use in the document. */
interface Component {
  /** The unprocessed schema, for a quick comparison with each use. */
  source: string;
  schema: JsonObject;
  text: string;
  at: string;
}

/**
 * Writes the schemas of an OpenAPI document. A schema that `named` tagged becomes a component, and each use
 * becomes a `$ref`. Leaves out members for the validator (`x-message`), and replaces a schema by its
 * `x-schema`.
 */
export class Components {
  private readonly known = new Map<string, Component>();

  /** The components so far, sorted by name. */
  get schemas(): JsonObject {
    const names = [...this.known.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.known.get(name)?.schema ?? {}]));
  }

  /**
   * Returns a schema in the form of JSON Schema 2020-12.
   * @param at the operation and the part of it that uses the schema, for error messages
   * @throws Failure when two different schemas have the same name
   */
  schemaOf(schema: JsonValue, at: string): JsonValue {
    if (Array.isArray(schema)) return schema.map((item) => this.schemaOf(item, at));
    if (!isJsonObject(schema)) return schema;
    const { 'x-component': component, ...rest } = schema;
    return isJsonObject(component) ? this.reference(component, rest, at) : this.inline(rest, at);
  }

  /**
   * Returns the `$ref` to a named schema. A use may have its own description. Its examples belong to the use
   * only.
   */
  private reference(component: JsonObject, use: JsonObject, at: string): JsonObject {
    const { description = null, examples: _, ...content } = use;
    const name = String(component.name);
    const shared = component.description ?? null;
    const source = JSON.stringify([shared, content]);
    if (this.known.get(name)?.source !== source) this.define(name, source, shared, content, at);
    const $ref = PREFIX + name;
    return description === null || description === shared ? { $ref } : { $ref, description };
  }

  private define(
    name: string,
    source: string,
    description: JsonValue,
    content: JsonObject,
    at: string,
  ): void {
    const schema = { ...(description === null ? {} : { description }), ...this.inline(content, at) };
    const text = JSON.stringify(schema);
    const known = this.known.get(name);
    if (known !== undefined && known.text !== text) {
      throw new Failure(
        `Two different schemas are named ${name}: one is used in ${known.at}, the other in ${at}. Rename one of them.`,
      );
    }
    if (known === undefined) this.known.set(name, { source, schema, text, at });
  }

  private inline(schema: JsonObject, at: string): JsonObject {
    if (isJsonObject(schema['x-schema'])) {
      const words = Object.entries(schema).filter(([name]) => name === 'description' || name === 'examples');
      return { ...Object(this.schemaOf(schema['x-schema'], at)), ...Object.fromEntries(words) };
    }
    const names = namesOf(schema.anyOf);
    if (names !== null) {
      const { anyOf: _, ...rest } = schema;
      return { type: 'string', ...rest, enum: names };
    }
    const members = Object.entries(schema)
      .filter(([member]) => member !== 'x-message')
      .map(([member, value]) => [member, this.schemaOf(value, at)] as const);
    const written = Object.fromEntries(members);
    return isJsonObject(written.discriminator) ? this.withMapping(written, written.discriminator) : written;
  }

  /** Adds the mapping from the discriminator's values to components to a discriminated union. */
  private withMapping(union: JsonObject, discriminator: JsonObject): JsonObject {
    const branches = Array.isArray(union.oneOf) ? union.oneOf : [];
    const mapping = branches.flatMap((branch) => {
      const ref = isJsonObject(branch) ? String(branch.$ref) : '';
      const { properties = {} } = this.known.get(ref.slice(PREFIX.length))?.schema ?? {};
      const property = isJsonObject(properties) ? properties[String(discriminator.propertyName)] : undefined;
      return this.valuesOf(property).map((value) => [value, ref]);
    });
    return { ...union, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
  }

  private valuesOf(schema: JsonValue | undefined): string[] {
    if (!isJsonObject(schema)) return [];
    return (Array.isArray(schema.enum) ? schema.enum : [schema.const]).map(String);
  }
}

function namesOf(anyOf: JsonValue | undefined): string[] | null {
  if (!Array.isArray(anyOf)) return null;
  const names = anyOf.map((choice) => (isJsonObject(choice) ? choice.const : undefined));
  return names.every((name) => typeof name === 'string') ? names : null;
}
