import { describe, expect, test } from 'bun:test';
import { callOf, latin1, pipes } from '../../../../support/wrapper-pipes.ts';

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
