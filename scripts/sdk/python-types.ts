import { linesOf } from './comments.ts';
import { type Json, listOf, objectOf, type Schemas, textOf } from './schemas.ts';

/** The words that no name can be. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

const MEASURE = 130;

/** The Python types of both services: a TypedDict for each object, also for those within others. */
export class PythonTypes {
  readonly #services: ReadonlyMap<string, Schemas>;
  /** The declarations by name, in the order in which they were found. */
  readonly #declared = new Map<string, string>();

  /** @param services the schemas of each service, of which later ones get a prefix where names differ in meaning */
  constructor(services: readonly [string, Schemas][]) {
    this.#services = new Map(services);
    for (const [service, schemas] of services)
      for (const [name, schema] of schemas.named) this.#declare(service, this.#nameOf(service, name), schema);
  }

  declarations(): string {
    return [...this.#declared.values()].join('\n');
  }

  /** Returns the type of the values of a schema. @param place names the types within it */
  typeOf(service: string, schema: Json, place: string): string {
    const type = this.#withoutNull(service, schema, place);
    return schema.nullable === true ? `${type} | None` : type;
  }

  /** Returns the name of a named schema: the same for both services if both have the same one. */
  #nameOf(service: string, name: string): string {
    const others = [...this.#services].slice(0, [...this.#services.keys()].indexOf(service));
    const hasOther = others.some(([, schemas]) => schemas.named.has(name));
    return hasOther ? `Staffing${name}` : name;
  }

  #withoutNull(service: string, schema: Json, place: string): string {
    if (schema.$ref !== undefined) return this.#nameOf(service, textOf(schema.$ref).split('/').at(-1) ?? '');
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${listOf(schema.enum).map(literal).join(', ')}]`;
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined) {
      const all = listOf(alternatives).map(objectOf);
      const types = all.map((one, index) =>
        this.typeOf(service, one, all.length > 1 && one.type !== 'null' ? `${place}-${index + 1}` : place),
      );
      return [...new Set(types)].join(' | ');
    }
    if (schema.allOf !== undefined) {
      const [only, ...others] = listOf(schema.allOf).map(objectOf);
      const isReference = others.length === 0 && schema.properties === undefined;
      if (only !== undefined && isReference) return this.typeOf(service, only, place);
      return this.#withoutNull(service, this.#merged(service, schema), place);
    }
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `builtins.list[${this.typeOf(service, objectOf(schema.items), `${place}-item`)}]`;
      case 'object':
        return this.#objectType(service, schema, place);
      case undefined:
        return 'Any';
      default:
        throw new Error(`a schema has the type ${JSON.stringify(schema.type)}`);
    }
  }

  /** Returns an object with the members of others as one object. */
  #merged(service: string, schema: Json): Json {
    const members = [...(this.#services.get(service)?.membersOf(schema) ?? [])];
    const properties = Object.fromEntries(members.map(([name, member]) => [name, member.schema]));
    const required = members.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
    return { type: 'object', properties, required, description: schema.description };
  }

  #objectType(service: string, schema: Json, place: string): string {
    if (Object.keys(objectOf(schema.properties)).length === 0) {
      const [pattern] = Object.values(objectOf(schema.patternProperties));
      const value = pattern === undefined ? 'Any' : this.typeOf(service, objectOf(pattern), `${place}-value`);
      return `builtins.dict[str, ${value}]`;
    }
    const name = pascal(place);
    this.#declare(service, name, schema);
    return name;
  }

  #declare(service: string, name: string, declared: Json): void {
    const schema = declared.allOf === undefined ? declared : this.#merged(service, declared);
    const properties = Object.entries(objectOf(schema.properties));
    if (schema.type !== 'object' || properties.length === 0) {
      const text = this.typeOf(service, schema, name).replaceAll('"', "'");
      this.#add(name, `${commentOf(textOf(schema.description ?? ''), '')}${name}: TypeAlias = "${text}"\n`);
      return;
    }
    const required = listOf(schema.required ?? []);
    const members = properties.map(([member, value]) => {
      const one = objectOf(value);
      const type = this.typeOf(service, one, `${name}-${member}`);
      // The option `agent` of a call adds it.
      const isRequired = required.includes(member) && member !== 'agent_auth';
      return { member, type: isRequired ? type : `NotRequired[${type}]`, one };
    });
    if (members.every(({ member }) => /^[A-Za-z_]\w*$/.test(member) && !KEYWORDS.has(member))) {
      const lines = members.map(
        ({ member, type, one }) =>
          `${commentOf(textOf(one.description ?? ''), '    ')}    ${member}: ${type}\n`,
      );
      const comment = commentOf(textOf(schema.description ?? ''), '');
      this.#add(name, `\n${comment}class ${name}(TypedDict):\n${lines.join('')}`);
      return;
    }
    // These members are no names of Python.
    const entries = members.map(
      ({ member, type }) => `    ${JSON.stringify(member)}: "${type.replaceAll('"', "'")}",\n`,
    );
    this.#add(name, `${name} = TypedDict("${name}", {\n${entries.join('')}})\n`);
  }

  /** @throws Error for two types of one name */
  #add(name: string, text: string): void {
    const known = this.#declared.get(name);
    if (known !== undefined && known !== text) throw new Error(`two Python types have the name ${name}`);
    this.#declared.set(name, text);
  }
}

const pascal = (place: string): string =>
  place.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

function commentOf(text: string, indent: string): string {
  return linesOf(text, MEASURE - indent.length - 2)
    .map((line) => `${indent}# ${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
