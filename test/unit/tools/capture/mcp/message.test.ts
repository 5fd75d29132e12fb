import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { keyOf, type Message, messagesOf } from '../../../../../src/tools/capture/mcp/message.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const methods = (line: Uint8Array) => messagesOf(line).messages.map(({ value }) => value.method);

describe('the messages of a line', () => {
  const deep = `{"params":{"arguments":${'['.repeat(300_000)}${']'.repeat(300_000)}},"method":"tools/call"}`;
  const lines: [what: string, line: string, methods: string[]][] = [
    ['one message', '{"method":"a"}', ['a']],
    ['a message with CR, spaces and a byte order mark', '\ufeff {"method":"a"} \r', ['a']],
    ['a batch', '[{"method":"a"},7,{"method":"b"}]', ['a', 'b']],
    ['no message', '', []],
    ['a number', '7', []],
    ['text that is no JSON', 'listening on port 3000', []],
    ['half of a message', '{"method":"x","params":{', []],
    ['two messages, as servers without lines accept them', '{"method":"a"}{"method":"b"}', ['a', 'b']],
    ['two messages with CR between them', '{"method":"a"}\r{"method":"b"}', ['a', 'b']],
    ['a message and a half', '{"method":"a"}{"method":"b"', []],
  ];
  test.each(lines)('of %s', (_, line, expected) => {
    expect(methods(bytes(line))).toEqual(expected);
  });

  const CALL = '{"id":7,"method":"tools/call","params":{"name":"pay"}}';
  const wide = Buffer.from(`\ufeff${CALL}`, 'utf16le').toString('latin1');
  const clear: [what: string, line: string, calls: Message['unclear'][]][] = [
    ['a call', CALL, [null]],
    ['a call with escapes', '{"\\u006dethod":"tools\\/c\\u0061ll"}', [null]],
    ['two calls', CALL + CALL, [null, null]],
    ['a batch with two calls', `[${CALL},{"method":"ping"},7,${CALL}]`, [null, null]],
    ['a batch where one is ambiguous', `[${CALL},{"Method":"tools/call"}]`, [null, 'ambiguous']],
    ['a text about calls', '{"method":"x","params":{"method":"tools/call","name":"a","Name":"b"}}', []],
    ['a method in another case', CALL.replace('method', 'Method'), ['ambiguous']],
    ['two methods in two cases', '{"method":"ping","METHOD":"tools/call"}', ['ambiguous']],
    ['two methods', '{"method":"tools/call","method":"ping"}', ['ambiguous']],
    ['two names', CALL.replace('"name"', '"name":"read","name"'), ['ambiguous']],
    ['a name in another case', CALL.replace('"name"', '"Name":"read","name"'), ['ambiguous']],
    ['arguments in another case', CALL.replace('"name"', '"ARGUMENTS":{},"name"'), ['ambiguous']],
    ['parameters with a long s', CALL.replace('params', 'param\u017f'), ['ambiguous']],
    ['escaped names', CALL.replace('"name"', '"\\u004eame":"read","name"'), ['ambiguous']],
    ['names deeper than the parameters', CALL.replace('"pay"', '"pay","arguments":{"Name":1}'), [null]],
    ['a quote behind backslashes', CALL.replace('"pay"', '"pay\\\\","Name":"b"'), ['ambiguous']],
    ['a call with NaN', CALL.replace('7', 'NaN'), ['unreadable']],
    ['a call with many levels', deep, [null]],
    ['half of a call', CALL.slice(0, 30), ['unreadable']],
    ['a call behind something', `x${CALL}`, ['unreadable']],
    ['a call before something', `${CALL}x`, ['unreadable']],
    ['a call behind a comment', `/**/${CALL}`, ['unreadable']],
    ['a call with single quotes', CALL.replaceAll('"', "'"), ['unreadable']],
    ['the name of the method alone', '"tools/call"', ['unreadable']],
    ['an escape that JSON has not', '{"method":"tools/\\x63all"}', ['unreadable']],
    ['wide characters', wide, ['unreadable']],
  ];
  test.each(clear)('of the client are calls, and say how clear they are: %s', (_, line, calls) => {
    const { messages } = messagesOf(line === wide ? Buffer.from(line, 'latin1') : bytes(line));
    expect(messages.filter(({ isCall }) => isCall).map(({ unclear }) => unclear)).toEqual(calls);
  });

  test('that are no JSON have their id where no other can be meant', () => {
    const idOf = (line: string) => messagesOf(bytes(line)).messages.map(({ value }) => value);
    expect(idOf('{"id":7,"method":"tools/call","params":{"arguments":NaN}}')).toEqual([{ id: 7 }]);
    expect(idOf('{"id":7,/*"*/"id":8,"method":"tools/call"}')).toEqual([{}]);
  });

  test('of millions of values are not parsed', () => {
    const { messages } = messagesOf(
      bytes(`{"id":1,"method":"tools/call","params":[${'[],'.repeat(600_000)}0]}`),
    );
    expect(messages.map(({ value, isCall, unclear }) => ({ value, isCall, unclear }))).toEqual([
      { value: { id: 1, method: 'tools/call' }, isCall: true, unclear: 'too large' },
    ]);
    const { messages: many } = messagesOf(bytes(`${'{},'.repeat(600_000)}tools/call`));
    expect(many.filter(({ isCall }) => isCall).length).toBeGreaterThan(0);
    expect(many.length).toBeLessThan(2000);
  });

  test('are read with U+FFFD for invalid UTF-8', () => {
    const [message] = messagesOf(Buffer.from('{"method":"a\xff"}', 'latin1')).messages;
    expect(message?.value.method).toBe('a\ufffd');
  });

  test('have the digest of the bytes of their JSON', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(messagesOf(bytes('{"a":1}')).messages[0]?.bytesDigest()).toBe(digest('{"a":1}'));
    expect(messagesOf(bytes('{"a":1}{"b":2}')).messages.map((message) => message.bytesDigest())).toEqual([
      digest('{"a":1}'),
      digest('{"b":2}'),
    ]);
    const [call] = messagesOf(bytes('{"call":NaN}{"b":2}')).messages;
    expect(call?.bytesDigest()).toBe(digest('{"call":NaN}{"b":2}'));
  });

  test('are found by id and type of id', () => {
    expect([keyOf(1), keyOf('1')]).toEqual(['number 1', 'string 1']);
    const deepId = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
    for (const id of [null, true, undefined, { toString: 1, valueOf: 1 }, deepId])
      expect(keyOf(id)).toBeNull();
  });
});
