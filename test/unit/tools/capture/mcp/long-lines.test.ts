import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { Lines } from '../../../../../src/tools/capture/mcp/lines.ts';
import { callOf, divided, latin1, pipes } from '../../../../support/wrapper-pipes.ts';

describe('a long line', () => {
  const BOUNDS = { whole: 64, copied: 256 };
  const read = (text: string, chunk: number) => {
    const lines = new Lines(BOUNDS);
    const bytes = latin1(text);
    const pieces = divided(
      bytes,
      Array.from({ length: Math.floor(bytes.length / chunk) }, (_, index) => index * chunk),
    ).flatMap((part) => [...lines.of(part)]);
    pieces.push(...lines.rest());
    return pieces;
  };
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test.each([1, 5, 64, 1000])(
    'goes on up to the last byte of its message, which has the message (chunks of %d)',
    (chunk) => {
      const message = callOf(7, `,"params":{"name":"${'x'.repeat(150)}"}`);
      const pieces = read(`${message}\r\nnext\n`, chunk);
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(`${message}\r\nnext\n`);
      const [piece] = pieces.filter(({ read }) => read !== null);
      const { messages = [] } = piece?.read?.() ?? {};
      expect(messages.map(({ value, unclear }) => [value.id, unclear])).toEqual([[7, null]]);
      if (chunk < 64)
        expect(
          Buffer.from(piece?.bytes ?? [])
            .toString('latin1')
            .startsWith('}'),
        ).toBe(true);
    },
  );

  test.each([1, 5, 64])(
    'above the limit is read as an outline with the digest of its bytes (chunks of %d)',
    (chunk) => {
      const message = callOf(7, `,"params":{"name":"${'x'.repeat(400)}"}`);
      const found = read(`${message}\n`, chunk).flatMap(({ read }) =>
        read === null ? [] : [...read().messages],
      );
      expect(found.map(({ value, unclear, bytesDigest }) => [value, unclear, bytesDigest()])).toEqual([
        [{ id: 7, method: 'tools/call' }, 'too large', sha256(message)],
      ]);
    },
  );

  test('with a batch above the limit counts as a call', () => {
    const found = read(`[${callOf(1)},"${'x'.repeat(400)}"]\n`, 5).flatMap(({ read }) =>
      read === null ? [] : [...read().messages],
    );
    expect(found.map(({ isCall, unclear }) => [isCall, unclear])).toEqual([[true, 'too large']]);
  });

  test.each(['x'.repeat(500), `{"a":"${'x'.repeat(500)}`, `"${'x'.repeat(500)}"`])(
    'without a message and without the word has none: %s',
    (text) => {
      const pieces = read(`${text}\n${callOf(1)}\n`, 7);
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(`${text}\n${callOf(1)}\n`);
      expect(pieces.flatMap(({ read }) => (read === null ? [] : [...read().messages])).length).toBe(1);
    },
  );

  test('of 5 MB makes one call before its end reaches the server, and 5 MB of result end it', async () => {
    const { fromClient, fromServer, server, client, capture, settled } = pipes({ isManual: true });
    const argument = 'x'.repeat(5 * 2 ** 20);
    const text = callOf(1, `,"params":{"name":"big","arguments":{"a":"${argument}"}}`);
    for (const chunk of divided(latin1(`${text}\n`), [1, 100, 4 * 2 ** 20, text.length - 1]))
      await fromClient.take(chunk);
    await settled();
    expect(server.text.length).toBe(text.length - 1);
    expect(capture.calls[0]?.call.inputDigest).toBe(
      sha256(`{"arguments":{"a":"${argument}"},"toolName":"big"}`),
    );
    capture.calls[0]?.record('issued');
    await fromClient.end();
    expect(server.text).toBe(`${text}\n`);
    const result = `{"jsonrpc":"2.0","id":1,"result":{"a":"${argument}"}}\n`;
    for (const chunk of divided(latin1(result), [9, 3 * 2 ** 20])) await fromServer.take(chunk);
    expect(client.text).toBe(result);
    expect(capture.calls[0]?.ends.map(({ outcome }) => outcome)).toEqual([
      { status: 'success', outputHash: sha256(`{"a":"${argument}"}`) },
    ]);
  });
});

describe('a long line of several messages', () => {
  const LONG = `{"method":"x","params":{"p":"${'a'.repeat(4 * 2 ** 20)}"}}`;
  const CALL = callOf(1);
  const stories: [what: string, text: string, calls: number][] = [
    ['another message alone', `${LONG}\n`, 0],
    ['a call behind it', `${LONG}${CALL}\n`, 1],
    ['a call behind CR', `${LONG}\r${CALL}\n`, 1],
    ['two calls behind it', `${LONG}${CALL} ${CALL}\n`, 2],
    ['half of a call behind it', `${LONG}{"method":"tools/call`, 1],
    ['a call behind a number', `${LONG}1${CALL}\n`, 1],
    ['a call behind a comment', `${LONG}/*"*/${CALL}\n`, 1],
    ['something before it', `tools/call ${LONG}\n`, 1],
  ];
  test.each(stories)('makes as many calls as a server can read: %s', async (_, text, calls) => {
    for (const cut of [2 ** 16, LONG.length + 3, 2 ** 23]) {
      const { fromClient, server, capture } = pipes();
      for (let start = 0; start < text.length; start += cut)
        await fromClient.take(latin1(text.slice(start, start + cut)));
      await fromClient.end();
      expect(server.text === text).toBe(true);
      expect(capture.calls.length).toBe(calls);
    }
  });
});
