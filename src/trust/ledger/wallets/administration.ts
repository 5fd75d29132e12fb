import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { commonErrors } from '../../http/errors.ts';
import { eip55 } from './address.ts';
import type { WalletsPolicy } from './evm-policy.ts';
import {
  type OwnedWallet,
  ownedWalletByAddress,
  walletOfAgent,
  walletOfOperator,
  walletsBefore,
} from './list-store.ts';
import { chainOf } from './wallets.ts';

type Administration = { store: Store; policy: WalletsPolicy };

/** A wallet as the administrator sees it. */
interface WalletView {
  /** An operator_id or a subject commitment. */
  owner: string | null;
  kind: 'operator' | 'agent';
  address: string;
  chain: string;
  created_at: string;
}

/** Returns a page of all wallets, newest first. @param before the number of the last wallet of the page before; null for the first page */
export async function listWallets({ store, policy }: Administration, before: number | null) {
  const { wallets, hasMore } = await store.read((snapshot) =>
    walletsBefore(snapshot, before ?? Number.MAX_SAFE_INTEGER),
  );
  return {
    wallets: wallets.map((wallet) => walletView(wallet, chainOf(policy))),
    next: hasMore ? (wallets.at(-1)?.walletSeq ?? null) : null,
  };
}

/**
 * Returns the wallet of an owner, or with an address.
 * @param name an operator_id, a subject commitment or an address @throws ApiError not_found; validation_error for a wrong checksum
 */
export async function findWallet({ store, policy }: Administration, name: string): Promise<WalletView> {
  const wallet = await store.read((snapshot) => walletNamed(snapshot, name));
  if (wallet === undefined) {
    throw commonErrors.not_found({
      message: `There is no custodial wallet of ${name}. See countersign wallets list.`,
    });
  }
  return walletView(wallet, chainOf(policy));
}

async function walletNamed(snapshot: Snapshot, name: string): Promise<OwnedWallet | undefined> {
  if (isHex(name, 32)) return walletOfAgent(snapshot, name);
  if (!name.startsWith('0x')) return walletOfOperator(snapshot, name);
  const address = eip55(name);
  if (address !== null) return ownedWalletByAddress(snapshot, address);
  throw commonErrors.validation_error({
    issues: { wallet: ['is not an address, or its checksum (EIP-55) is wrong'] },
  });
}

function walletView(
  { ownerKind, operatorId, commitment, address, createdAt }: OwnedWallet,
  chain: string,
): WalletView {
  return {
    owner: operatorId ?? commitment,
    kind: ownerKind,
    address,
    chain,
    created_at: new Date(createdAt).toISOString(),
  };
}
