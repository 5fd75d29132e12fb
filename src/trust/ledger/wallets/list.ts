import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import { pageRequest } from '../../http/paging.ts';
import { walletsBefore } from './list-store.ts';
import { type Administration, walletView } from './wallet-view.ts';
import { chainOf } from './wallets.ts';

/** The list of all wallets, ordered by number. */
const WALLETS = { name: 'wallets', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of all wallets, newest first, without their balances.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function walletPage(
  { store, policy, cursors }: Administration & { cursors: Cursors },
  query: Paging,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(WALLETS, []));
  const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
  const wallets = await store.read((snapshot) => walletsBefore(snapshot, { before, limit: limit + 1 }));
  const { page, next_cursor } = takePage(wallets, (last) => [last.walletSeq]);
  return { wallets: page.map((wallet) => walletView(wallet, chainOf(policy))), next_cursor };
}
