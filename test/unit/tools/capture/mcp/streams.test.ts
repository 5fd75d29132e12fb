import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { FromClient, type OnFailure } from '../../../../../src/tools/capture/mcp/from-client.ts';
import { FromServer } from '../../../../../src/tools/capture/mcp/from-server.ts';
import { InOrder } from '../../../../../src/tools/capture/mcp/in-order.ts';
import { Lines } from '../../../../../src/tools/capture/mcp/lines.ts';
import { Names } from '../../../../../src/tools/capture/mcp/names.ts';
import { OpenCalls } from '../../../../../src/tools/capture/mcp/open-calls.ts';
import type { Sink } from '../../../../../src/tools/capture/mcp/sink.ts';
import type { Recorded } from '../../../../../src/tools/capture/session/capture.ts';
import { RecordingCapture } from '../../../../support/recording-capture.ts';

/** Keeps what is written to it. */
class Kept implements Sink {
  readonly chunks: Uint8Array[] = [];
  constructor(private readonly onWrite: (text: string) => void = () => undefined) {}
  write(bytes: Uint8Array): void {
    this.onWrite(Buffer.from(bytes).toString('latin1'));
    this.chunks.push(bytes.slice());
  }
  flush(): undefined {
    return undefined;
  }
  close(): void {
    this.chunks.push(Buffer.from('<end>'));
  }
  get text(): string {
    return Buffer.concat(this.chunks).toString('latin1');
  }
}

function pipes({
  state = 'issued',
  isManual = false,
  onFailure = 'pass',
}: {
  state?: Recorded;
  isManual?: boolean;
  onFailure?: OnFailure;
} = {}) {
  const capture = new RecordingCapture(state, isManual);
  const calls = new OpenCalls(capture, new Names('server'));
  /** How many calls had begun when each byte went to the server. */
  const begun: { text: string; calls: number }[] = [];
  const server = new Kept((text) => begun.push({ text, calls: capture.calls.length }));
  const client = new Kept();
  const notices: string[] = [];
  const notice = (text: string) => notices.push(text);
  const fromServer = new FromServer(client, calls, notice);
  const refuse = (line: string) => fromServer.add(line);
  const fromClient = new FromClient(new InOrder(server), calls, onFailure, { refuse, notice });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { capture, calls, server, client, fromClient, fromServer, begun, settled, notices };
}

/** Divides bytes at the given places. */
function divided(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** Returns a text with a character for each byte of its UTF-8. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const callOf = (id: unknown, more = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call"${more}}`;

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

describe('a call without a receipt', () => {
  const errorOf = (id: unknown, reason = 'no receipt could be issued') => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32000, message: `countersign: the call was not made: ${reason}` },
  });

  test.each(['spooled', 'nothing'] as const)('goes on under pass (%s)', async (state) => {
    const { fromClient, server, client } = pipes({ state });
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromClient.end();
    expect(server.text).toBe(`${callOf(1)}\n`);
    expect(client.text).toBe('');
  });

  test('is answered with an error under block, and what follows it goes on', async () => {
    const { fromClient, server, client, capture } = pipes({ state: 'spooled', onFailure: 'block' });
    await fromClient.take(latin1(`a\n${callOf('1')}\nb\n`));
    await fromClient.end();
    expect(server.text).toBe('a\nb\n');
    expect(client.text).toBe(`${JSON.stringify(errorOf('1'))}\n`);
    expect(capture.calls[0]?.drops).toEqual(['no receipt could be issued']);
    expect(capture.ends).toEqual([[]]);
  });

  test.each([`${callOf(1)}\r\n`, `${callOf(1)}\r`, callOf(1)])(
    'is refused under block with the end of its line, in several chunks: %j',
    async (text) => {
      const { fromClient, server } = pipes({ state: 'spooled', onFailure: 'block' });
      for (const byte of latin1(text)) await fromClient.take(Uint8Array.of(byte));
      await fromClient.take(latin1('\nnext\n'));
      await fromClient.end();
      expect(server.text).toBe(text.endsWith('\n') ? '\nnext\n' : 'next\n');
    },
  );

  test('of 5 MB is refused as a whole under block', async () => {
    const { fromClient, server, client } = pipes({ state: 'spooled', onFailure: 'block' });
    const text = callOf(1, `,"params":{"name":"big","arguments":{"a":"${'x'.repeat(5 * 2 ** 20)}"}}`);
    await fromClient.take(latin1(text.slice(0, -1)));
    await fromClient.take(latin1('}'));
    await fromClient.take(latin1('\n}\n'));
    await fromClient.end();
    expect(server.text).toBe('}\n');
    expect(JSON.parse(client.text)).toEqual(errorOf(1));
  });

  test('above 64 MiB is refused as a whole under block, even with a service', async () => {
    const { fromClient, server, client } = pipes({ onFailure: 'block' });
    const part = Buffer.alloc(2 ** 20, 'x');
    await fromClient.take(latin1('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"'));
    for (let count = 0; count < 66; count++) await fromClient.take(part);
    await fromClient.take(latin1('"}}\nnext\n'));
    await fromClient.end();
    expect(server.text).toBe('next\n');
    expect(JSON.parse(client.text)).toEqual(errorOf(1, 'its line is too long'));
  });

  test('and without an id that can be repeated is not answered under block', async () => {
    const { fromClient, server, client, notices } = pipes({ state: 'spooled', onFailure: 'block' });
    for (const id of ['9007199254740993', '{"a":1}', '[[[]]]'])
      await fromClient.take(latin1(`${callOf(1).replace('"id":1', `"id":${id}`)}\n`));
    await fromClient.end();
    expect([server.text, client.text]).toEqual(['', '']);
    expect(notices.length).toBe(3);
  });

  test('is refused under block, if it cannot be recorded', async () => {
    const { fromClient, fromServer, server, client, capture } = pipes({ onFailure: 'block' });
    capture.begin = () => {
      throw new Error('no session');
    };
    await fromClient.take(latin1(`${callOf(1)}\n{"id":2,"method":"ping"}\n`));
    await fromClient.end();
    fromServer.end();
    expect(server.text).toBe('{"id":2,"method":"ping"}\n');
    expect(JSON.parse(client.text).error.code).toBe(-32000);
  });

  test('of a batch stops the batch, and each of its requests is answered', async () => {
    const { fromClient, server, client } = pipes({ state: 'nothing', onFailure: 'block' });
    await fromClient.take(
      latin1(`[${callOf(1)},{"id":2,"method":"ping"},{"method":"notifications/x"},{"id":3,"result":{}}]\n`),
    );
    await fromClient.end();
    expect(server.text).toBe('');
    const reason = 'no receipt could be issued, and no entry could be written to the spool';
    expect(JSON.parse(client.text)).toEqual([errorOf(1, reason), errorOf(2, reason)]);
  });

  test('is answered between two lines of the server, not within one', async () => {
    const { fromClient, fromServer, client } = pipes({ state: 'spooled', onFailure: 'block' });
    await fromServer.take(latin1('{"half":'));
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromClient.end();
    await fromServer.take(latin1('1'));
    expect(client.text).toBe('{"half":1');
    await fromServer.take(latin1('}\n{"next":'));
    expect(client.text).toBe(`{"half":1}\n${JSON.stringify(errorOf(1))}\n{"next":`);
  });

  test('is answered after a last line of the server without a newline', async () => {
    const { fromClient, fromServer, client } = pipes({ state: 'spooled', onFailure: 'block' });
    await fromServer.take(latin1('{"half":'));
    await fromClient.take(latin1(`${callOf(1)}\n`));
    await fromClient.end();
    fromServer.end();
    expect(client.text).toBe(`{"half":\n${JSON.stringify(errorOf(1))}\n`);
  });
});
