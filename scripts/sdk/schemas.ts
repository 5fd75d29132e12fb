/** A JSON object of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** A member of an object. */
export interface Member {
  schema: Json;
  isRequired: boolean;
}

/** The named schemas and responses of a service. */
export class Schemas {
  /** The schemas by name, in order of name. */
  readonly named: ReadonlyMap<string, Json>;
  readonly #components: Json;

  /** @throws Error when two documents have different schemas of one name */
  constructor(documents: readonly Json[]) {
    const all = documents.map(({ components }) => objectOf(components));
    const merged = (kind: string): Json => Object.assign({}, ...all.map((one) => objectOf(one[kind])));
    const schemas = merged('schemas');
    for (const one of all)
      for (const [name, schema] of Object.entries(objectOf(one.schemas)))
        if (!Bun.deepEquals(schema, schemas[name])) throw new Error(`two documents differ in ${name}`);
    this.named = new Map(
      Object.keys(schemas)
        .sort()
        .map((name) => [name, objectOf(schemas[name])]),
    );
    this.#components = { schemas, responses: merged('responses') };
  }

  /** Returns a schema or a response itself, if it is a reference. */
  resolved(one: Json): Json {
    if (one.$ref === undefined) return one;
    const [kind = '', name = ''] = textOf(one.$ref).replace('#/components/', '').split('/');
    const found = objectOf(this.#components[kind])[name];
    if (found === undefined) throw new Error(`the document refers to ${textOf(one.$ref)}, which it lacks`);
    return this.resolved(objectOf(found));
  }

  /** Returns the members of an object, or of all alternatives together: then those of every one are required. */
  membersOf(schema: Json): Map<string, Member> {
    const whole = this.resolved(schema);
    const alternatives = whole.oneOf ?? whole.anyOf;
    if (alternatives !== undefined) {
      const all = listOf(alternatives).map((one) => this.membersOf(objectOf(one)));
      const names = new Set(all.flatMap((one) => [...one.keys()]));
      return new Map(
        [...names].map((name) => {
          const found = all.flatMap((one) => one.get(name) ?? []);
          const [first, ...others] = found.map((member) => member.schema);
          const isSame = others.every((one) => Bun.deepEquals(one, first));
          return [
            name,
            {
              schema: isSame && first !== undefined ? first : { anyOf: found.map((member) => member.schema) },
              isRequired: all.every((one) => one.get(name)?.isRequired === true),
            },
          ];
        }),
      );
    }
    const parts = listOf(whole.allOf ?? []).map((one) => this.membersOf(objectOf(one)));
    const required = listOf(whole.required ?? []);
    const own = Object.entries(objectOf(whole.properties ?? {})).map(([name, one]): [string, Member] => [
      name,
      { schema: objectOf(one), isRequired: required.includes(name) },
    ]);
    return new Map([...parts.flatMap((part) => [...part]), ...own]);
  }
}

/** Returns a value as an object; an empty one for undefined. @throws Error for another value */
export function objectOf(value: unknown): Json {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`the document has ${JSON.stringify(value)} in place of an object`);
  }
  return { ...value };
}

/** @throws Error for another value */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`the document has ${JSON.stringify(value)} in place of a list`);
  return value;
}

/** @throws Error for another value */
export function textOf(value: unknown): string {
  if (typeof value !== 'string')
    throw new Error(`the document has ${JSON.stringify(value)} in place of text`);
  return value;
}
