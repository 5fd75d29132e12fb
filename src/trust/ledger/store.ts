import { agentCredit, journalOpening, ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agentCredit, journalOpening, ledgerAccount, movement });

export type MovementRow = typeof movement.$inferSelect;
export type OpeningRow = typeof journalOpening.$inferSelect;

/** Returns the balances of an account in the assets that it ever had. */
export const balancesOf = sql.joined({ asset: ledgerAccount.asset, balance: ledgerAccount.balance }).rows`
  FROM ledger_account WHERE kind = ${'kind:ledgerAccount.kind'} AND owner_seq = ${'ownerSeq'}`;

/** Returns the number of the newest movement; null if there is none. */
export const newestMovementSeq = sql.value(sql.number`max(movement_seq)`)`FROM movement`;

/** Returns the end of an agent's journal and its tier; null before its first movement or evaluation. */
export const agentCreditOf = sql.row(agentCredit)`WHERE agent_seq = ${'agentSeq'}`;

/** Returns the newest movement of all accounts before journals were complete; null if they always were. */
export const lastBeforeJournals = sql.value(journalOpening.afterSeq)`LIMIT 1`;

/** Returns what an account had when its journal became complete; nothing for a younger account. */
export const openingsOf = sql.rows(journalOpening)`WHERE kind = ${'kind'} AND owner_seq = ${'ownerSeq'}`;
