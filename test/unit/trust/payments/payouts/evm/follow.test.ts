import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { broadcast } from '../../../../../../src/trust/payments/payouts/evm/broadcast.ts';
import { chainOf } from '../../../../../../src/trust/payments/payouts/evm/chain/chain.ts';
import { type Rpc, RpcError } from '../../../../../../src/trust/payments/payouts/evm/chain/json-rpc.ts';
import { accountOf } from '../../../../../../src/trust/payments/payouts/evm/chain/transactions.ts';
import { hexOf, toQuantity } from '../../../../../../src/trust/payments/payouts/evm/chain/values.ts';
import { progressOf, viewOf } from '../../../../../../src/trust/payments/payouts/evm/follow.ts';

const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const hashOf = (number: number) => hexOf(number.toString(16).padStart(64, '0'));
const OURS = hashOf(0xabc);
const THEIRS = hashOf(0xdef);
const NONCE = 5;
const CONFIRMATIONS = 12;
const THEIR_TRANSFER = { to: SENDER, input: '0x', value: '0x1' };
const { raw: RAW } = await (await accountOf(`0x${'11'.repeat(32)}`)).sign({
  chainId: 1,
  nonce: NONCE,
  to: SENDER,
  value: 0n,
  data: '0x',
  gas: 21_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
});
const SLOT = {
  chainId: 1,
  sender: SENDER,
  nonce: NONCE,
  attempts: [{ hash: OURS, raw: RAW, createdAt: 0 }],
};

interface FakeNode {
  /** The number of the newest block. */
  head: number;
  /** The block that used the nonce; null for none. */
  usedIn: number | null;
  /** The hash of the transaction that did. */
  by: `0x${string}`;
  /** The oldest block whose state the node has. */
  oldestState?: number;
  /** Whether the node finds the receipt. */
  hasReceipt?: boolean;
  /** The chain of the transaction that used the nonce. */
  chainId?: number;
}

function nodeOf({ head, usedIn, by, oldestState = 0, hasReceipt = true, chainId = 1 }: FakeNode) {
  const refuse = (said: string) => new RpcError(said, 'refused', said);
  const isUsed = (block: number) => usedIn !== null && block >= usedIn;
  const respond = (method: string, params: readonly unknown[]): unknown => {
    const [first, second] = params;
    if (method === 'eth_getBlockByNumber') {
      const number = first === 'latest' ? head : Number(first);
      if (number > head) return null;
      const users =
        number === usedIn
          ? [
              {
                from: SENDER,
                hash: by,
                nonce: toQuantity(NONCE),
                chainId: toQuantity(chainId),
                ...THEIR_TRANSFER,
              },
            ]
          : [];
      return { number: toQuantity(number), hash: hashOf(number), transactions: users };
    }
    if (method === 'eth_getTransactionCount') {
      const block = second === 'latest' ? head : Number(second);
      if (block < oldestState) throw refuse('missing trie node');
      return toQuantity(isUsed(block) ? NONCE + 1 : NONCE);
    }
    if (method === 'eth_getTransactionReceipt') {
      if (usedIn === null || by !== first || !hasReceipt) return null;
      const block = { blockNumber: toQuantity(usedIn), blockHash: hashOf(usedIn) };
      return { transactionHash: by, ...block, status: '0x1', logs: [] };
    }
    throw refuse(`no method ${method}`);
  };
  const rpc: Rpc = { origin: 'test', request: async (method, params) => respond(method, params) };
  return chainOf(rpc);
}

const progress = async (node: FakeNode) => progressOf(await viewOf(nodeOf(node), CONFIRMATIONS), SLOT);

describe('a slot', () => {
  test('waits while no block has its nonce', async () => {
    expect(await progress({ head: 100, usedIn: null, by: OURS })).toEqual({ is: 'waiting' });
  });

  test('is lost exactly when the nonce of another transaction is final, wherever its block is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3000), fc.nat(3000), async (usedIn, above) => {
        const head = usedIn + above;
        expect(await progress({ head, usedIn, by: THEIRS })).toEqual(
          above + 1 >= CONFIRMATIONS ? { is: 'lost', to: THEIRS } : { is: 'in-block' },
        );
      }),
    );
  });

  test('is final exactly when its own block is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3000), fc.nat(30), async (usedIn, above) => {
        const { is } = await progress({ head: usedIn + above, usedIn, by: OURS });
        expect(is).toBe(above + 1 >= CONFIRMATIONS ? 'final' : 'in-block');
      }),
    );
  });

  test('is not lost because the node has no receipt, or no old states', async () => {
    const used = { head: 1000, usedIn: 500 };
    expect(await progress({ ...used, by: OURS, hasReceipt: false })).toEqual({ is: 'unclear' });
    expect(await progress({ ...used, by: THEIRS, oldestState: 900 })).toEqual({ is: 'unclear' });
  });

  test('is not lost by a transaction on another chain', async () => {
    expect(await progress({ head: 1000, usedIn: 500, by: THEIRS, chainId: 2 })).toEqual({ is: 'unclear' });
  });
});

describe('a broadcast', () => {
  const sent = (said: string) =>
    broadcast(
      chainOf({
        origin: 'test',
        request: async () => {
          throw new RpcError(said, 'refused', said);
        },
      }),
      { raw: hexOf('02') },
    );

  test.each([
    ['already known', 'sent'],
    ['nonce too low: next nonce 6, tx nonce 5', 'sent'],
    ['Nonce too low. Expected nonce to be 6 but got 5.', 'sent'],
    ['insufficient funds for gas * price + value', 'too-few-coins'],
    ["Sender doesn't have enough funds to send tx.", 'too-few-coins'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced: tip needed 1', 'underpriced'],
    ['something else', 'refused'],
  ] as const)('that the node refuses with "%s" is %s', async (said, is) => {
    expect(await sent(said)).toMatchObject({ is });
  });

  test('without a response is not known to be refused', async () => {
    const down: Rpc = {
      origin: 'test',
      request: async () => {
        throw new RpcError('late', 'unreachable');
      },
    };
    await expect(broadcast(chainOf(down), { raw: hexOf('02') })).rejects.toThrow('late');
  });
});
