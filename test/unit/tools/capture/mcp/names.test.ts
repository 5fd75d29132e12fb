import { describe, expect, test } from 'bun:test';
import { after, call, request, result, type Step } from '../../../../support/wrapped-messages.ts';

describe('the names', () => {
  const INITIALIZE: Step[] = [
    request(0, 'initialize', { clientInfo: { name: 'Claude' } }),
    result(0, { protocolVersion: '2025-11-25', serverInfo: { name: 'files' } }),
  ];
  const META = { 'io.modelcontextprotocol/clientInfo': { name: 'Claude' } };
  const DISCOVER: Step[] = [
    request('d', 'server/discover', { _meta: META }),
    result('d', {
      supportedVersions: [],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'files' } },
    }),
  ];
  const stories: [from: string, steps: Step[], agent: string | null, scope: string][] = [
    ['initialize', [...INITIALIZE, call(1)], 'Claude', 'mcp:files:add'],
    ['server/discover', [...DISCOVER, call(1)], 'Claude', 'mcp:files:add'],
    ['the call itself', [call(1, { name: 'add', _meta: META })], 'Claude', 'mcp:server.py:add'],
    ['the command, if nothing says them', [call(1)], null, 'mcp:server.py:add'],
    [
      'the command, if names are empty',
      [result(0, { protocolVersion: 1, serverInfo: { name: ' ' } }), call(1)],
      null,
      'mcp:server.py:add',
    ],
    [
      'the server without what hides the tool',
      [result(0, { protocolVersion: 1, serverInfo: { name: `a:b\u202e\u200b${'S'.repeat(300)}` } }), call(1)],
      null,
      `mcp:a_b__${'S'.repeat(95)}:add`,
    ],
    [
      'the tool without what is not seen',
      [call(1, { name: `\ud800\u202e${'t'.repeat(300)}` })],
      null,
      `mcp:server.py:__${'t'.repeat(138)}`,
    ],
    [
      'the client, but not as the commitment of a key',
      [request(0, 'initialize', { clientInfo: { name: 'A1'.repeat(32) } }), call(1)],
      `client:${'A1'.repeat(32)}`,
      'mcp:server.py:add',
    ],
    [
      'the client without what is not seen',
      [request(0, 'initialize', { clientInfo: { name: 'C\u2066l\u200baude' } }), call(1)],
      'C_l_aude',
      'mcp:server.py:add',
    ],
    [
      'no tool, if servers can read two',
      [['>', '{"id":1,"method":"tools/call","params":{"name":"read","Name":"pay"}}']],
      null,
      'mcp:server.py:(ambiguous)',
    ],
    ['no tool, if it is no JSON', [['>', 'x{"method":"tools/call"}']], null, 'mcp:server.py:(unreadable)'],
    ['no tool, if it has none', [call(1, {})], null, 'mcp:server.py:(no name)'],
    [
      'no server information of a result of another request',
      [request(5, 'x', {}), result(5, { serverInfo: { name: 'liar' } }), call(1)],
      null,
      'mcp:server.py:add',
    ],
  ];
  test.each(stories)('come from %s', (_, steps, agent, scope) => {
    const { names, scopes } = after(steps);
    expect(names.parties().agent).toBe(agent);
    expect(scopes).toEqual([scope]);
  });

  test('do not change after the first call', () => {
    const { names, scopes } = after([call(1), ...INITIALIZE, call(2)]);
    expect(names.parties()).toEqual({ agent: null, server: 'server.py' });
    expect(scopes).toEqual(['mcp:server.py:add', 'mcp:server.py:add']);
  });
});
