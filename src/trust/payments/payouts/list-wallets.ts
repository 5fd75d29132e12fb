import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import { walletPage } from '../../ledger/wallets/list.ts';
import type { RailContext } from './rail.ts';
import { chainBalances } from './wallet-orders.ts';

const NO_BALANCES = { balances: null, problem: null };

/**
 * Returns a page of all custodial wallets, newest first, with their balances on the configured chain.
 * @param balances with `false`, no node is asked, and all balances are null
 * @returns the page; `problem` says why a node did not return the balances
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listWallets(
  context: RailContext & { cursors: Cursors },
  { balances: isAsked = 'true', ...paging }: Paging & { balances?: 'true' | 'false' | undefined },
) {
  const { wallets, next_cursor } = await walletPage(context, paging);
  const addresses = wallets.map(({ address }) => address);
  const { balances, problem } = isAsked === 'true' ? await chainBalances(context, addresses) : NO_BALANCES;
  const rows = wallets.map((wallet, index) => ({
    ...wallet,
    ...(balances?.[index] ?? { tokens: null, coins: null }),
  }));
  return { wallets: rows, next_cursor, problem };
}
