import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { after, call, got, request, result, type Step, task } from '../../../../support/wrapped-messages.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

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
