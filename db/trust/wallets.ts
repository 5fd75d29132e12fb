import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { WALLET_OWNERS } from './wallets-enums.ts';

/** The custodial wallets of operators and agents. Rows never change. */
export const custodialWallet = sqliteTable('custodial_wallet', {
  walletSeq: integer('wallet_seq').primaryKey(),
  ownerKind: text('owner_kind', { enum: WALLET_OWNERS }).notNull(),
  /** operator_seq or agent_seq, by the kind. */
  ownerSeq: integer('owner_seq').notNull(),
  /** In the mixed case of EIP-55. */
  address: text('address').notNull(),
  /** The private key, encrypted with the master key. */
  encryptedKey: text('encrypted_key').notNull(),
  /** Milliseconds since 1970. */
  createdAt: integer('created_at').notNull(),
});
