import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives, sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../../../src/proof/encoding/digest.ts';
import {
  type HookEvent,
  hookEvent,
  largeHookEvent,
  NoEvent,
} from '../../../../../src/tools/capture/hook/event.ts';
import { plainText } from '../../../../../src/tools/capture/sending/begun.ts';

const ALL = () => true;
const TOOL = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' };
const event = (more: Record<string, unknown>, recordsTool: (tool: string) => boolean = ALL): HookEvent =>
  hookEvent(JSON.stringify({ ...TOOL, ...more }), recordsTool);

/** The canonical form of the input, as the documentation has it. */
const INPUT = sha256Hex('{"tool_input":{"command":"ls"},"tool_name":"Bash"}');

describe('an event of Claude Code', () => {
  test('before a tool begins a call, whose digest covers its input and its name', () => {
    expect(
      event({ hook_event_name: 'PreToolUse', cwd: '/tmp', transcript_path: '/tmp/t.jsonl' }),
    ).toMatchObject({
      ...{ kind: 'begin', session: 's1', key: 'toolu_1', call: { scope: 'hook:Bash', inputDigest: INPUT } },
    });
  });

  test.each([
    [
      'after a tool ends it with the digest of the response',
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'a', _meta: 1 } },
      { status: 'success', outputHash: sha256Hex('{"_meta":1,"stdout":"a"}') },
    ],
    [
      'after a tool without a response ends it with the digest of null',
      { hook_event_name: 'PostToolUse' },
      { status: 'success', outputHash: sha256Hex('null') },
    ],
    [
      'of a failure ends it without the text of the error',
      { hook_event_name: 'PostToolUseFailure', error: 'secret' },
      { status: 'terminal', reason: 'the tool reported an error' },
    ],
    [
      'of an interruption ends it as graceful_shutdown',
      { hook_event_name: 'PostToolUseFailure', error: 'x', is_interrupt: true },
      { status: 'graceful_shutdown', reason: 'interrupted by the user' },
    ],
  ])('%s', (_, more, outcome) => {
    expect(event(more)).toMatchObject({ kind: 'end', session: 's1', key: 'toolu_1', outcome });
  });

  test('of a denied permission is a refusal', () => {
    expect(event({ hook_event_name: 'PermissionDenied', reason: 'secret' })).toMatchObject({
      ...{ kind: 'denied', call: { inputDigest: INPUT } },
      outcome: { status: 'refusal', reason: 'permission denied' },
    });
  });

  test('without an id of the call has the digest of its input as its key', () => {
    const before = event({ hook_event_name: 'PreToolUse', tool_use_id: undefined });
    const after = event({ hook_event_name: 'PostToolUse', tool_use_id: undefined });
    expect([before, after]).toMatchObject([{ key: INPUT }, { key: INPUT }]);
  });

  test('at the end of a session closes it', () => {
    expect(hookEvent('{"session_id":"s1","hook_event_name":"SessionEnd"}', ALL)).toEqual({
      kind: 'close',
      session: 's1',
    });
  });

  test.each(['SubagentStart', 'SubagentStop', 'Stop', 'PermissionRequest', 'Notification', 'FutureEvent'])(
    '%s has nothing to record',
    (hook_event_name) => {
      expect(event({ hook_event_name })).toEqual({ kind: 'none' });
    },
  );

  test('of a tool that is not recorded has nothing to record', () => {
    expect(event({ hook_event_name: 'PreToolUse', tool_name: 'mcp__files__read' }, () => false)).toEqual({
      kind: 'none',
    });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['text', '"PreToolUse"'],
    ['no event', '{"session_id":"s1"}'],
    ['no session', '{"hook_event_name":"PreToolUse"}'],
    ['a session that is no text', '{"hook_event_name":"PreToolUse","session_id":{}}'],
    ['no tool', '{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":7}'],
  ])('with %s is none', (_, text) => {
    expect(() => hookEvent(text, ALL)).toThrow(NoEvent);
  });

  test.each([
    ['PreToolUse', true],
    ['PostToolUse', false],
  ])('%s without a tool says whether a call may begin', (name, mayBegin) => {
    const text = JSON.stringify({ hook_event_name: name, session_id: 's' });
    expect(() => hookEvent(text, ALL)).toThrow(expect.objectContaining({ mayBegin }));
  });

  test.each([
    [{ interrupted: true, stdout: '' }, 'graceful_shutdown'],
    [{ isError: true, content: [] }, 'terminal'],
    [{ interrupted: false, isError: 'no' }, 'success'],
  ])('after a tool that responded with %j is a %s', (tool_response, status) => {
    expect(event({ hook_event_name: 'PostToolUse', tool_response })).toMatchObject({ outcome: { status } });
    const bytes = Buffer.from(JSON.stringify({ ...TOOL, hook_event_name: 'PostToolUse', tool_response }));
    expect(largeHookEvent(bytes, ALL)).toMatchObject({ key: 'toolu_1', outcome: { status } });
  });

  test('that is large has the digest of its bytes, and no arguments', () => {
    const bytes = Buffer.from(
      JSON.stringify({
        ...{ session_id: 's"\\1', a: [{ tool_name: 'X' }], hook_event_name: 'PreToolUse', tool_name: 'Bash' },
        ...{ tool_input: { tool_use_id: 'no', b: [[], {}, '}],"'] }, tool_use_id: 'toolu_1' },
      }),
    );
    expect(largeHookEvent(bytes, ALL)).toEqual({
      ...{ kind: 'begin', session: 's"\\1', key: 'toolu_1' },
      call: {
        ...{ scope: 'hook:Bash', inputDigest: sha256Hex(bytes.toString()) },
        details: { method: 'hook', tool: 'Bash', requestId: 'toolu_1' },
      },
    });
    expect(() => largeHookEvent(Buffer.from('['.repeat(100)), ALL)).toThrow(NoEvent);
  });

  test('means the same where it is read as a large one', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        fc.nat({ max: 3 }),
        (value, tool_name, space) => {
          const members = { a: value, ...TOOL, tool_name, tool_input: value, tool_response: value };
          const text = JSON.stringify({ ...members, hook_event_name: 'PostToolUse' }, null, space);
          const large = largeHookEvent(Buffer.from(text), ALL);
          const { kind, ...small } = hookEvent(text, ALL);
          expect(large).toMatchObject({ kind });
          if (large.kind !== 'end' || !('outcome' in small)) throw new Error('it is no end');
          expect([large.session, large.key, large.outcome.status]).toEqual([
            ...['s1', 'toolu_1'],
            small.outcome.status,
          ]);
        },
      ),
    );
  });

  test('has a digest even where its input has no canonical form', () => {
    const text =
      '{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":"\\ud800"}';
    expect(hookEvent(text, ALL)).toMatchObject({ call: { inputDigest: sha256Hex(text) } });
  });

  test('never fails otherwise, whatever it contains', () => {
    const names = fc.constantFrom(
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionDenied',
      'SessionEnd',
    );
    fc.assert(
      fc.property(
        names,
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        (hook_event_name, tool_input, tool_name) => {
          const text = JSON.stringify({
            hook_event_name,
            session_id: 's',
            tool_name,
            tool_input,
            tool_response: tool_input,
          });
          expect(hookEvent(text, ALL).kind).not.toBe('none');
        },
      ),
    );
  });
});

/**
 * Vectors of vaaraio/vaara, conformance/sep2828/fallback_projection_v0 (Apache-2.0), without an authBinding.
 */
test('the digest of a call is the one that others compute (SEP-2828)', () => {
  const call = { arguments: { path: '/docs/report.pdf', action: 'read' }, toolName: 'filesystem_read' };
  expect(digest(nativePrimitives, call)).toBe(
    'f3c2ac13827482df4f4d1af226ad6cd4e46bc557617095faffbf734576986b29',
  );
});

test('a scope is what the service accepts, whatever a tool is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(plainText(text)).toMatch(/^[^\p{Cc}\p{Cs}]{1,256}$/u);
    }),
  );
  expect(plainText('mcp:files:a\nb\u0000')).toBe('mcp:files:a_b_');
  expect(plainText('\u{1f600}'.repeat(300))).toBe('\u{1f600}'.repeat(256));
});
