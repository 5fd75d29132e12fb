import { storedBytes } from '../../../../db/trust/quotas.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ storedBytes });

const stored = sql.value(storedBytes.bytes)`WHERE payer = ${'payer'} AND payer_seq = ${'payerSeq'}`;
const add = sql.insert(storedBytes, {
  end: 'ON CONFLICT (payer, payer_seq) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes',
});

/** An account of stored bytes: see `PAYERS`. */
export interface Account {
  payer: 'operator' | 'agent' | 'free' | 'network';
  payerSeq: number;
}

/** Returns how many bytes an account has stored; 0 if nothing. */
export async function bytesStored(snapshot: Snapshot, account: Account): Promise<number> {
  return (await stored(snapshot, account)) ?? 0;
}

/** Adds bytes to accounts. */
export function addBytesStored(
  snapshot: Snapshot,
  additions: Iterable<Account & { bytes: number }>,
): Promise<void> {
  return runQuery(snapshot, (connection) => {
    for (const addition of additions) add.on(connection, addition);
  });
}
