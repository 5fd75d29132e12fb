import { describe, expect, test } from 'bun:test';
import type { JsonValue } from '../../../../../src/proof/encoding/json.ts';
import {
  after,
  call,
  error,
  got,
  request,
  result,
  type Step,
  task,
} from '../../../../support/wrapped-messages.ts';

const CANCELLED = 'graceful_shutdown: cancelled by the client';

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
