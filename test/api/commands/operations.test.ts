import { expect, test } from 'bun:test';
import { documents } from '../../../scripts/sdk/documents.ts';
import { operationCommandsOf } from '../../support/operation-commands.ts';

const commands = operationCommandsOf('src/*/commands/*.ts');
/** The operations of all documents by service and id, with the schemas of their document. */
const { trustEvents: _, ...openApiDocuments } = await documents();
const described = new Map(
  Object.entries(openApiDocuments).flatMap(([name, document]: [string, unknown]) => {
    const { paths, components } = Object(document);
    const service = name.replace(/-admin$/, '');
    const schemas: Record<string, unknown> = components.schemas;
    return Object.values(paths)
      .flatMap((item) => Object.values(Object(item)))
      .map((operation) => {
        const { operationId, responses } = Object(operation);
        const schema: unknown = responses?.['200']?.content?.['application/json']?.schema;
        return [`${service} ${operationId}`, { schema, schemas }] as const;
      });
  }),
);
/** Returns an operation of the service of a command. */
const operationOf = (at: string, id: string) => described.get(`${at.split('/')[1]} ${id}`);

/** Returns the members of a schema, those of its alternatives and parts included. */
function membersOf(schema: unknown, schemas: Record<string, unknown>): Record<string, unknown> {
  const { $ref, properties, allOf = [], anyOf = [], oneOf = [] } = Object(schema);
  if ($ref !== undefined) return membersOf(schemas[String($ref).split('/').at(-1) ?? ''], schemas);
  const parts = [...allOf, ...anyOf, ...oneOf].map((part: unknown) => membersOf(part, schemas));
  return Object.assign({}, properties, ...parts);
}

test('every command for a service has an operation of an OpenAPI document', () => {
  const ofApi = commands.filter(({ isOfApi }) => isOfApi);
  expect(ofApi.length).toBeGreaterThan(40);
  expect(ofApi.filter(({ at, operations }) => !operations.some((id) => operationOf(at, id)))).toEqual([]);
});

test('every list has the rows and the members of its columns in its response', () => {
  const lists = commands.flatMap(({ at, list, operations }) =>
    list === null ? [] : operations.map((id) => ({ at, id, list, operation: operationOf(at, id) })),
  );
  const found = lists.filter(({ operation }) => operation !== undefined);
  expect(found.length).toBeGreaterThan(10);
  const missing = found.flatMap(({ at, id, list: { rows, members }, operation }) => {
    const { schema, schemas } = operation ?? { schemas: {} };
    const { [rows]: list } = membersOf(schema, schemas);
    if (list === undefined) return [`${at}: ${id} has no ${rows}`];
    const row = membersOf(Object(list).items, schemas);
    return members.filter((name) => !Object.hasOwn(row, name)).map((name) => `${at}: ${id} has no ${name}`);
  });
  expect(missing).toEqual([]);
});
