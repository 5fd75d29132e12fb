import { walletsBefore } from './list-store.ts';
import { type Administration, walletView } from './wallet-view.ts';
import { chainOf } from './wallets.ts';

/**
 * Returns a page of all wallets, newest first.
 * @param before the number of the last wallet of the page before; null for the first page
 */
export async function listWallets({ store, policy }: Administration, before: number | null) {
  const { wallets, hasMore } = await store.read((snapshot) =>
    walletsBefore(snapshot, before ?? Number.MAX_SAFE_INTEGER),
  );
  return {
    wallets: wallets.map((wallet) => walletView(wallet, chainOf(policy))),
    next: hasMore ? (wallets.at(-1)?.walletSeq ?? null) : null,
  };
}
