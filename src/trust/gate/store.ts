import { and, eq, sql } from 'drizzle-orm';
import { gateStanding } from '../../../db/trust/gate.ts';
import { bound } from '../../platform/store/columns.ts';
import { statements } from '../../platform/store/transaction.ts';

/** The SQL of what the gate weighs. */
export const gateSql = statements((orm) => ({
  standing: orm
    .select()
    .from(gateStanding)
    .where(
      and(
        eq(gateStanding.operatorSeq, bound(gateStanding.operatorSeq, 'operatorSeq')),
        eq(gateStanding.domain, bound(gateStanding.domain, 'domain')),
      ),
    )
    .prepare(),
  put: orm
    .insert(gateStanding)
    .values({
      operatorSeq: sql.placeholder('operatorSeq'),
      domain: sql.placeholder('domain'),
      blind: sql.placeholder('blind'),
      finalized: sql.placeholder('finalized'),
      newest: sql.placeholder('newest'),
    })
    .onConflictDoUpdate({
      target: [gateStanding.operatorSeq, gateStanding.domain, gateStanding.blind],
      set: { finalized: sql`excluded.finalized`, newest: sql`excluded.newest` },
    })
    .prepare(),
}));
