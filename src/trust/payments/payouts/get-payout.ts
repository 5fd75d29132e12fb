import { type Administration, requirePayout } from './payout.ts';
import { administeredView } from './representation.ts';

/** Returns a payout, for the administrator. @throws ApiError not_found */
export async function getPayout(
  { store, policy }: Pick<Administration, 'store' | 'policy'>,
  withdrawalId: string,
) {
  const state = await store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  return { payout: administeredView(state, policy) };
}
