import { and, eq, sql } from 'drizzle-orm';
import { storedBytes } from '../../../db/trust/quotas.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

/** The SQL of what payers have stored. */
export const quotaSql = syncStatements((orm) => ({
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
