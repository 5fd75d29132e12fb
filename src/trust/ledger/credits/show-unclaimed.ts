import type { Store } from '../../../platform/store/store.ts';
import { UNCLAIMED } from '../accounts.ts';
import { creditsIn } from '../balances.ts';
import type { Portions } from '../portions.ts';

/** Returns the credits of revoked agents that had no sponsor, by class. */
export async function showUnclaimed({ store }: { store: Store }): Promise<Portions> {
  return store.read((snapshot) => creditsIn(snapshot, UNCLAIMED));
}
