import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** The clients of the official SDKs. `v2 auto` probes for revision 2026-07-28; `v2` begins with `initialize`. */
export const CLIENTS = ['v1', 'v2', 'v2 auto'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** What tests do with a client of either SDK. */
export interface TestClient {
  tools(): Promise<string[]>;
  /** Returns the text of the result, with `!` before that of a failed tool. An error is `error` and its code. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

interface Started {
  command: string;
  args: string[];
  env: Record<string, string>;
}

const INFO = { name: 'tester', version: '1.0.0' };
const OPTIONS = { capabilities: { elicitation: { form: {} } } };
const ACCEPTED = { action: 'accept' as const, content: { sure: true } };

/** Starts a server with a client. People accept whatever the server asks. */
export async function connect(name: ClientName, server: Started): Promise<TestClient> {
  const started = { ...server, stderr: 'inherit' as const };
  if (name === 'v1') {
    const client = new OldClient(INFO, OPTIONS);
    client.setRequestHandler(ElicitRequestSchema, () => ACCEPTED);
    await client.connect(new OldTransport(started));
    return {
      tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      call: (tool, args) => textIn(client.callTool({ name: tool, ...(args && { arguments: args }) })),
      close: () => client.close(),
    };
  }
  const mode = name === 'v2' ? 'legacy' : 'auto';
  const client = new NewClient(INFO, { ...OPTIONS, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ACCEPTED);
  await client.connect(new NewTransport(started));
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (tool, args) => textIn(client.callTool({ name: tool, ...(args && { arguments: args }) })),
    close: () => client.close(),
  };
}

async function textIn(called: Promise<object>): Promise<string> {
  try {
    const { content, isError } = Object(await called);
    return `${isError === true ? '!' : ''}${content[0].text}`;
  } catch (error) {
    return `error ${String(Object(error).code)}`;
  }
}
