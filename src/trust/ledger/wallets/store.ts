import { custodialWallet } from '../../../../db/trust/wallets.ts';
import type { WalletOwnerKind } from '../../../../db/trust/wallets-enums.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ custodialWallet });

export type WalletRow = typeof custodialWallet.$inferSelect;

/** The owner of a wallet: an operator by operator_seq, or an agent by agent_seq. */
export interface WalletOwner {
  kind: WalletOwnerKind;
  seq: number;
}

/** Returns whether any wallet exists: its private key needs the master key. */
export const hasWallets = sql.exists(custodialWallet)`LIMIT 1`;

/** Returns an owner's wallet; null before its first touch. */
export const walletOf = sql.row(custodialWallet)`
  WHERE owner_kind = ${'kind:ownerKind'} AND owner_seq = ${'seq:ownerSeq'}`;

/** Returns the wallet with an address, as EIP-55 writes it; null if there is none. */
export const walletByAddress = sql.row(custodialWallet)`WHERE address = ${'address'}`;

/** Stores a wallet. Rejects with DuplicateRow if the owner has one. */
export const insertWallet = sql.insertRow(custodialWallet, { without: ['walletSeq'] });

const oldest = sql.row(custodialWallet)`ORDER BY wallet_seq LIMIT 1`;
const newest = sql.row(custodialWallet)`ORDER BY wallet_seq DESC LIMIT 1`;

/** Returns the oldest and the newest wallet: none, the same one twice, or two. */
export async function outermostWallets(snapshot: Snapshot): Promise<WalletRow[]> {
  return [await oldest(snapshot), await newest(snapshot)].filter((wallet) => wallet !== null);
}
