import { ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ ledgerAccount, movement });

/** The movement before one of the same pool. */
const PREVIOUS = sql.part`CASE WHEN debit_kind = 'pool' AND debit_owner = ${'operatorSeq:debitOwner'}
  THEN debit_prev ELSE credit_prev END`;

/**
 * Returns the newest movements of an operator's pool, newest first: each names the one before it. `createdAt`
 * is in milliseconds since 1970.
 */
export const newestOfPool = sql.joined({
  createdAt: movement.createdAt,
  asset: movement.asset,
  amount: movement.amount,
  debitKind: movement.debitKind,
  debitOwner: movement.debitOwner,
}).rows`FROM movement WHERE movement_seq IN (
    WITH RECURSIVE list (seq, number) AS (
      SELECT (SELECT max(last_seq) FROM ledger_account
        WHERE kind = 'pool' AND owner_seq = ${'operatorSeq:ownerSeq'}), 1
      UNION ALL SELECT ${PREVIOUS}, number + 1 FROM list JOIN movement ON movement_seq = seq
      WHERE number < ${'limit'}
    ) SELECT seq FROM list WHERE seq IS NOT NULL
  ) ORDER BY movement_seq DESC`;
