/** An MCP server of the official SDK v1 (revisions until 2025-11-25) over stdio. */

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { QUESTION, TOOLS, textOf } from './tools.ts';

const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  if (params.name === 'ask') {
    const { action } = await server.elicitInput(QUESTION);
    return { content: [{ type: 'text', text: action }] };
  }
  const text = textOf(params.name, params.arguments);
  if (text === undefined) throw new McpError(ErrorCode.InvalidParams, 'there is no such tool');
  return { content: [{ type: 'text', text }], ...(params.name === 'fail' ? { isError: true } : {}) };
});
await server.connect(new StdioServerTransport());
