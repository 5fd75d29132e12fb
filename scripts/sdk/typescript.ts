import { camelCase } from '../../src/sdk/words.ts';
import { CLASSES, clientComment } from './clients.ts';
import { commentOf } from './comments.ts';
import type { Client, Media, Operation, Parameter, Service } from './model.ts';
import { keyOf, typeOf, typesOf } from './typescript-types.ts';

/** Returns the module of a service in TypeScript: its types, its events and its clients. */
export function typescriptOf({ name, clients, schemas, events }: Service): string {
  return [
    '// Generated from the OpenAPI documents by scripts/sdk.ts.',
    "import * as core from './core.ts';",
    "export * from './core.ts';\n",
    typesOf(schemas),
    ...eventTypes(name, events),
    ...clients.map(clientClass),
  ].join('\n');
}

/** Returns the types of the deliveries of webhooks. */
function eventTypes(service: Service['name'], events: Service['events']): string[] {
  const types = Object.entries(events);
  const name = service === 'trust' ? 'TrustEvent' : 'StaffingEvent';
  const union = types.map(([, schema]) => typeOf(schema)).join('\n  | ');
  return [`/** An event that the service sends to a webhook. */\nexport type ${name} =\n  | ${union};\n`];
}

function clientClass({ name, operations }: Client): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const members = [...groups].map(
    ([group, all]) =>
      `  /** ${[...new Set(all.map(({ verb }) => camelCase(verb)))].join(', ')} */\n` +
      `  readonly ${camelCase(group)}: ${groupName(name, group)};`,
  );
  const starts = [...groups.keys()].map(
    (group) => `    this.${camelCase(group)} = new ${groupName(name, group)}(this.#transport);`,
  );
  return [
    ...[...groups].map(([group, all]) => groupClass(groupName(name, group), all)),
    `/** ${clientComment(name, 'apiKey')} */`,
    `export class ${CLASSES[name]} {`,
    '  readonly #transport: core.Transport;',
    ...members,
    '',
    '  /** @throws CountersignError for a URL to which a key must not be sent */',
    '  constructor(options: core.ClientOptions) {',
    '    this.#transport = new core.Transport(options);',
    ...starts,
    '  }',
    '',
    '  /** The URL of the service. */',
    '  get url(): URL {',
    '    return this.#transport.url;',
    '  }',
    '',
    '  /** Returns the time with which agents sign, in milliseconds since 1970. */',
    '  now(): Promise<number> {',
    '    return this.#transport.now();',
    '  }',
    '}\n',
  ].join('\n');
}

const groupName = (client: Client['name'], group: string): string =>
  `${CLASSES[client].replace(/Client$/, '')}${pascal(group)}`;

const pascal = (word: string): string => camelCase(`-${word}`);

function groupClass(name: string, operations: readonly Operation[]): string {
  return [
    `class ${name} {`,
    '  readonly #transport: core.Transport;\n',
    '  constructor(transport: core.Transport) {',
    '    this.#transport = transport;',
    '  }\n',
    operations.flatMap((operation) => operation.forms.map((form) => methodOf(operation, form))).join('\n'),
    '}\n',
  ].join('\n');
}

function methodOf(operation: Operation, form: Media): string {
  const { rows, verb } = operation;
  const name = camelCase(form.suffix === '' ? verb : `${verb}-${form.suffix}`);
  const signature = parametersOf(operation);
  const comment = commentOf(textOf(operation, form), '  ');
  const result = typeOf(form.schema);
  if (rows !== null) {
    const list = `core.List<${typeOf(rows.schema)}, ${result}>`;
    const call = callOf(operation, form, '{ ...query, ...(cursor !== undefined && { cursor }) }');
    return [
      `${comment}  ${name}(${signature}): ${list} {`,
      `    return new core.List(`,
      `      (cursor) => this.#transport.json<${result}>(${call}, options),`,
      `      (page) => page${accessOf(rows.member)},`,
      '    );',
      '  }\n',
    ].join('\n');
  }
  const { canBeEmpty } = operation;
  const method = form.reads === 'json' && canBeEmpty ? 'jsonOrNothing' : form.reads;
  const generic = form.reads === 'json' ? `<${result}>` : '';
  const returned = {
    json: canBeEmpty ? `${result} | undefined` : result,
    text: 'string',
    bytes: 'Uint8Array',
  };
  return [
    `${comment}  ${name}(${signature}): Promise<${returned[form.reads]}> {`,
    `    return this.#transport.${method}${generic}(${callOf(operation, form, 'query')}, options);`,
    '  }\n',
  ].join('\n');
}

const accessOf = (member: string): string => (keyOf(member) === member ? `.${member}` : `[${keyOf(member)}]`);

/** Returns the parameters of a method: those of the path, the body or the query, headers, and options. */
function parametersOf(operation: Operation): string {
  const { places, body, query, headers, rows } = operation;
  const parameters = places.map(({ name }) => `${name}: string`);
  if (body !== null) {
    const written = bodyType(operation);
    // A body of which everything is optional, or is added by the agent, may be absent.
    parameters.push(body.isRequired ? `body: ${written}` : `body?: ${written}`);
  }
  const asked = query.filter(({ name }) => !(rows !== null && name === 'cursor') && name !== 'format');
  if (query.length > 0 && (rows !== null || asked.length > 0)) {
    const isRequired = asked.some((parameter) => parameter.isRequired);
    parameters.push(`query${isRequired ? '' : '?'}: ${queryType(asked)}`);
  }
  if (headers.length > 0)
    parameters.push(
      `headers: { ${headers.map(({ name, isRequired }) => `${keyOf(name)}${isRequired ? '' : '?'}: string`).join('; ')} }`,
    );
  return [...parameters, `options?: core.${optionsType(operation)}`].join(', ');
}

function bodyType({ body, takesAgent, headers }: Operation): string {
  const type = typeOf(body?.schema ?? {});
  // Another party has signed the bytes of a body with a signature in a header.
  if (headers.length > 0) return `${type} | string`;
  return takesAgent ? `core.Unsigned<${type}>` : type;
}

function optionsType({ takesAgent, isIdempotent }: Operation): string {
  if (takesAgent) return 'AgentOptions';
  return isIdempotent ? 'IdempotentOptions' : 'CallOptions';
}

const queryType = (query: readonly Parameter[]): string =>
  `{ ${query
    .map(({ name, isRequired, schema }) => `${keyOf(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`)
    .join('; ')} }`;

/** Returns the description of a call, as `Transport` takes it. @param queryText the expression of the query */
function callOf(operation: Operation, form: Media, queryText: string): string {
  const { method, path, places, query, body, headers, isIdempotent, key, rows } = operation;
  const parts = [`method: '${method}'`, `path: '${path}'`];
  if (places.length > 0) parts.push(`places: { ${places.map(({ name }) => name).join(', ')} }`);
  const format = query.find(({ name }) => name === 'format');
  if (format !== undefined) parts.push(`query: { format: '${form.suffix === '' ? 'json' : form.suffix}' }`);
  else if (rows !== null || query.length > 0)
    parts.push(queryText === 'query' ? 'query' : `query: ${queryText}`);
  if (body !== null) parts.push('body');
  if (headers.length > 0) parts.push('headers');
  if (form.type !== 'application/json') parts.push(`accept: '${form.type}'`);
  if (isIdempotent) parts.push('isIdempotent: true');
  if (key === 'none') parts.push('isPublic: true');
  return `{ ${parts.join(', ')} }`;
}

function textOf({ summary, description, errors, query, rows, id }: Operation, form: Media): string {
  const returned = form.suffix === '' ? '' : `\n\nReturns ${form.type}.`;
  const parameters = query
    .filter(({ name }) => !(rows !== null && name === 'cursor') && name !== 'format')
    .map(({ name, description: text }) => `- \`${name}\`: ${text}`);
  const asked = parameters.length === 0 ? '' : `\n\nQuery:\n${parameters.join('\n')}`;
  const codes = errors.length === 0 ? '' : `\n\n@throws ApiError with the code ${errors.join(', ')}`;
  return `${summary} (\`${id}\`).\n\n${description}${returned}${asked}${codes}`;
}
