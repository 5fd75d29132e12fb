import { and, eq, sql } from 'drizzle-orm';
import { gateStanding } from '../../../db/trust/gate.ts';
import { bound } from '../../platform/store/columns.ts';
import { statements } from '../../platform/store/transaction.ts';
import { WEIGHED } from './verdict.ts';

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
  ofOperator: orm
    .select()
    .from(gateStanding)
    .where(eq(gateStanding.operatorSeq, bound(gateStanding.operatorSeq, 'operatorSeq')))
    .prepare(),
  /** Counts one more finalization, and keeps it among the newest; `latest` is a list with it alone. */
  count: orm
    .insert(gateStanding)
    .values({
      operatorSeq: sql.placeholder('operatorSeq'),
      domain: sql.placeholder('domain'),
      blind: sql.placeholder('blind'),
      finalized: 1,
      newest: sql.placeholder('latest'),
    })
    .onConflictDoUpdate({
      target: [gateStanding.operatorSeq, gateStanding.domain, gateStanding.blind],
      set: {
        finalized: sql`${gateStanding.finalized} + 1`,
        newest: sql.raw(`json_insert(
          iif(json_array_length(newest) < ${WEIGHED}, newest, json_remove(newest, '$[0]')),
          '$[#]', json_extract(excluded.newest, '$[0]')
        )`),
      },
    })
    .prepare(),
}));
