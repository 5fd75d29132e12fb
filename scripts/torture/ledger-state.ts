import { Database } from 'bun:sqlite';

/** A transaction of the ledger: its movements together. */
export interface BookedTransaction {
  id: string;
  kind: string;
  memo: string | null;
  reference: string | null;
  amount: number;
}

/** An account whose stored sums differ from those of its movements. */
interface Difference {
  kind: string;
  owner_seq: number;
  asset: string;
}

/** Every account as its movements say, by the rules of docs/credits.md. */
const RECOMPUTED = `
  WITH side (kind, owner_seq, asset, balance, granted, earned, spent) AS (
    SELECT debit_kind, debit_owner, asset, -amount, 0, 0,
      iif(debit_kind = 'agent' AND NOT (credit_kind = 'locked' AND credit_owner = debit_owner), amount, 0) FROM movement
    UNION ALL
    SELECT credit_kind, credit_owner, asset, amount,
      iif(credit_kind = 'agent' AND debit_kind = 'pool', amount, 0),
      iif(credit_kind = 'agent' AND debit_kind <> 'pool' AND NOT (debit_kind = 'locked' AND debit_owner = credit_owner), amount, 0),
      0 FROM movement
    UNION ALL
    SELECT 'agent', debit_owner, asset, 0, 0, 0, amount FROM movement
    WHERE debit_kind = 'locked' AND NOT (credit_kind = 'agent' AND credit_owner = debit_owner)
  )
  SELECT kind, owner_seq, asset, sum(balance) AS balance, sum(granted) AS granted, sum(earned) AS earned, sum(spent) AS spent
  FROM side GROUP BY kind, owner_seq, asset`;

const ACCOUNTS =
  'SELECT kind, owner_seq, asset, balance, granted, earned, spent FROM ledger_account WHERE last_seq IS NOT NULL';

/**
 * Checks a database beside the service that writes it: it is intact, the sum of each asset is zero, every
 * account is what its movements say, and every transaction is complete. @returns all transactions @throws
 * Error with the first difference
 */
export function ledgerState(data: string): BookedTransaction[] {
  const database = new Database(`${data}/trust.db`, { readonly: true });
  try {
    // One snapshot for all checks, because the service goes on.
    database.run('BEGIN');
    const rows = <T>(sql: string): T[] => database.query<T, []>(sql).all();
    const refuse = (what: string, found: readonly unknown[]): void => {
      if (found.length > 0) throw new Error(`${what}: ${JSON.stringify(found.slice(0, 3))}`);
    };
    refuse('foreign_key_check', rows('PRAGMA foreign_key_check'));
    refuse(
      'the sum of an asset is not zero',
      rows('SELECT asset, sum(balance) AS sum FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0'),
    );
    refuse(
      'accounts that differ from their movements',
      rows<Difference>(
        `SELECT * FROM (${ACCOUNTS} EXCEPT SELECT * FROM (${RECOMPUTED})) UNION ALL SELECT * FROM (SELECT * FROM (${RECOMPUTED}) EXCEPT ${ACCOUNTS})`,
      ),
    );
    refuse(
      'transactions without all of their movements',
      rows(
        'SELECT hex(transaction_id) AS id FROM movement GROUP BY transaction_id HAVING count(*) <> max(ordinal) + 1 OR min(ordinal) <> 0',
      ),
    );
    const booked = rows<BookedTransaction>(
      `SELECT 'txn_' || lower(hex(transaction_id)) AS id, min(kind) AS kind, min(memo) AS memo, min(reference) AS reference,
        sum(amount) AS amount FROM movement GROUP BY transaction_id`,
    );
    database.run('ROLLBACK');
    return booked;
  } finally {
    database.close();
  }
}
