import type { Store } from '../../../platform/store/store.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { WalletsPolicy } from './evm-policy.ts';
import type { OwnedWallet } from './list-store.ts';

/** The parts of the service that the administrator's commands on wallets use. */
export type Administration = { store: Store; policy: WalletsPolicy };

/** A wallet as the administrator sees it. */
export interface WalletView {
  /** An operator_id or a subject commitment. */
  owner: string | null;
  kind: 'operator' | 'agent';
  address: string;
  chain: string;
  created_at: string;
}

/** Returns a wallet as the administrator sees it. */
export function walletView(
  { ownerKind, operatorId, commitment, address, createdAt }: OwnedWallet,
  chain: string,
): WalletView {
  return {
    owner: operatorId ?? commitment,
    kind: ownerKind,
    address,
    chain,
    created_at: timestampOf(createdAt),
  };
}
