import { snakeCase } from '../../src/sdk/words.ts';
import { CLASSES, clientComment } from './clients.ts';
import { linesOf } from './comments.ts';
import type { Client, Media, Operation, Parameter, Service } from './model.ts';
import { KEYWORDS, PythonTypes } from './python-types.ts';

const MEASURE = 130;

/** Returns the generated part of the Python SDK: the types and the clients of both services. */
export function pythonOf(services: readonly Service[]): string {
  const types = new PythonTypes(services.map(({ name, schemas }) => [name, schemas]));
  const clients = services.flatMap(({ name, clients: all }) =>
    all.map((client) => clientClass(client, (schema, place) => types.typeOf(name, schema, place))),
  );
  const events = services.map(({ name, events: all }) => {
    const alias = name === 'trust' ? 'TrustEvent' : 'StaffingEvent';
    const union = Object.entries(all).map(([event, schema]) =>
      types.typeOf(name, schema, `${alias}-${event.replaceAll(/[._]/g, '-')}`),
    );
    return `${alias}: TypeAlias = "${union.join(' | ').replaceAll('"', "'")}"\n`;
  });
  return [
    '\n\n# Generated from the OpenAPI documents by scripts/sdk.ts.\n',
    types.declarations(),
    ...events,
    ...clients,
  ].join('\n');
}

type TypeOf = (schema: Media['schema'], place: string) => string;

function clientClass({ name, operations }: Client, typeOf: TypeOf): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const stem = CLASSES[name].replace(/Client$/, '');
  const className = (group: string): string =>
    `${stem}${group.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Group`;
  return [
    ...[...groups].map(
      ([group, all]) =>
        `\nclass ${className(group)}(Group):\n${all
          .flatMap((operation) => operation.forms.map((form) => methodOf(operation, form, typeOf)))
          .join('\n')}`,
    ),
    `\nclass ${CLASSES[name]}(Client):`,
    `    """${clientComment(name, 'api_key')}"""\n`,
    ...[...groups.keys()].map(
      (group) =>
        `    @functools.cached_property\n    def ${snakeCase(group)}(self) -> ${className(group)}:\n        return ${className(group)}(self)\n`,
    ),
  ].join('\n');
}

function methodOf(operation: Operation, form: Media, typeOf: TypeOf): string {
  const { rows, verb, id, canBeEmpty } = operation;
  const name = snakeCase(form.suffix === '' ? verb : `${verb}-${form.suffix}`);
  const result =
    form.reads === 'json' ? typeOf(form.schema, `${id}-response`) : form.reads === 'text' ? 'str' : 'bytes';
  const lines = [
    `    def ${name}(${parametersOf(operation, typeOf)}) -> ${rows === null ? result + (canBeEmpty ? ' | None' : '') : `Rows[${typeOf(rows.schema, `${id}-row`)}, ${result}]`}:`,
    docstring(operation, form),
  ];
  if (rows === null) {
    lines.push(
      `        result: ${result}${canBeEmpty ? ' | None' : ''} = self._transport.call(${callOf(operation, form)})`,
      '        return result\n',
    );
  } else {
    lines.push(
      '        def read(cursor: str | None) -> Any:',
      `            return self._transport.call(${callOf(operation, form)})`,
      `        return Rows(read, ${JSON.stringify(rows.member)})\n`,
    );
  }
  return lines.join('\n');
}

const safe = (name: string): string =>
  KEYWORDS.has(name)
    ? `${name}_`
    : snakeCase(name)
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase();

/** The parameters of the query that a caller chooses. */
const askedOf = ({ query, rows }: Operation): Parameter[] =>
  query.filter(({ name }) => !(rows !== null && name === 'cursor') && name !== 'format');

function parametersOf(operation: Operation, typeOf: TypeOf): string {
  const { places, body, headers, id } = operation;
  const parameters = ['self', ...places.map(({ name }) => `${safe(name)}: str`)];
  if (body !== null) {
    const type = typeOf(body.schema, `${id}-request`);
    // Another party has signed the bytes of a body with a signature in a header.
    const text = headers.length > 0 ? `${type} | str` : type;
    parameters.push(body.isRequired ? `body: ${text}` : `body: ${text} | None = None`);
  }
  if (headers.length > 0) parameters.push('headers: Mapping[str, str]');
  const asked = askedOf(operation);
  if (asked.length > 0) {
    const sorted = asked.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
    parameters.push('*');
    for (const { name, isRequired, schema } of sorted) {
      const type = typeOf(schema, `${id}-${name}`);
      parameters.push(isRequired ? `${safe(name)}: ${type}` : `${safe(name)}: ${type} | None = None`);
    }
  }
  return [...parameters, `**options: Unpack[${optionsType(operation)}]`].join(', ');
}

function optionsType({ takesAgent, isIdempotent }: Operation): string {
  if (takesAgent) return 'AgentOptions';
  return isIdempotent ? 'IdempotentOptions' : 'CallOptions';
}

function callOf(operation: Operation, form: Media): string {
  const { method, path, places, query, body, headers, isIdempotent, key, rows, canBeEmpty } = operation;
  const parts = [JSON.stringify(method), JSON.stringify(path)];
  const entries = (all: readonly Parameter[]): string =>
    all.map(({ name }) => `${JSON.stringify(name)}: ${safe(name)}`).join(', ');
  if (places.length > 0) parts.push(`places={${entries(places)}}`);
  const asked = askedOf(operation);
  if (query.some(({ name }) => name === 'format'))
    parts.push(`query={"format": "${form.suffix === '' ? 'json' : form.suffix}"}`);
  else if (query.length > 0)
    parts.push(
      `query={${entries(asked)}${rows === null ? '' : `${asked.length > 0 ? ', ' : ''}"cursor": cursor`}}`,
    );
  if (body !== null) parts.push('body=body');
  if (headers.length > 0) parts.push('headers=headers');
  if (form.type !== 'application/json') parts.push(`accept=${JSON.stringify(form.type)}`);
  if (form.reads !== 'json') parts.push(`reads="${form.reads}"`);
  else if (canBeEmpty) parts.push('reads="json or nothing"');
  if (isIdempotent) parts.push('idempotent=True');
  if (key === 'none') parts.push('public=True');
  return [...parts, '**options'].join(', ');
}

function docstring(operation: Operation, form: Media): string {
  const { summary, description, errors, id } = operation;
  const asked = askedOf(operation).map(({ name, description: text }) => `- \`${safe(name)}\`: ${text}`);
  const text = [
    `${summary} (\`${id}\`).`,
    description,
    ...(form.suffix === '' ? [] : [`Returns ${form.type}.`]),
    ...(asked.length === 0 ? [] : [asked.join('\n')]),
    ...(errors.length === 0 ? [] : [`Raises ApiError with the code ${errors.join(', ')}.`]),
  ].join('\n\n');
  const [first = '', ...others] = linesOf(
    text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"),
    MEASURE - 12,
  );
  return [
    `        """${first}`,
    ...others.map((line) => (line === '' ? '' : `        ${line}`)),
    '        """',
  ].join('\n');
}
