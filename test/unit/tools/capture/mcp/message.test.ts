import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { keyOf, messagesOf } from '../../../../../src/tools/capture/mcp/message.ts';

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
    ['half of a message', '{"method":"tools/call","params":{', []],
    ['two messages, as servers without lines accept them', '{"method":"a"}{"method":"b"}', ['a', 'b']],
    ['two messages with CR between them', '{"method":"a"}\r{"method":"b"}', ['a', 'b']],
    ['a message and a half', '{"method":"a"}{"method":"b"', ['a']],
    ['NaN, which Python accepts', '{"method":"tools/call","params":{"arguments":{"x":NaN}}}', ['tools/call']],
    ['more levels than a parser may take', deep, ['tools/call']],
  ];
  test.each(lines)('of %s', (_, line, expected) => {
    expect(methods(bytes(line))).toEqual(expected);
  });

  test('are read with U+FFFD for invalid UTF-8', () => {
    const [message] = messagesOf(Buffer.from('{"method":"a\xff"}', 'latin1')).messages;
    expect(message?.value.method).toBe('a\ufffd');
  });

  test('have the digest of the bytes of their JSON', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(messagesOf(bytes('{"a":1}')).messages[0]?.bytesDigest()).toBe(digest('{"a":1}'));
    expect(messagesOf(bytes('{"a":NaN}{"b":2}')).messages.map((message) => message.bytesDigest())).toEqual([
      digest('{"a":NaN}'),
      digest('{"b":2}'),
    ]);
  });

  test('are found by id and type of id', () => {
    expect(
      new Set([keyOf(1), keyOf('1'), keyOf(null), keyOf('null'), keyOf(true), keyOf(undefined)]).size,
    ).toBe(6);
  });
});
