import type { EvmPolicy } from '../../../ledger/wallets/evm-policy.ts';
import type { RailContext, TreasuryBalance } from '../rail.ts';
import { chainOf } from './chain/chain.ts';
import { jsonRpc } from './chain/json-rpc.ts';
import { largestReached, type Node } from './chain/shared-chain.ts';
import { accountOf, type ChainAccount } from './chain/transactions.ts';
import { type ChainView, lookAt } from './chain-view.ts';
import { RailProblem } from './errors.ts';
import { type FeeMarket, type FeeMarkets, gwei } from './fees.ts';
import { Mutex } from './mutex.ts';
import { NodeReports } from './node-reports.ts';
import { type Broadcasts, type Caps, Sending } from './sending.ts';
import { COIN_DECIMALS, decimalText } from './units.ts';

/** The time between two checks of the token's contract, in milliseconds of the monotonic clock. */
const TOKEN_CHECK_MS = 10 * 60_000;

/** The treasury on its chain, in memory: the nodes, the account, and their checks. */
export interface Treasury {
  account: ChainAccount;
  policy: EvmPolicy;
  /** The most that a transaction costs. */
  caps: Caps;
  /** What is wrong with the nodes. */
  reports: NodeReports;
  /**
   * Returns the chain as the nodes show it now, after a check that they and the token are those of the
   * settings. Nothing is signed before it.
   * @throws RailProblem, RpcError if not more than half of the nodes can be used
   */
  look(): Promise<ChainView>;
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
        'No chain is configured. Set evm.rpc_urls, evm.chain_id, evm.token and evm.treasury_key.',
      ),
    );
  }
  const treasury = openTreasury(policy.evm, clock);
  opened.set(store, treasury);
  treasury.catch(() => opened.delete(store));
  return treasury;
}

async function openTreasury(policy: EvmPolicy, clock: RailContext['clock']): Promise<Treasury> {
  const nodes = policy.rpcUrls.map(
    (url, index): Node => ({ number: index + 1, chain: chainOf(jsonRpc(url)) }),
  );
  const account = await accountOf(policy.treasuryKey());
  const caps: Caps = {
    fee: gwei(policy.maxFeeGwei),
    tip: gwei(policy.maxTipGwei),
    gas: BigInt(policy.maxGas),
  };
  const checkedAt = new Map<number, number>();
  const reports = new NodeReports();
  async function check({ number, chain }: Node): Promise<void> {
    const chainId = await chain.chainId();
    if (chainId !== policy.chainId) {
      throw new RailProblem(
        'chain',
        `The node ${chain.origin} is of the chain ${chainId}, but evm.chain_id is ${policy.chainId}. Nothing is signed. Correct evm.rpc_urls or evm.chain_id.`,
      );
    }
    const at = checkedAt.get(number);
    if (at !== undefined && performance.now() - at < TOKEN_CHECK_MS) return;
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
    checkedAt.set(number, performance.now());
  }
  return {
    account,
    policy,
    caps,
    reports,
    sending: new Sending(account, caps, clock),
    mutex: new Mutex(),
    broadcastsOfWallets: new Map(),
    look: () => lookAt(nodes, reports, policy.confirmations, check),
  };
}

/**
 * Returns the current fees of the chain, as its nodes name them.
 * @throws RailProblem for a chain without EIP-1559; RpcError
 */
export async function feeMarkets({ chain, views, needed }: ChainView): Promise<FeeMarkets> {
  const baseFees = views.flatMap(({ head }) => (head.baseFee === null ? [] : [head.baseFee]));
  if (baseFees.length < needed) {
    throw new RailProblem(
      'chain',
      'The chain has no base fee (EIP-1559), which payouts need. Use a chain with EIP-1559.',
    );
  }
  const tips = (await chain.values((one) => one.tip())).filter((tip) => tip !== null);
  const marketOf = (count: number, tipCount: number): FeeMarket => ({
    baseFee: largestReached(baseFees, count),
    tip: tips.length < tipCount || tipCount === 0 ? null : largestReached(tips, tipCount),
  });
  return { lowest: marketOf(baseFees.length, tips.length), reached: marketOf(needed, needed) };
}

/** Returns the balance of the treasury, for metrics. @throws RailProblem, RpcError */
export async function balanceOf({ look, account, policy }: Treasury): Promise<TreasuryBalance> {
  const { chain } = await look();
  const [tokens, coins] = await Promise.all([
    chain.tokens(policy.token, account.address),
    chain.coins(account.address),
  ]);
  return {
    tokens: Number(decimalText(tokens, policy.tokenDecimals)),
    coins: Number(decimalText(coins, COIN_DECIMALS)),
  };
}
