import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';
import type { WalletsPolicy } from './evm-policy.ts';
import type { AccountWalletResponse } from './schema.ts';
import { chainOf, touchedWallet } from './wallets.ts';

/** The parts of the service that the operator's wallet uses. */
export type AccountWalletContext = {
  store: Store;
  clock: Clock;
  masterKey: MasterKey;
  readOnly: boolean;
  policy: WalletsPolicy;
};

/**
 * Returns the wallet of the caller's operator. The first call makes it.
 * @throws ApiError forbidden for an inactive operator, scope_ended, quota_exceeded; only without a wallet
 */
export async function accountWallet(
  trust: AccountWalletContext,
  { operatorId, operatorSeq, authority }: Principal,
): Promise<AccountWalletResponse> {
  const { address, createdAt } = await touchedWallet(trust, authority, {
    kind: 'operator',
    seq: operatorSeq,
  });
  return {
    operator_id: operatorId,
    address,
    chain: chainOf(trust.policy),
    created_at: timestampOf(createdAt),
  };
}
