import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS, type ClientName, connect } from '../../../../support/mcp/clients.ts';
import { EXECUTABLE, type Running, scratch, serve } from '../../../../support/process.ts';

const { path, dispose } = scratch();
const SUPPORT = join(import.meta.dir, '../../../../support/mcp');
const KEY = join(path, 'key');
let service: Running;

beforeAll(async () => {
  service = await serve(join(path, 'data'));
  writeFileSync(KEY, service.apiKey, { mode: 0o600 });
});
afterAll(async () => {
  await service.stop();
  dispose();
});

const recorder = (name: string) => [process.execPath, join(SUPPORT, 'recorder.ts'), join(path, name)];

/** Returns what passed one way, for each process that was recorded. */
const recorded = (name: string, way: 'client' | 'server') =>
  readdirSync(join(path, name))
    .filter((file) => file.endsWith(way))
    .map((file) => readFileSync(join(path, name, file), 'utf8'))
    .sort();

/** Uses a server as an application does. @returns what it saw */
async function used(client: ClientName, [command = '', ...args]: string[], agent: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: path, XDG_STATE_HOME: join(path, 'state', agent) };
  const connected = await connect(client, { command, args, env });
  const seen = [
    await connected.tools(),
    await connected.call('echo', { text: 'one\u2028two', n: 1e21 }),
    await connected.call('echo'),
    await connected.call('fail', {}),
    await connected.call('no such tool', {}),
    await connected.call('ask', { what: 'deploy' }),
    await Promise.all(Array.from({ length: 10 }, (_, n) => connected.call('echo', { n }))),
  ];
  await connected.close();
  return seen;
}

async function receiptsOf(agent: string): Promise<Record<string, unknown>[]> {
  const url = `${service.url}/api/v1/receipts?limit=100&agent_id=${agent}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } });
  return Object(await response.json()).receipts.toReversed();
}

describe('a wrapped server', () => {
  const pairs = CLIENTS.flatMap((client) =>
    ['v1', 'v2'].map((server): [ClientName, string] => [client, server]),
  );
  test.each(pairs)(
    'and its client (%s, server %s) see the same bytes as without the wrapper',
    async (client, server) => {
      const name = `${client}-${server}`.replace(' ', '-');
      const script = [process.execPath, join(SUPPORT, `server-${server}.ts`)];
      const wrapper = [EXECUTABLE, 'mcp', '--url', service.url, '--api-key-file', KEY, '--agent', name, '--'];
      const bare = await used(client, [...recorder(`${name}-bare`), ...script], `${name}-bare`);
      const wrapped = await used(
        client,
        [...recorder(`${name}-outer`), ...wrapper, ...recorder(`${name}-inner`), ...script],
        name,
      );
      expect(wrapped).toEqual(bare);
      for (const way of ['client', 'server'] as const) {
        expect(recorded(`${name}-outer`, way)).toEqual(recorded(`${name}-inner`, way));
        expect(recorded(`${name}-outer`, way)).toEqual(recorded(`${name}-bare`, way));
      }
      const receipts = await receiptsOf(name);
      const echo = ['mcp:tools:echo', 'success'];
      expect(receipts.map(({ authority_scope, status }) => [authority_scope, status])).toEqual([
        ...[echo, echo],
        ...[
          ['mcp:tools:fail', 'terminal'],
          ['mcp:tools:no such tool', 'refusal'],
          ['mcp:tools:ask', 'success'],
        ],
        ...Array.from({ length: 10 }, () => echo),
        ['session:tools', 'success'],
      ]);
    },
  );
});
