import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt } from '../../../db/trust/receipts.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';
import type { MovementRow } from './store.ts';

const $ = sql.placeholder;

const debtorAgent = alias(agent, 'debtor_agent');
const creditorAgent = alias(agent, 'creditor_agent');
const debtorOperator = alias(operator, 'debtor_operator');
const creditorOperator = alias(operator, 'creditor_operator');

/** The movement before one of the same agent. */
const PREVIOUS = sql`iif(${movement.debitKind} = 'agent' AND ${movement.debitOwner} = ${bound(movement.debitOwner, 'agentSeq')},
  ${movement.debitPrev}, ${movement.creditPrev})`;
/** After a restore, the cursor of a page can name a movement of another agent, whose list is private. */
const IS_OWN = sql`((${movement.debitKind} = 'agent' AND ${movement.debitOwner} = ${bound(movement.debitOwner, 'agentSeq')})
  OR (${movement.creditKind} = 'agent' AND ${movement.creditOwner} = ${bound(movement.creditOwner, 'agentSeq')}))`;
const FIRST = sql`CASE WHEN ${$('before')} IS NULL
  THEN (SELECT max(${ledgerAccount.lastSeq}) FROM ${ledgerAccount}
    WHERE ${ledgerAccount.kind} = 'agent' AND ${ledgerAccount.ownerSeq} = ${bound(ledgerAccount.ownerSeq, 'agentSeq')})
  ELSE (SELECT ${PREVIOUS} FROM ${movement} WHERE ${movement.movementSeq} = +${$('before')} AND ${IS_OWN}) END`;
/** The movements of an agent before one, or the newest: each names the one before it. */
const SEQS = sql`WITH RECURSIVE list(seq, number) AS (
    SELECT ${FIRST}, 1
    UNION ALL SELECT ${PREVIOUS}, number + 1 FROM list JOIN ${movement} ON ${movement.movementSeq} = seq WHERE number < ${$('limit')}
  ) SELECT seq FROM list WHERE seq IS NOT NULL`;

const query = statements((orm) => ({
  page: () =>
    orm
      .select({
        movement,
        debtorCommitment: debtorAgent.subjectCommitment,
        debtorId: debtorOperator.operatorId,
        creditorCommitment: creditorAgent.subjectCommitment,
        creditorId: creditorOperator.operatorId,
        receiptId: receipt.receiptId,
      })
      .from(movement)
      .leftJoin(
        debtorAgent,
        sql`${movement.debitKind} IN ('agent', 'locked') AND ${debtorAgent.agentSeq} = ${movement.debitOwner}`,
      )
      .leftJoin(
        creditorAgent,
        sql`${movement.creditKind} IN ('agent', 'locked') AND ${creditorAgent.agentSeq} = ${movement.creditOwner}`,
      )
      .leftJoin(
        debtorOperator,
        sql`${movement.debitKind} IN ('pool', 'stake') AND ${debtorOperator.operatorSeq} = ${movement.debitOwner}`,
      )
      .leftJoin(
        creditorOperator,
        sql`${movement.creditKind} IN ('pool', 'stake') AND ${creditorOperator.operatorSeq} = ${movement.creditOwner}`,
      )
      .leftJoin(receipt, eq(receipt.receiptSeq, movement.receiptSeq))
      .where(sql`${movement.movementSeq} IN (${SEQS})`)
      .orderBy(sql`${movement.movementSeq} DESC`)
      .prepare(),
}));

/** A movement with the names of both accounts. */
export interface NamedMovement {
  movement: MovementRow;
  debtor: string;
  creditor: string;
  receiptId: string | null;
}

/**
 * Returns the movements of an agent's available credits, newest first.
 * @param before returns those before this movement, and none for a movement of another agent; null for all
 */
export function movementsOfAgent(
  snapshot: Snapshot,
  agentSeq: number,
  before: number | null,
  limit: number,
): Promise<NamedMovement[]> {
  return query(snapshot, (sql) =>
    sql.page.all({ agentSeq, before, limit }).map(({ movement, receiptId, ...names }) => ({
      movement,
      receiptId,
      // An account of the service has no owner: its name is its kind.
      debtor: names.debtorCommitment ?? names.debtorId ?? movement.debitKind,
      creditor: names.creditorCommitment ?? names.creditorId ?? movement.creditKind,
    })),
  );
}
