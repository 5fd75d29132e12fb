import { journalMark, ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ journalMark, ledgerAccount, movement });

const IS_DEBIT = sql.part`debit_kind = ${'account:debitKind'} AND debit_owner = ${'ownerSeq:debitOwner'}`;
const IS_CREDIT = sql.part`credit_kind = ${'account:debitKind'} AND credit_owner = ${'ownerSeq:debitOwner'}`;
const SIDE = sql.part`CASE WHEN ${IS_DEBIT} THEN 'debit' WHEN ${IS_CREDIT} THEN 'credit' ELSE 'payer' END`;
/** The movement before one of the same account. */
const PREVIOUS = sql.part`CASE WHEN ${IS_DEBIT} THEN debit_prev WHEN ${IS_CREDIT} THEN credit_prev ELSE payer_prev END`;
const OF_ACCOUNT = sql.part`kind = ${'account:ledgerAccount.kind'} AND owner_seq = ${'ownerSeq:debitOwner'}`;

/** Which account of a movement it is; `payer` for the agent whose locked credits another received. */
export type Side = 'debit' | 'credit' | 'payer';

/** Returns the balances of an account, with its newest movement of each asset. */
export const newestOfAccount = sql.joined({
  asset: ledgerAccount.asset,
  balance: ledgerAccount.balance,
  lastSeq: ledgerAccount.lastSeq,
}).rows`FROM ledger_account WHERE kind = ${'kind:ledgerAccount.kind'} AND owner_seq = ${'ownerSeq'}`;

/**
 * Returns the first marked entry of a journal that is later than a time, and how many marked ones follow it;
 * null and 0 if none is marked.
 */
export const markAfter = sql.joined({
  movementSeq: orNull(sql.like(journalMark.movementSeq)`min(movement_seq)`),
  count: sql.number`count(*)`,
}).row`FROM journal_mark WHERE ${OF_ACCOUNT} AND movement_seq > coalesce(
  (SELECT movement_seq FROM journal_mark WHERE ${OF_ACCOUNT} AND created_at < ${'to:movement.createdAt'}
    ORDER BY movement_seq DESC LIMIT 1), 0)`;

const step = {
  seq: sql.like(movement.movementSeq)`seq`,
  previous: orNull(sql.like(movement.movementSeq)`prev`),
  createdAt: sql.like(movement.createdAt)`at`,
};

/**
 * Returns the entries of a journal from one on that are not before a time, and the one before them: up to
 * `most`, newest first.
 */
export const entriesFrom = sql.joined(step, { scans: 'up to `most` entries' }).rows`FROM (
    WITH RECURSIVE list (seq, prev, at, walked) AS (
      SELECT movement_seq, ${PREVIOUS}, created_at, 1 FROM movement WHERE movement_seq = ${'first:movementSeq'}
      UNION ALL
      SELECT movement_seq, ${PREVIOUS}, created_at, walked + 1 FROM list JOIN movement ON movement_seq = prev
      WHERE walked < ${'most:number'} AND at >= ${'to:movement.createdAt'}
    ) SELECT seq, prev, at FROM list
  ) ORDER BY seq DESC`;

/** Amounts are summed in two parts, since a sum of many could exceed what an integer of SQLite holds. */
const sums = {
  asset: sql.like(movement.asset)`asset`,
  kind: sql.like(movement.kind)`kind`,
  side: sql.text`side`,
  count: sql.number`count(*)`,
  high: sql.number`sum(amount >> 26)`,
  low: sql.number`sum(amount & 67108863)`,
  first: sql.like(movement.movementSeq)`min(seq)`,
  last: sql.like(movement.movementSeq)`max(seq)`,
};

/**
 * Returns the sums of up to `most` entries of a journal, from one on back to a time, and after a movement: by
 * class, kind and side.
 */
export const sumsFrom = sql.joined(sums, { scans: 'up to `most` entries' }).rows`FROM (
    WITH RECURSIVE list (seq, prev, walked, asset, kind, amount, side) AS (
      SELECT movement_seq, ${PREVIOUS}, 1, asset, kind, amount, ${SIDE}
      FROM movement WHERE movement_seq = ${'first:movementSeq'}
        AND created_at >= ${'from:movement.createdAt'} AND movement_seq > ${'after:movementSeq'}
      UNION ALL
      SELECT m.movement_seq, ${PREVIOUS}, walked + 1, m.asset, m.kind, m.amount, ${SIDE}
      FROM list JOIN movement AS m ON m.movement_seq = prev
      WHERE walked < ${'most:number'} AND created_at >= ${'from:movement.createdAt'} AND m.movement_seq > ${'after:movementSeq'}
    ) SELECT seq, asset, kind, amount, side FROM list
  ) GROUP BY asset, kind, side`;

/** Returns a movement. */
export const movementAt = sql.row(movement)`WHERE movement_seq = ${'movementSeq'}`;
