import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { callOf, divided, latin1, pipes } from '../../../../support/wrapper-pipes.ts';

/** Returns a text with a character for each byte of its UTF-8. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** Lines of all kinds, and how many calls each of them makes. */
const LINES = fc.oneof(
  fc.constantFrom<[string, number]>(
    ['', 0],
    ['\r', 0],
    ['{"method":"notifications/progress","params":{}}', 0],
    ['{"id":3,"result":{}}', 0],
    ['{"method":"tools/call', 1],
    ['{"Method":"tools/call"}\r{"method":"tools/call","method":"ping"}', 2],
    ['{"id":7,\n"method":"tools/call"}', 1],
    ['\xef\xbb\xbf{"method":"tools/call","id":1}', 1],
    ['{"method":"tools\\/call","id":"1"}', 1],
    ['{"method":"\\u0074ools/call","id":2,"params":{"name":"\xff\xfe"}}', 1],
    ['[{"method":"tools/call","id":1},{"method":"ping","id":2},{"method":"tools/call","id":3}]\r', 2],
    ['{"method":"tools/call","id":1}{"method":"tools/call","id":2}', 2],
    [' {"params":{"arguments":[NaN]},"id":1,"method":"tools/call"} ', 1],
    ['{"method":"notifications/cancelled","params":{"requestId":1}}', 0],
    ['not JSON: tools/call', 1],
    ['not JSON', 0],
    ['"tools/call"', 1],
    ["{'method':'tools/call'}", 1],
    ['[{"method":"ping"}] \\u', 1],
    ['[{"method":"ping"}] \\ ', 0],
    ['c\0a\0l\0l\0', 1],
    ['\0{', 0],
  ),
  fc.string().map((text): [string, number] => [utf8(JSON.stringify({ text, method: 'tools/list' })), 0]),
  fc.json().map((params): [string, number] => [utf8(callOf(1, `,"params":{"arguments":${params}}`)), 1]),
  fc.uint8Array().map((bytes): [string, number] => [
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[\n\r\0\\{[]/g, ''),
    0,
  ]),
);
const STREAM = fc.record({
  lines: fc.array(LINES, { maxLength: 12 }),
  hasLastNewline: fc.boolean(),
  cuts: fc.array(fc.nat(), { maxLength: 30 }),
});

describe('what the client writes', () => {
  test('reaches the server unchanged, however it is divided, and each call after its receipt', async () => {
    await fc.assert(
      fc.asyncProperty(STREAM, async ({ lines, hasLastNewline, cuts }) => {
        const text = lines.map(([line]) => line).join('\n') + (hasLastNewline ? '\n' : '');
        const { fromClient, server, capture, begun } = pipes();
        for (const chunk of divided(latin1(text), cuts)) await fromClient.take(chunk);
        await fromClient.end();
        expect(server.text).toBe(text);
        expect(capture.calls.length).toBe(lines.reduce((sum, [, calls]) => sum + calls, 0));
        let seen = '';
        // A line of the table can be several: its calls have begun when its last one goes on.
        const calls = lines.flatMap(([line, made]) => [
          ...line
            .split('\n')
            .slice(1)
            .map(() => 0),
          made,
        ]);
        for (const part of begun) {
          seen += part.text;
          const whole = seen.split('\n').length - 1;
          const made = calls.slice(0, whole).reduce((sum, some) => sum + some, 0);
          expect(part.calls).toBeGreaterThanOrEqual(made);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('waits behind a call, while later calls begin', async () => {
    const { fromClient, server, capture, settled } = pipes({ isManual: true });
    await fromClient.take(latin1(`a\n${callOf(1)}\nb\n${callOf(2)}\nc\n`));
    await fromClient.take(latin1('d\n'));
    await settled();
    expect(capture.calls.length).toBe(2);
    expect(server.text).toBe('a\n');
    capture.calls[1]?.record('issued');
    await settled();
    expect(server.text).toBe('a\n');
    capture.calls[0]?.record('spooled');
    await fromClient.end();
    expect(server.text).toBe(`a\n${callOf(1)}\nb\n${callOf(2)}\nc\nd\n`);
  });

  test.each([callOf(1), `${callOf(1)}\r`, `${callOf(1)} `, `{"method":"x"}${callOf(1)}`])(
    'goes on without a newline when its JSON is complete: %j',
    async (text) => {
      const { fromClient, server, capture, settled } = pipes({ isManual: true });
      await fromClient.take(latin1(text.slice(0, 20)));
      await fromClient.take(latin1(text.slice(20)));
      await settled();
      expect([capture.calls.length, server.text]).toEqual([1, '']);
      capture.calls[0]?.record('issued');
      await settled();
      expect(server.text).toBe(text);
      await fromClient.take(latin1('\nnext\n'));
      await fromClient.end();
      expect(server.text).toBe(`${text}\nnext\n`);
    },
  );

  test('goes on when it cannot be recorded, with a notice', async () => {
    const { fromClient, fromServer, server, client, capture, notices } = pipes();
    capture.begin = () => {
      throw new Error('no session');
    };
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromClient.end();
    fromServer.end();
    expect([server.text, client.text]).toEqual([`${callOf(1)}\n`, '']);
    expect(notices).toEqual(['a message of the client cannot be recorded: no session']);
  });

  test('is not read on while many calls wait', async () => {
    const { fromClient, capture, settled } = pipes({ isManual: true });
    let isTaken = false;
    const taken = fromClient.take(latin1(`${callOf(1)}\n`.repeat(200))).then(() => {
      isTaken = true;
    });
    await settled();
    expect(isTaken).toBe(false);
    expect(capture.calls.length).toBe(128);
    for (let index = 0; index < 200; index++) {
      capture.calls[index]?.record('issued');
      await settled();
    }
    await taken;
  });

  test('is not read on while much waits', async () => {
    const { fromClient, capture } = pipes({ isManual: true });
    await fromClient.take(latin1(`${callOf(1)}\n`));
    const line = Buffer.alloc(2 ** 20, 'x');
    line[line.length - 1] = 0x0a;
    let taken = 0;
    const all = (async () => {
      for (let index = 0; index < 40; index++) {
        await fromClient.take(line);
        taken++;
      }
    })();
    for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    expect(taken).toBe(15);
    capture.calls[0]?.record('issued');
    await all;
  });
});

describe('what the server writes', () => {
  test('is read from the beginning of a line that began before the call', async () => {
    const { fromClient, fromServer, capture } = pipes();
    await fromServer.take(
      latin1('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"x","serverInfo":{"name":"s"}}}\nlog\n '),
    );
    await fromServer.take(latin1(' '));
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromServer.take(latin1('{"jsonrpc":"2.0","id":1,"result":{}}\n'));
    expect(capture.ends).toEqual([['success']]);
  });

  test.each(['[],', `"${'x'.repeat(10_000)}",`])(
    'ends a call as not observed where it is too large to be read: %#',
    async (unit) => {
      const { fromClient, fromServer, capture } = pipes();
      await fromClient.take(latin1(`${callOf(1)}\n`));
      const list = unit.repeat(Math.ceil((unit.length > 3 ? 65 * 2 ** 20 : 4 * 2 ** 20) / unit.length));
      const text = latin1(`{"jsonrpc":"2.0","id":1,"result":{"content":[${list}0]}}\n`);
      for (let start = 0; start < text.length; start += 2 ** 20)
        await fromServer.take(text.subarray(start, start + 2 ** 20));
      expect(capture.ends).toEqual([
        ['failure_tombstone: outcome not observed: the response is too large to be read'],
      ]);
    },
  );

  test('passes when it cannot be recorded, with a notice', async () => {
    const { fromClient, fromServer, client, calls, notices } = pipes();
    await fromClient.take(latin1(`${callOf(1)}\n`));
    calls.fromServer = () => {
      throw new Error('no session');
    };
    const text = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
    await fromServer.take(latin1(text));
    expect(client.text).toBe(text);
    expect(notices).toEqual(['a message of the server cannot be recorded: no session']);
  });

  test('reaches the client unchanged, however it is divided, and its results end calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.integer({ min: 0, max: 40 }),
        async (cuts, before) => {
          const { fromClient, fromServer, client, capture } = pipes();
          const output = [
            'log\r',
            '{"jsonrpc":"2.0","id":2,"result":{}}',
            '',
            '{"jsonrpc":"2.0","id":"1","error":{"code":-1}}',
            '{"jsonrpc":"2.0","id":1,"result":{"isError":true}}',
          ];
          const bytes = latin1(`${output.join('\n')}\n`);
          const early = latin1(`{"method":"notifications/message","params":{}}\n`);
          // The call begins within a line of the server.
          await fromServer.take(early.subarray(0, before));
          await fromClient.take(latin1(`${callOf(1)}\n${callOf('1')}\n`));
          await fromServer.take(early.subarray(before));
          for (const chunk of divided(bytes, cuts)) await fromServer.take(chunk);
          expect(client.text).toBe(`${early.toString()}${bytes.toString()}`);
          expect(capture.ends).toEqual([
            ['terminal: the tool reported an error'],
            ['terminal: the server returned the JSON-RPC error -1'],
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('counts at its end, even without a newline', async () => {
    const { fromClient, fromServer, capture } = pipes();
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromServer.take(latin1('{"jsonrpc":"2.0","id":1,"result":{}}'));
    expect(capture.ends).toEqual([[]]);
    fromServer.end();
    expect(capture.ends).toEqual([['success']]);
  });
});
