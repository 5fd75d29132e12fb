import { and, eq, sql } from 'drizzle-orm';
import { storedBytes } from '../../../../db/trust/quotas.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';

/** An account of stored bytes: an operator, an agent without a sponsor, or all payers on the plan FREE. */
export interface Account {
  payer: 'operator' | 'agent' | 'free';
  payerSeq: number;
}

const query = statements((orm) => ({
  stored: () =>
    orm
      .select({ bytes: storedBytes.bytes })
      .from(storedBytes)
      .where(
        and(
          eq(storedBytes.payer, bound(storedBytes.payer, 'payer')),
          eq(storedBytes.payerSeq, bound(storedBytes.payerSeq, 'payerSeq')),
        ),
      )
      .prepare(),
  add: () =>
    orm
      .insert(storedBytes)
      .values(everyColumn(storedBytes))
      .onConflictDoUpdate({
        target: [storedBytes.payer, storedBytes.payerSeq],
        set: { bytes: sql`${storedBytes.bytes} + excluded.bytes` },
      })
      .prepare(),
}));

/** Returns how many bytes an account has stored; 0 if nothing. */
export function bytesStored(snapshot: Snapshot, { payer, payerSeq }: Account): Promise<number> {
  return query(snapshot, (sql) => sql.stored.get({ payer, payerSeq })?.bytes ?? 0);
}

/** Adds bytes to accounts. */
export function addBytesStored(
  snapshot: Snapshot,
  additions: Iterable<Account & { bytes: number }>,
): Promise<void> {
  return query(snapshot, ({ add }) => {
    for (const { payer, payerSeq, bytes } of additions) add.run({ payer, payerSeq, bytes });
  });
}
