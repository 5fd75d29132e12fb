import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import type { JsonValue } from '../../../../../src/proof/encoding/json.ts';
import { FromServer } from '../../../../../src/tools/capture/mcp/from-server.ts';
import { messagesIn, messagesOf } from '../../../../../src/tools/capture/mcp/message.ts';
import { Names } from '../../../../../src/tools/capture/mcp/names.ts';
import { OpenCalls } from '../../../../../src/tools/capture/mcp/open-calls.ts';
import { RecordingCapture } from '../../../../support/recording-capture.ts';

/** A message from one side, as text or as a value: `>` is of the client, `<` of the server. */
type Step = readonly ['>' | '<', JsonValue];

/** A client that reads nothing. */
const NOBODY = { write: () => undefined, flush: () => undefined, close: () => undefined };

function after(steps: readonly Step[], command = '/usr/bin/server.py') {
  const capture = new RecordingCapture();
  const names = new Names(command);
  const calls = new OpenCalls(capture, names);
  const server = new FromServer(NOBODY, calls, () => undefined);
  for (const [side, value] of steps) {
    if (side === '<') {
      void server.take(Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`));
      continue;
    }
    const { messages, isBatch } =
      typeof value === 'string' ? messagesOf(Buffer.from(value)) : messagesIn(value, () => 'f'.repeat(64));
    if (isBatch) calls.acceptBatches = true;
    for (const message of messages) calls.fromClient(message);
  }
  return { capture, calls, names, ends: capture.ends, scopes: capture.scopes };
}

const call = (id: JsonValue, params: JsonValue = { name: 'add', arguments: { a: 1 } }): Step => [
  '>',
  { jsonrpc: '2.0', id, method: 'tools/call', params },
];
const result = (id: JsonValue, value: JsonValue = { content: [] }): Step => [
  '<',
  { jsonrpc: '2.0', id, result: value },
];
const request = (id: JsonValue, method: string, params: JsonValue): Step => [
  '>',
  { jsonrpc: '2.0', id, method, params },
];
const error = (id: JsonValue, code: JsonValue): Step => [
  '<',
  { jsonrpc: '2.0', id, error: { code, message: 'secret' } },
];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const CANCELLED = 'graceful_shutdown: cancelled by the client';
const task = (status: string, more: object = {}) => ({ resultType: 'task', taskId: 't1', status, ...more });
const got = (status: string, more: object = {}) => ({
  resultType: 'complete',
  taskId: 't1',
  status,
  ...more,
});

/** Responses that no client accepts, or that clients read differently. */
const NOT_ACCEPTED = [
  '{"jsonrpc":"2.0","id":1,"result":{}} x',
  '{"jsonrpc":"2.0","id":1,"result":{}}{}',
  '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  '{"id":1,"result":{}}',
  '{"jsonrpc":"1.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"result":null}',
  '{"jsonrpc":"2.0","id":1,"result":[]}',
  '{"jsonrpc":"2.0","id":1,"error":"no"}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":null}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
  '{"jsonrpc":"2.0","id":1,"result":{"isError":"true"}}',
  '{"jsonrpc":"2.0","id":1,"result":{"isError":false,"ISERROR":true}}',
  '{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"x","result":{}}',
  '{"jsonrpc":"2.0","id":{"toString":1},"result":{}}',
];
const AMBIGUOUS = 'failure_tombstone: outcome not observed: several requests have the same id';

describe('a call ends', () => {
  const stories: [how: string, steps: Step[], ends: string[][]][] = [
    ['not before its result', [call(1)], [[]]],
    ['with its result', [call(1), result(1)], [['success']]],
    ['once, whatever the server repeats', [call(1), result(1), result(1), error(1, 5)], [['success']]],
    [
      'as an error of its tool',
      [call(1), result(1, { isError: true })],
      [['terminal: the tool reported an error']],
    ],
    [
      'as refused, if there is no method',
      [call(1), error(1, -32601)],
      [['refusal: the server refused the call with the JSON-RPC error -32601']],
    ],
    [
      'as refused, if parameters are invalid',
      [call(1), error(1, -32602)],
      [['refusal: the server refused the call with the JSON-RPC error -32602']],
    ],
    [
      'as an error of the server',
      [call(1), error(1, -32603)],
      [['terminal: the server returned the JSON-RPC error -32603']],
    ],
    [
      'as an error without a code',
      [call(1), error(1, 'secret')],
      [['terminal: the server returned a JSON-RPC error without a code']],
    ],
    ...NOT_ACCEPTED.map((line): [string, Step[], string[][]] => [
      `not by what a client does not accept: ${line}`,
      [call(1), ['<', line], error(1, 7)],
      [['terminal: the server returned the JSON-RPC error 7']],
    ]),
    ['by its own id: 1 and "1" differ', [call(1), call('1'), result('1')], [[], ['success']]],
    [
      'as not observed, if two have one id',
      [call(1), call(2), call(1), result(1), error(1, 7)],
      [[AMBIGUOUS], [], [AMBIGUOUS]],
    ],
    [
      'as not observed, if another request has its id',
      [call(1), request(1, 'tools/list', {}), result(1)],
      [[AMBIGUOUS]],
    ],
    [
      'as not observed, if its id is not exact',
      [
        ['>', '{"id":9007199254740993,"method":"tools/call"}'],
        ['<', '{"jsonrpc":"2.0","id":9007199254740992,"result":{}}'],
      ],
      [[AMBIGUOUS]],
    ],
    [
      'as not observed, if two have one task',
      [call(1), call(2), result(1, task('working')), result(2, task('working'))],
      [[AMBIGUOUS], [AMBIGUOUS]],
    ],
    [
      'never, if its id is none',
      [
        ['>', '{"id":{"toString":1,"valueOf":1},"method":"tools/call"}'],
        ['>', `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)},"method":"tools/call"}`],
        ['>', '{"method":"notifications/cancelled","params":{"requestId":{"toString":1}}}'],
        ['>', '{"id":{"toString":1},"result":{}}'],
        ['<', '{"jsonrpc":"2.0","id":{"toString":1},"method":"elicitation/create"}'],
      ],
      [[], []],
    ],
    ['not by the result of another request', [call(1), request(2, 'tools/list', {}), result(2)], [[]]],
    [
      'not by a request of the server with its id',
      [call(1), ['<', { jsonrpc: '2.0', id: 1, method: 'roots/list' }]],
      [[]],
    ],
    [
      'with its result, although it was cancelled',
      [call(1), ['>', { method: 'notifications/cancelled', params: { requestId: 1 } }], result(1)],
      [['success']],
    ],
    [
      'not by the cancellation of another',
      [call(1), ['>', { method: 'notifications/cancelled', params: { requestId: '1' } }]],
      [[]],
    ],
    ['not by a cancellation without an id', [call(1), ['>', { method: 'notifications/cancelled' }]], [[]]],
    ['never, without an id', [['>', { method: 'tools/call', params: { name: 'x' } }], result(1)], [[]]],
    [
      'in a batch',
      [
        ['>', [call(1)[1], call(2)[1]]],
        ['<', [result(2)[1], result(1)[1]]],
      ],
      [['success'], ['success']],
    ],
    [
      'after the retry that the server requires',
      [
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, { name: 'add', arguments: { a: 1 }, requestState: 's' }),
        result(2),
      ],
      [['success']],
    ],
    [
      'after a retry without a state',
      [
        call(1),
        result(1, { resultType: 'input_required' }),
        call(2, { name: 'add', arguments: { a: 1 }, inputResponses: {} }),
        result(2),
      ],
      [['success']],
    ],
    [
      'after several retries',
      [
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, { name: 'add', arguments: { a: 1 }, requestState: 's' }),
        result(2, { resultType: 'input_required', requestState: 't' }),
        call(3, { name: 'add', arguments: { a: 1 }, requestState: 't' }),
        result(3),
      ],
      [['success']],
    ],
    [
      'apart from a retry with other arguments',
      [
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, { name: 'add', arguments: { a: 2 }, requestState: 's' }),
        result(2),
      ],
      [[], ['success']],
    ],
    [
      'apart from a retry with another state',
      [
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, { name: 'add', arguments: { a: 1 }, requestState: 'x' }),
        result(2),
      ],
      [[], ['success']],
    ],
    [
      'apart from a second retry with the same state',
      [
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, { name: 'add', arguments: { a: 1 }, requestState: 's' }),
        call(3, { name: 'add', arguments: { a: 1 }, requestState: 's' }),
        result(2),
      ],
      [['success'], []],
    ],
    ['not with the task that it starts', [call(1), result(1, task('working'))], [[]]],
    [
      'with the result of its task',
      [
        call(1),
        result(1, task('working')),
        request(2, 'tasks/get', { taskId: 't1' }),
        result(2, got('working')),
        request(3, 'tasks/get', { taskId: 't1' }),
        result(3, got('completed', { result: { content: [] } })),
      ],
      [['success']],
    ],
    [
      'with the error of its task',
      [
        call(1),
        result(1, task('working')),
        request(2, 'tasks/get', { taskId: 't1' }),
        result(2, got('failed', { error: { code: -32603 } })),
      ],
      [['terminal: the server returned the JSON-RPC error -32603']],
    ],
    [
      'with a notification about its task',
      [
        call(1),
        result(1, task('working')),
        [
          '<',
          {
            jsonrpc: '2.0',
            method: 'notifications/tasks',
            params: got('completed', { result: { isError: true } }),
          },
        ],
      ],
      [['terminal: the tool reported an error']],
    ],
    [
      'as a cancelled task',
      [
        call(1),
        result(1, task('working')),
        request(2, 'tasks/get', { taskId: 't1' }),
        result(2, got('cancelled')),
      ],
      [['graceful_shutdown: the task was cancelled']],
    ],
    [
      'not yet when the client cancels its task',
      [call(1), result(1, task('working')), request(2, 'tasks/cancel', { taskId: 't1' }), result(2, {})],
      [[]],
    ],
    [
      'as not observed, if its task is forgotten',
      [call(1), result(1, task('working')), request(2, 'tasks/get', { taskId: 't1' }), error(2, -32602)],
      [['failure_tombstone: outcome not observed: the server does not know the task any more']],
    ],
    [
      'not by the task of another',
      [
        call(1),
        result(1, task('working')),
        request(2, 'tasks/get', { taskId: 't2' }),
        result(2, { taskId: 't2', status: 'failed' }),
      ],
      [[]],
    ],
    [
      'with tasks/result (2025-11-25)',
      [
        call(1),
        result(1, { task: { taskId: 't1', status: 'working' } }),
        request(2, 'tasks/get', { taskId: 't1' }),
        result(2, { taskId: 't1', status: 'completed' }),
        request(3, 'tasks/result', { taskId: 't1' }),
        result(3),
      ],
      [['success']],
    ],
    [
      'with the error of tasks/result (2025-11-25)',
      [
        call(1),
        result(1, { task: { taskId: 't1', status: 'working' } }),
        request(3, 'tasks/result', { taskId: 't1' }),
        error(3, -32602),
      ],
      [['refusal: the server refused the call with the JSON-RPC error -32602']],
    ],
    [
      'as a failed task (2025-11-25)',
      [
        call(1),
        result(1, { task: { taskId: 't1', status: 'working' } }),
        request(2, 'tasks/get', { taskId: 't1' }),
        result(2, { taskId: 't1', status: 'failed' }),
      ],
      [['terminal: the task failed']],
    ],
  ];
  test.each(stories)('%s', (_, steps, ends) => {
    expect(after(steps).ends).toEqual(ends);
  });

  test('as cancelled at the end of the session, without a result', () => {
    const cancelled = (id: JsonValue): Step => [
      '>',
      { method: 'notifications/cancelled', params: { requestId: id } },
    ];
    const steps = [call(1), call(2), call(3), result(3, task('working')), cancelled(1)];
    const { calls, capture } = after([...steps, request(4, 'tasks/cancel', { taskId: 't1' })]);
    expect(capture.ends).toEqual([[], [], []]);
    calls.sessionEnded();
    expect(capture.ends).toEqual([[CANCELLED], [], [CANCELLED]]);
    calls.serverEnded();
    expect(capture.ends[1]).toEqual(['terminal: the server ended before it returned a result']);
  });

  test('as cancelled, if a thousand later calls are', () => {
    const steps = Array.from({ length: 1001 }, (_, id): Step[] => [
      call(id),
      ['>', { method: 'notifications/cancelled', params: { requestId: id } }],
    ]);
    const { ends } = after(steps.flat());
    expect(ends[0]).toEqual([CANCELLED]);
    expect(ends.slice(1).flat()).toEqual([]);
  });

  test('as an error of the server, if that ends before it', () => {
    const { calls, capture } = after([call(1), call(2), result(1)]);
    calls.serverEnded();
    expect(capture.ends).toEqual([['success'], ['terminal: the server ended before it returned a result']]);
    expect(calls.areWaiting).toBe(false);
  });
});

describe('the digest', () => {
  const inputOf = (params: string) =>
    after([['>', `{"id":1,"method":"tools/call","params":${params}}`]]).capture.calls[0]?.call.inputDigest;

  test('of the input is the one of the public vector basic_no_auth_binding (SEP-2828, vaaraio/vaara)', () => {
    const params =
      '{"_meta":{"progressToken":1},"name":"filesystem_read","arguments":{"path":"/docs/report.pdf","action":"read"}}';
    expect(inputOf(params)).toBe('f3c2ac13827482df4f4d1af226ad6cd4e46bc557617095faffbf734576986b29');
  });

  test('of the input leaves out what the call lacks', () => {
    expect(inputOf('{"name":"x"}')).toBe(sha256('{"toolName":"x"}'));
    expect(inputOf('{}')).toBe(sha256('{}'));
    expect(inputOf('7')).toBe(sha256('{}'));
  });

  test.each([
    '{"name":"x","arguments":{"a":"\\ud800"}}',
    `{"name":"x","arguments":${'['.repeat(2000)}${']'.repeat(2000)}}`,
  ])('of what has no canonical form is the one of the bytes', (params) => {
    expect(inputOf(params)).toBe(sha256(`{"id":1,"method":"tools/call","params":${params}}`));
  });

  test('of the result is without _meta', () => {
    const { capture } = after([call(1), result(1, { _meta: { x: 1 }, b: 1, a: 2 })]);
    const outcome = { status: 'success' as const, outputHash: sha256('{"a":2,"b":1}') };
    expect(capture.calls[0]?.ends).toEqual([{ outcome, details: { result: { a: 2, b: 1 } } }]);
  });

  const question: Step = [
    '<',
    { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'sure?' } },
  ];
  const answer: Step = ['>', { id: 1, result: { action: 'accept', content: { ok: true } } }];
  const ANSWER = sha256('{"action":"accept","content":{"ok":true}}');
  const digestOf = (steps: Step[]) =>
    after(steps).capture.calls.map(({ ends }) => ends[0]?.details.answerDigest);

  test('of a person’s answer belongs to the only open call', () => {
    expect(digestOf([call(1), question, answer, result(1)])).toEqual([ANSWER]);
  });

  test('of several answers is the one of the list of theirs', () => {
    expect(digestOf([call(1), question, answer, question, answer, result(1)])).toEqual([
      sha256(`["${ANSWER}","${ANSWER}"]`),
    ]);
  });

  test('of an answer belongs to no call while several are open', () => {
    expect(digestOf([call(1), call(2), question, answer, result(1), result(2)])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('of an answer that nobody asked for is not kept', () => {
    expect(digestOf([call(1), answer, result(1)])).toEqual([undefined]);
  });

  test('of the answers of a retry and of a task belongs to their call', () => {
    const inputResponses = { q: { action: 'accept' } };
    const expected = [sha256('{"q":{"action":"accept"}}')];
    const retry = { name: 'add', arguments: { a: 1 }, inputResponses, requestState: 's' };
    expect(
      digestOf([
        call(1),
        result(1, { resultType: 'input_required', requestState: 's' }),
        call(2, retry),
        result(2),
      ]),
    ).toEqual(expected);
    const update = request(2, 'tasks/update', { taskId: 't1', inputResponses });
    const done: Step = [
      '<',
      { jsonrpc: '2.0', method: 'notifications/tasks', params: got('completed', { result: {} }) },
    ];
    expect(digestOf([call(1), result(1, task('input_required')), update, result(2, {}), done])).toEqual(
      expected,
    );
  });
});

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
