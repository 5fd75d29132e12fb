import { afterAll, describe, expect, test } from 'bun:test';
import { chainOf } from '../../../../../../src/trust/payments/payouts/evm/chain/chain.ts';
import { jsonRpc, RpcError } from '../../../../../../src/trust/payments/payouts/evm/chain/json-rpc.ts';

const KEY = 'k3y-0f-the-provider';
const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const servers: { stop(force: boolean): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(true))));

/** A node that responds to every request in one way. */
function node(respond: (id: number, request: Request) => Response | Promise<Response>, timeoutMs = 2000) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id } = JSON.parse(await request.text());
      return respond(id, request);
    },
  });
  servers.push(server);
  return jsonRpc(`http://user:${KEY}-word@127.0.0.1:${server.port}/v2/${KEY}?token=${KEY}%20two`, timeoutMs);
}

const json = (value: unknown) => new Response(JSON.stringify(value));
const resultNode = (result: unknown) => node((id) => json({ jsonrpc: '2.0', id, result }));
const errorNode = (error: unknown) => node((id) => json({ jsonrpc: '2.0', id, error }));

/** Returns the error of a request, which must name no key. */
async function errorOf(asking: Promise<unknown>): Promise<RpcError> {
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error(`no RpcError: ${error}`);
  const all = `${error.message} ${error.reasonText} ${error.stack} ${Bun.inspect(error)}`;
  expect(all).not.toContain(KEY);
  expect(all).not.toContain(encodeURIComponent(KEY));
  return error;
}

describe('a node', () => {
  test('that cannot be reached is named without its key', async () => {
    const error = await errorOf(jsonRpc(`http://127.0.0.1:1/v2/${KEY}`).request('eth_chainId', []));
    expect(error).toMatchObject({
      kind: 'unreachable',
      message: 'The node http://127.0.0.1:1 cannot be reached.',
    });
  });

  test('that responds late is left after the time limit', async () => {
    const late = node(() => new Promise<Response>(() => undefined), 50);
    expect(await errorOf(late.request('eth_chainId', []))).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('did not respond within 0.05 seconds'),
    });
  });

  test('whose response has no end is left at the size limit', async () => {
    const piece = new Uint8Array(65_536).fill(32);
    let pieces = 0;
    const endless = node(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              pieces += 1;
              controller.enqueue(piece);
            },
          }),
        ),
    );
    expect(await errorOf(endless.request('eth_chainId', []))).toMatchObject({ kind: 'invalid' });
    expect(pieces).toBeLessThan(200);
  });

  test.each([
    ['no JSON', () => new Response('<html>')],
    ['a list', () => json([])],
    ['another id', () => json({ jsonrpc: '2.0', id: 'x', result: '0x1' })],
    ['neither result nor error', (id: number) => json({ jsonrpc: '2.0', id })],
    ['an error that is no object', (id: number) => json({ jsonrpc: '2.0', id, error: 'x', result: '0x1' })],
    ['a status', () => new Response('no', { status: 403 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
  ])('that responds with %s gives no result', async (_, respond) => {
    await errorOf(node(respond).request('eth_chainId', []));
  });

  test.each([429, 500, 503])('that responds with the status %d can be asked again', async (status) => {
    const busy = node(() => new Response('busy', { status }));
    expect(await errorOf(busy.request('eth_chainId', []))).toMatchObject({ kind: 'unreachable' });
  });

  test('repeats no key, no long data and no control characters in the reason of a refusal', async () => {
    const message = `bad key ${KEY} \u001b[31m\n raw 0x${'ab'.repeat(100)} ${'x'.repeat(5000)}`;
    const error = await errorOf(errorNode({ code: -32000, message }).request('eth_sendRawTransaction', []));
    expect(error).toMatchObject({ kind: 'refused', isRevert: false });
    expect(error.reasonText).toMatch(/^bad key \*\*\* +\[31m +raw 0x… x+…$/);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ['the code of a revert', { code: 3, message: 'execution failed' }],
    ['the word', { code: -32000, message: 'execution reverted: paused' }],
    ['data', { code: -32015, message: 'VM error', data: `0x08c379a0${'00'.repeat(32)}` }],
  ])('reports a revert by %s', async (_, error) => {
    expect(await errorOf(errorNode(error).request('eth_call', []))).toMatchObject({ isRevert: true });
  });
});

describe('a response of a wrong form is refused', () => {
  const block = { number: '0x5', hash: HASH, baseFeePerGas: '0x7' };
  const receipt = {
    transactionHash: HASH,
    blockNumber: '0x5',
    blockHash: HASH,
    status: '0x1',
    logs: [],
  };
  type Asking = (chain: ReturnType<typeof chainOf>) => Promise<unknown>;
  const cases: [string, Asking, unknown[]][] = [
    ['a chain id', (chain) => chain.chainId(), [null, 1, '1', '0x', '0x01', `0x${'f'.repeat(64)}`, {}]],
    [
      'the newest block',
      (chain) => chain.head(),
      [null, 'x', [], {}, { ...block, number: '5' }, { ...block, baseFeePerGas: 'x' }],
    ],
    [
      'a block',
      (chain) => chain.blockHash(5),
      ['x', { ...block, number: '0x6' }, { ...block, hash: '0x12' }],
    ],
    ['a nonce', (chain) => chain.nextNonce(ADDRESS, 5), [null, '0x', '0x1g']],
    ['a balance', (chain) => chain.coins(ADDRESS), [null, `0x1${'0'.repeat(64)}`]],
    ['a token balance', (chain) => chain.tokens(ADDRESS, ADDRESS), ['0x', '0x1', null]],
    ['a tip', (chain) => chain.tip(), ['x']],
    [
      'a receipt',
      (chain) => chain.receipt(HASH),
      [
        'x',
        {},
        { ...receipt, transactionHash: `0x${'cd'.repeat(32)}` },
        { ...receipt, status: undefined },
        { ...receipt, logs: null },
        { ...receipt, logs: [{}] },
        { ...receipt, logs: [{ address: ADDRESS, topics: ['0x1'], data: '0x' }] },
      ],
    ],
    ['the logs of a block', (chain) => chain.transfers(ADDRESS, ADDRESS, ADDRESS, HASH), ['x', [1]]],
    [
      'the transactions of a block',
      (chain) => chain.transactionsOf(ADDRESS, 5),
      [null, block, { ...block, transactions: [{ from: ADDRESS, hash: '0x1', nonce: '0x0' }] }],
    ],
  ];

  test.each(cases)('%s', async (_, ask, results) => {
    for (const respond of results)
      expect(await errorOf(ask(chainOf(resultNode(respond))))).toMatchObject({ kind: 'invalid' });
  });

  test('and what is there is returned', async () => {
    expect(await chainOf(resultNode(block)).head()).toEqual({ number: 5, baseFee: 7n });
    expect(await chainOf(resultNode({ number: '0x5' })).head()).toEqual({ number: 5, baseFee: null });
    expect(await chainOf(resultNode(null)).receipt(HASH)).toBeNull();
    expect(await chainOf(resultNode(null)).blockHash(5)).toBeNull();
    expect(await chainOf(resultNode(receipt)).receipt(HASH)).toMatchObject({
      isSuccess: true,
      blockNumber: 5,
    });
    expect(await chainOf(errorNode({ code: -32601, message: 'no such method' })).tip()).toBeNull();
  });
});
