import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let service: Running;
let env: Record<string, string>;
beforeAll(async () => {
  directory = scratch();
  service = await serve(join(directory.path, 'trust'));
  env = { XDG_CONFIG_HOME: join(directory.path, 'configuration') };
  const keyFile = join(directory.path, 'key');
  writeFileSync(keyFile, service.apiKey, { mode: 0o600 });
  expect(
    await run(['login', service.url, '--api-key-file', keyFile, '--name', 'demo'], { env }),
  ).toMatchObject({
    code: 0,
  });
});
afterAll(() => directory.dispose());

/** What the tests need of a client of either SDK. */
interface Connected {
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

const started = (...args: string[]) => ({
  command: EXECUTABLE,
  args: ['mcp', 'serve', ...args],
  env,
  stderr: 'ignore' as const,
});
const info = { name: 'test', version: '1' };

async function current(mode: 'legacy' | 'auto', args: string[]): Promise<Connected> {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(started(...args)));
  expect(client.getNegotiatedProtocolVersion() === '2026-07-28').toBe(mode === 'auto');
  return client;
}

const CLIENTS: [string, (...args: string[]) => Promise<Connected>][] = [
  ['of SDK v2 with a handshake', (...args) => current('legacy', args)],
  ['of SDK v2 that looks for the newest revision', (...args) => current('auto', args)],
  [
    'of SDK v1',
    async (...args) => {
      const client = new FormerClient(info);
      await client.connect(new FormerTransport(started(...args)));
      return client;
    },
  ],
];

describe.each(CLIENTS)('a client %s', (_, connect) => {
  test('issues, finalizes and verifies a receipt with the rights of the current context', async () => {
    const client = await connect();
    const call = async (name: string, values: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { structuredContent, isError } = Object(await client.callTool({ name, arguments: values }));
      expect(isError ?? false).toBe(false);
      return structuredContent;
    };
    const issued = await call('issue_receipt', {
      agent_id: 'clerk',
      domain: 'CODE_GENERATION',
      authority_scope: 'repo:write',
      input: 'task',
    });
    const receipt = await call('finalize_receipt', {
      receipt_id: issued.receipt_id,
      status: 'success',
      output: 'result',
    });
    expect(await call('verify', { document: JSON.stringify(receipt) })).toMatchObject({
      valid: true,
      trusted_keys: `${service.url} (context demo)`,
      sentence: expect.stringMatching(
        /^valid: The receipt is authentic, unchanged and not expired; it is not revoked/,
      ),
    });
    const gate = { operator_id: receipt.operator_id, domain: 'CODE_GENERATION' };
    expect(await call('check_gate', gate)).toMatchObject({ allow_invocation: true });
    await client.close();
  });

  test('sees five tools with schemas, or three that only read, and gets errors as results', async () => {
    const client = await connect('--read-only');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['verify', 'check_gate', 'look_up_agent']);
    for (const { inputSchema } of tools)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const wrong = { name: 'look_up_agent', arguments: { commitment: 'x' } };
    expect(await client.callTool(wrong)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_arguments' } },
    });
    const missing = { name: 'issue_receipt', arguments: {} };
    expect(await client.callTool(missing).catch(({ code }) => code)).toBe(-32602);
    await client.close();
  });
});

describe('stdout has nothing but the protocol', () => {
  const line = (id: number, name: string, values: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values } })}\n`;
  const OPENING = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
  })}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`;

  test('for rubbish, deep JSON and unknown methods, after which it still answers', async () => {
    const child = Bun.spawn([EXECUTABLE, 'mcp', 'serve', '--context', 'demo'], {
      env: { ...process.env, ...env },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    child.stdin.write(OPENING);
    child.stdin.write(
      `\u0000\u0001\n{"jsonrpc":\n${'['.repeat(100_000)}\n{"jsonrpc":"2.0","id":1,"method":"x"}\n`,
    );
    child.stdin.write(line(2, 'verify', { document: '[['.repeat(100_000) }));
    child.stdin.write(line(3, 'verify', { document: `x`.repeat(2_000_000) }));
    await child.stdin.flush();
    const lines: { id: number; result?: { isError?: boolean }; error?: { code: number } }[] = [];
    let rest = '';
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = `${rest}${part}`.split('\n');
      rest = parts.pop() ?? '';
      for (const one of parts) lines.push(JSON.parse(one));
      if ([0, 1, 2, 3].every((id) => lines.some((one) => one.id === id))) break;
    }
    await child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(rest).toBe('');
    expect(lines.find(({ id }) => id === 1)?.error?.code).toBe(-32601);
    expect(lines.find(({ id }) => id === 2)?.result?.isError ?? false).toBe(false);
    expect(lines.find(({ id }) => id === 3)?.result?.isError).toBe(true);
  });

  test('for a line that is too long, which ends the connection, and without a context', async () => {
    const tooLong = await run(['mcp', 'serve'], { env, stdin: `${OPENING}${'x'.repeat(11 * 2 ** 20)}` });
    expect(tooLong.code).toBe(0);
    expect(tooLong.stderr).toContain('countersign: error: ');
    const alone = await run(['mcp', 'serve'], { stdin: '' });
    expect(alone).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'verify: no service: there is no login context\n',
    });
  });

  test.each([
    [['--context', 'nowhere'], 'there is no context nowhere'],
    [['--context', 'demo', '--url', 'http://127.0.0.1:1'], '--context and --url name two targets'],
    [['--api-key-file', 'key'], '--api-key-file needs --url'],
  ])('for %j, which is refused with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await run(['mcp', 'serve', ...args], { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
