import { type RailContext, RailUnavailable } from '../rail.ts';
import type { SharedChain } from './chain/shared-chain.ts';
import { type Treasury, treasuryOf } from './treasury.ts';
import { COIN_DECIMALS, decimalText } from './units.ts';

/** How many addresses are asked about at once. */
const WIDTH = 8;

/** The balance of an address, as exact decimal text. */
export interface Balance {
  tokens: string;
  coins: string;
}

/** The balances of addresses, in their order; or the problem of the node. */
export interface Balances {
  balances: readonly Balance[] | null;
  problem: string | null;
}

/**
 * Returns the balances of addresses on the configured chain. A node that does not respond is a problem, and
 * no error: the wallets are known without it.
 */
export async function balancesOf(
  trust: Pick<RailContext, 'store' | 'policy' | 'clock'>,
  addresses: readonly string[],
): Promise<Balances> {
  if (trust.policy.evm === null) return { balances: null, problem: null };
  try {
    const treasury = await treasuryOf(trust);
    const { chain } = await treasury.look();
    const balances: Balance[] = [];
    for (let at = 0; at < addresses.length; at += WIDTH) {
      const some = addresses.slice(at, at + WIDTH);
      balances.push(...(await Promise.all(some.map((address) => balanceOf(chain, treasury, address)))));
    }
    return { balances, problem: null };
  } catch (error) {
    if (error instanceof RailUnavailable) return { balances: null, problem: error.message };
    throw error;
  }
}

async function balanceOf(chain: SharedChain, { policy }: Treasury, address: string): Promise<Balance> {
  const [tokens, coins] = await Promise.all([chain.tokens(policy.token, address), chain.coins(address)]);
  return { tokens: decimalText(tokens, policy.tokenDecimals), coins: decimalText(coins, COIN_DECIMALS) };
}
