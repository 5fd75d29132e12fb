import { toQuantity } from '../../../src/trust/payments/payouts/evm/chain/values.ts';
import { TREASURY } from './test-chain.ts';

/** Returns what a node answers to a request, instead of `truth`, the result of the real node. */
export type Lie = (method: string, params: readonly unknown[], truth: unknown) => unknown;

/** A node that answers what a test wants. It passes on what is sent to it, unless it is down. */
export type LyingNode = ReturnType<typeof lyingNode>;

const TRUTH: Lie = (_method, _params, truth) => truth;

/**
 * Starts a node that shows the chain of another, and lies about it.
 * @param target the URL of the node that it asks
 */
export function lyingNode(target: string) {
  let lie = TRUTH;
  let isDown = false;
  let turns: Promise<void> = Promise.resolve();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await turns;
      if (isDown) return new Response(null, { status: 503 });
      const body = await request.text();
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(target, { method: 'POST', headers, body });
      const answer = JSON.parse(await response.text());
      if ('error' in answer) return Response.json(answer);
      const { method, params } = JSON.parse(body);
      return Response.json({ ...answer, result: lie(method, params, answer.result) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    lies(next: Lie) {
      lie = next;
    },
    tellsTheTruth() {
      lie = TRUTH;
      isDown = false;
    },
    isDown() {
      isDown = true;
    },
    /** Answers nothing until the returned function is called. */
    hangs(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      turns = promise;
      return () => {
        turns = Promise.resolve();
        resolve();
      };
    },
    stop: () => server.stop(true),
  };
}

/** Says that every transaction was reverted, in receipts and events. */
export function saysReverted(node: LyingNode): void {
  node.lies((method, _params, truth) => {
    if (method === 'eth_getTransactionReceipt' && truth !== null)
      return { ...Object(truth), status: '0x0', logs: [] };
    return method === 'eth_getLogs' ? [] : truth;
  });
}

/** Says that another transaction of the treasury has used a nonce, in a final block. */
export function saysLost(node: LyingNode, nonce: number): void {
  node.lies((method, params, truth) => {
    if (method === 'eth_getTransactionReceipt') return null;
    if (method === 'eth_getTransactionCount')
      return toQuantity(Math.max(Number(truth), Number(params[1]) === 0 ? 0 : nonce + 1));
    if (method !== 'eth_getBlockByNumber' || params[1] !== true) return truth;
    const theft = {
      hash: `0x${'ab'.repeat(32)}`,
      from: TREASURY.address,
      to: TREASURY.address,
      input: '0x',
      value: '0x1',
    };
    return { ...Object(truth), transactions: [{ ...theft, nonce: toQuantity(nonce) }] };
  });
}
