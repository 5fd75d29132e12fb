import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { commonErrors } from '../../http/errors.ts';
import { eip55 } from './address.ts';
import { type OwnedWallet, ownedWalletByAddress, walletOfAgent, walletOfOperator } from './list-store.ts';
import { type Administration, type WalletView, walletView } from './wallet-view.ts';
import { chainOf } from './wallets.ts';

/**
 * Returns a wallet by its owner or its address.
 * @param name an operator_id, a subject commitment or an address
 * @throws ApiError not_found; validation_error for a wrong checksum
 */
export async function findWallet({ store, policy }: Administration, name: string): Promise<WalletView> {
  const wallet = await store.read((snapshot) => walletByName(snapshot, name));
  if (wallet === null) {
    throw commonErrors.not_found({
      message: `There is no custodial wallet of ${name}. See countersign wallets list.`,
    });
  }
  return walletView(wallet, chainOf(policy));
}

async function walletByName(snapshot: Snapshot, name: string): Promise<OwnedWallet | null> {
  if (isHex(name, 32)) return walletOfAgent(snapshot, name);
  if (!name.startsWith('0x')) return walletOfOperator(snapshot, name);
  const address = eip55(name);
  if (address !== null) return ownedWalletByAddress(snapshot, address);
  throw commonErrors.validation_error({
    issues: { wallet: ['is not an address, or its checksum (EIP-55) is wrong'] },
  });
}
