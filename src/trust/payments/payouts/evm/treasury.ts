import type { EvmPolicy } from '../../../ledger/wallets/evm-policy.ts';
import type { RailContext, TreasuryBalance } from '../rail.ts';
import { type Chain, chainOf } from './chain/chain.ts';
import { jsonRpc } from './chain/json-rpc.ts';
import { accountOf, type ChainAccount } from './chain/transactions.ts';
import { RailProblem } from './errors.ts';
import { type FeeMarket, gwei } from './fees.ts';
import type { View } from './follow.ts';
import { Mutex } from './mutex.ts';
import { type Broadcasts, Sending } from './sending.ts';
import { COIN_DECIMALS, decimalText } from './units.ts';

/** The time between two checks of the token's contract, in milliseconds of the monotonic clock. */
const TOKEN_CHECK_MS = 10 * 60_000;

/** The treasury on its chain, in memory: the node, the account, and its checks. */
export interface Treasury {
  chain: Chain;
  account: ChainAccount;
  policy: EvmPolicy;
  /** The most that a transaction offers for a unit of gas, in wei. */
  feeCap: bigint;
  /**
   * Checks, before anything is signed, that the node and the token are those of the settings.
   * @throws RailProblem, RpcError
   */
  check(): Promise<void>;
  /** Signs and broadcasts what the treasury sends. */
  sending: Sending;
  /** For functions that use the treasury's nonces. */
  mutex: Mutex;
  /** The broadcasts of custodial wallets with open transfers, by address. It has no keys. */
  broadcastsOfWallets: Map<string, Broadcasts>;
}

const opened = new WeakMap<object, Promise<Treasury>>();

/**
 * Returns the treasury of the settings; the same one for all users of a store. It loads the code of the chain
 * with the first call, and asks the node nothing.
 * @throws RailProblem if no chain is configured
 */
export function treasuryOf({
  store,
  policy,
  clock,
}: Pick<RailContext, 'store' | 'policy' | 'clock'>): Promise<Treasury> {
  const known = opened.get(store);
  if (known !== undefined) return known;
  if (policy.evm === null) {
    return Promise.reject(
      new RailProblem(
        'chain',
        'No chain is configured. Set evm.rpc_url, evm.chain_id, evm.token and evm.treasury_key.',
      ),
    );
  }
  const treasury = openTreasury(policy.evm, clock);
  opened.set(store, treasury);
  treasury.catch(() => opened.delete(store));
  return treasury;
}

async function openTreasury(policy: EvmPolicy, clock: RailContext['clock']): Promise<Treasury> {
  const chain = chainOf(jsonRpc(policy.rpcUrl));
  const account = await accountOf(policy.treasuryKey());
  const feeCap = gwei(policy.maxFeeGwei);
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    chain,
    account,
    policy,
    feeCap,
    sending: new Sending(account, feeCap, clock),
    mutex: new Mutex(),
    broadcastsOfWallets: new Map(),
    async check() {
      const chainId = await chain.chainId();
      if (chainId !== policy.chainId) {
        throw new RailProblem(
          'chain',
          `The node ${chain.origin} is of the chain ${chainId}, but evm.chain_id is ${policy.chainId}. Nothing is signed. Correct evm.rpc_url or evm.chain_id.`,
        );
      }
      if (performance.now() - checkedAt < TOKEN_CHECK_MS) return;
      if (!(await chain.hasCode(policy.token))) {
        throw new RailProblem(
          'token',
          `evm.token ${policy.token} is not a contract on the chain ${chainId}. Set evm.token to the address of the token.`,
        );
      }
      const decimals = await chain.decimals(policy.token);
      if (decimals !== BigInt(policy.tokenDecimals)) {
        throw new RailProblem(
          'token',
          `The token ${policy.token} has ${decimals} decimals, but evm.token_decimals is ${policy.tokenDecimals}. Correct evm.token or evm.token_decimals.`,
        );
      }
      checkedAt = performance.now();
    },
  };
}

/** Returns the current fees of the chain. @throws RailProblem for a chain without EIP-1559 */
export async function feeMarket({ chain, head }: Pick<View, 'chain' | 'head'>): Promise<FeeMarket> {
  const { baseFee } = head;
  if (baseFee === null) {
    throw new RailProblem(
      'chain',
      'The chain has no base fee (EIP-1559), which payouts need. Use a chain with EIP-1559.',
    );
  }
  return { baseFee, tip: await chain.tip() };
}

/** Returns the balance of the treasury, for metrics. @throws RpcError */
export async function balanceOf({ chain, account, policy }: Treasury): Promise<TreasuryBalance> {
  const [tokens, coins] = await Promise.all([
    chain.tokens(policy.token, account.address),
    chain.coins(account.address),
  ]);
  return {
    tokens: Number(decimalText(tokens, policy.tokenDecimals)),
    coins: Number(decimalText(coins, COIN_DECIMALS)),
  };
}
