/** An MCP server of the official SDK v2 over stdio: the client chooses the era, also of revision 2026-07-28. */

import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { QUESTION, TOOLS, textOf } from './tools.ts';

serveStdio(() => {
  const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    if (params.name === 'ask') {
      const answer = inputResponse(context.mcpReq.inputResponses, 'sure');
      if (answer.kind === 'missing')
        return inputRequired({
          inputRequests: { sure: inputRequired.elicit(QUESTION) },
          requestState: 'asked',
        });
      return { content: [{ type: 'text', text: 'accept' }] };
    }
    const text = textOf(params.name, params.arguments);
    if (text === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no such tool');
    return { content: [{ type: 'text', text }], ...(params.name === 'fail' ? { isError: true } : {}) };
  });
  return server;
});
