import type { Principal } from '../../operators/auth/principals.ts';
import type { TrustContext } from '../../service/context.ts';
import type { AccountWalletResponse } from './schema.ts';
import { chainOf, touchedWallet } from './wallets.ts';

/** The parts of the service that the operator's wallet uses. */
export type AccountWalletContext = Pick<
  TrustContext,
  'store' | 'clock' | 'masterKey' | 'readOnly' | 'policy'
>;

/**
 * Returns the wallet of the caller's operator. The first call makes it.
 * @throws ApiError forbidden for an operator that is not active, scope_ended and quota_exceeded, only if it has no wallet yet
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
    created_at: new Date(createdAt).toISOString(),
  };
}
