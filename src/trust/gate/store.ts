import { and, desc, eq, sql } from 'drizzle-orm';
import { gateFinalization } from '../../../db/trust/gate.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;
const { operatorSeq, domain, blind, finalizedAt, receiptSeq, breach } = gateFinalization;
const OF_DOMAIN = [
  eq(operatorSeq, bound(operatorSeq, 'operatorSeq')),
  eq(domain, bound(domain, 'domain')),
  eq(blind, bound(blind, 'blind')),
];

/** The SQL of what the gate weighs. */
export const gateSql = syncStatements((orm) => ({
  /** The newest `rows` finalizations of an operator in a domain, blind ones or the others. */
  newest: () =>
    orm
      .select({ finalizedAt, breach })
      .from(gateFinalization)
      // A LIMIT of drizzle's is a parameter, for which SQLite prepares the statement anew each time.
      .where(sql`${and(...OF_DOMAIN)} ORDER BY ${desc(finalizedAt)}, ${desc(receiptSeq)} LIMIT +${$('rows')}`)
      .prepare(),
  count: () => orm.insert(gateFinalization).values(everyColumn(gateFinalization)).prepare(),
  discount: () =>
    orm
      .delete(gateFinalization)
      .where(
        and(
          ...OF_DOMAIN,
          eq(finalizedAt, bound(finalizedAt, 'finalizedAt')),
          eq(receiptSeq, bound(receiptSeq, 'receiptSeq')),
        ),
      )
      .prepare(),
}));
