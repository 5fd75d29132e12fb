import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt } from '../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { MovementRow } from './store.ts';

const sql = sqlOf({ agent, ledgerAccount, movement, operator, receipt });

/** The movement before one of the same agent. */
const PREVIOUS = sql.part`CASE WHEN debit_kind = 'agent' AND debit_owner = ${'agentSeq:debitOwner'}
  THEN debit_prev ELSE credit_prev END`;
/** After a restore, the cursor of a page can name a movement of another agent, whose list is private. */
const IS_OWN = sql.part`(debit_kind = 'agent' AND debit_owner = ${'agentSeq:debitOwner'}
  OR credit_kind = 'agent' AND credit_owner = ${'agentSeq:creditOwner'})`;
const FIRST = sql.part`CASE WHEN ${'before:movementSeq?'} IS NULL
  THEN (SELECT max(last_seq) FROM ledger_account WHERE kind = 'agent' AND owner_seq = ${'agentSeq:ownerSeq'})
  ELSE (SELECT ${PREVIOUS} FROM movement WHERE movement_seq = ${'before:movementSeq?'} AND ${IS_OWN}) END`;
/** The movements of an agent before one, or the newest: each names the one before it. */
const SEQS = sql.part`WITH RECURSIVE list (seq, number) AS (
    SELECT ${FIRST}, 1
    UNION ALL SELECT ${PREVIOUS}, number + 1 FROM list JOIN movement ON movement_seq = seq
    WHERE number < ${'limit'}
  ) SELECT seq FROM list WHERE seq IS NOT NULL`;

const page = sql.joined({
  movement,
  debtorCommitment: orNull(alias(agent, 'debtor_agent').subjectCommitment),
  debtorId: orNull(alias(operator, 'debtor_operator').operatorId),
  creditorCommitment: orNull(alias(agent, 'creditor_agent').subjectCommitment),
  creditorId: orNull(alias(operator, 'creditor_operator').operatorId),
  receiptId: orNull(receipt.receiptId),
}).rows`FROM movement
  LEFT JOIN agent debtor_agent
    ON debit_kind IN ('agent', 'locked') AND debtor_agent.agent_seq = debit_owner
  LEFT JOIN agent creditor_agent
    ON credit_kind IN ('agent', 'locked') AND creditor_agent.agent_seq = credit_owner
  LEFT JOIN operator debtor_operator
    ON debit_kind IN ('pool', 'stake') AND debtor_operator.operator_seq = debit_owner
  LEFT JOIN operator creditor_operator
    ON credit_kind IN ('pool', 'stake') AND creditor_operator.operator_seq = credit_owner
  LEFT JOIN receipt ON receipt.receipt_seq = movement.receipt_seq
  WHERE movement_seq IN (${SEQS}) ORDER BY movement_seq DESC`;

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
export async function movementsOfAgent(
  snapshot: Snapshot,
  agentSeq: number,
  before: number | null,
  limit: number,
): Promise<NamedMovement[]> {
  const rows = await page(snapshot, { agentSeq, before, limit });
  return rows.map(({ movement, receiptId, ...names }) => ({
    movement,
    receiptId,
    // An account of the service has no owner: its name is its kind.
    debtor: names.debtorCommitment ?? names.debtorId ?? movement.debitKind,
    creditor: names.creditorCommitment ?? names.creditorId ?? movement.creditKind,
  }));
}
