import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../../db/trust/agents.ts';
import { arbiterConsent, arbiterRefusal, escrow } from '../../../../../db/trust/escrow.ts';
import { numberingCheck, type Text, wrongRows, wrongValues } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { returnReceiptChecks } from './return-receipts-store.ts';

const sql = sqlOf({ arbiterConsent, arbiterRefusal, escrow });

/**
 * The movements of a ledger transaction as one row, by class.
 * @param side the account that is an agent's locked credits
 */
const transactions = (name: 'locking' | 'ending', side: 'debit' | 'credit'): Text => sql.part`
  ${sql.verbatim(name)} AS MATERIALIZED (
    SELECT transaction_id, min(movement_seq) AS first_seq, min(kind) AS kind, min(reference) AS reference,
      min(created_at) AS at, min(debit_owner) AS debtor, min(credit_owner) AS creditor,
      min(receipt_seq) AS receipt_seq,
      sum(CASE WHEN asset = 'promotional' THEN amount ELSE 0 END) AS promotional,
      sum(CASE WHEN asset = 'paid' THEN amount ELSE 0 END) AS paid,
      sum(CASE WHEN asset = 'sandbox' THEN amount ELSE 0 END) AS sandbox
    FROM movement WHERE ${sql.verbatim(side)}_kind = 'locked' GROUP BY transaction_id
  )`;

const LOCKS_AND_ENDS = sql.part`${transactions('locking', 'credit')}, ${transactions('ending', 'debit')}`;

/** The time that may lie between two readings of the clock in one transaction, in milliseconds. */
const SAME_TIME_MS = sql.verbatim('60000');

/** What every escrow must share with the movements, the evidence and the receipt of its state. */
const ESCROW = sql.part`escrow e
  LEFT JOIN locking l ON l.transaction_id = e.lock_transaction_id
  LEFT JOIN ending n ON n.transaction_id = e.end_transaction_id
  LEFT JOIN ending t ON t.transaction_id = e.return_transaction_id
  LEFT JOIN agent w ON w.agent_seq = e.worker_seq
  LEFT JOIN evidence d ON d.agent_seq = e.worker_seq AND d.event_hash = e.evidence_event_hash
  LEFT JOIN evidence f ON f.agent_seq = e.worker_seq AND f.event_hash = e.last_failure_event_hash
  LEFT JOIN receipt r ON r.receipt_seq = e.receipt_seq
  LEFT JOIN receipt_version v ON v.receipt_seq = e.receipt_seq AND v.version = 2
  LEFT JOIN service_receipt s ON s.receipt_seq = e.receipt_seq`;

const ended = (value: Text): Text =>
  sql.part`CASE WHEN e.status NOT IN ('HELD', 'DELIVERED', 'DISPUTED') THEN ${value} END`;
/** Whether the worker was paid, at least in part. */
const PAID = sql.part`(e.status = 'PAID' OR e.status = 'RESOLVED' AND e.worker_amount > 0)`;
/** Whether a decision divided the credits. */
const DIVIDED = sql.part`(e.status = 'RESOLVED' AND e.worker_amount > 0 AND e.worker_amount < e.amount)`;
/** Returns the time of a movement if a stored one is near it, and else the stored one. */
const timeNear = (stored: Text, moved: Text): Text =>
  sql.part`CASE WHEN abs(${stored} - ${moved}) <= ${SAME_TIME_MS} THEN ${moved} ELSE ${stored} END`;
const portions = (of: Text): Text =>
  sql.part`${of}.promotional || ', ' || ${of}.paid || ', ' || ${of}.sandbox`;
/** What a decision gives the worker: promotional credits first, then paid; sandbox are never mixed. */
const PROMOTIONAL_PART = sql.part`min(e.promotional, e.worker_amount)`;
const PAID_PART = sql.part`CASE WHEN e.sandbox > 0 THEN 0 ELSE e.worker_amount - ${PROMOTIONAL_PART} END`;
const SANDBOX_PART = sql.part`CASE WHEN e.sandbox > 0 THEN e.worker_amount ELSE 0 END`;

/** Up to 100 rows of escrow that differ from their movements, their evidence or their receipt. */
const otherEscrow = wrongValues('escrow', ['escrow_seq'], { with: LOCKS_AND_ENDS, from: ESCROW }, [
  {
    what: 'the movement that locked its credits is not a LOCK of its hirer for its task',
    expected: sql.part`'LOCK, ' || e.hirer_seq || ', ' || e.task_id`,
    found: sql.part`l.kind || ', ' || l.creditor || ', ' || l.reference`,
  },
  {
    what: 'the locked amounts (promotional, paid, sandbox) are not its own',
    expected: portions(sql.part`e`),
    found: portions(sql.part`l`),
  },
  {
    what: 'status is none of its states',
    expected: sql.part`CASE WHEN e.status IN ('HELD', 'DELIVERED', 'DISPUTED', 'PAID', 'CANCELLED', 'EXPIRED',
      'DECLINED', 'RESOLVED') THEN e.status ELSE 'a status' END`,
    found: sql.part`e.status`,
  },
  {
    what: 'purpose and task_id are not both those of an A2A task',
    expected: sql.part`CASE WHEN substr(e.task_id, 1, 4) = 'a2a_' THEN 'a2a'
      WHEN e.purpose = 'a2a' THEN 'another purpose' ELSE e.purpose END`,
    found: sql.part`e.purpose`,
  },
  {
    what: 'there is no agent with its worker_seq',
    expected: sql.part`e.worker_seq`,
    found: sql.part`w.agent_seq`,
  },
  {
    what: 'amount is not the sum of its classes',
    expected: sql.part`e.promotional + e.paid + e.sandbox`,
    found: sql.part`e.amount`,
  },
  {
    what: 'created_at is not the time of its LOCK',
    expected: sql.part`l.at`,
    found: timeNear(sql.part`e.created_at`, sql.part`l.at`),
  },
  {
    what: 'the movement that ended it is not that of its status, to the right agent, for its task',
    expected: ended(sql.part`CASE WHEN ${PAID}
        THEN 'ESCROW_RELEASE, ' || e.worker_seq ELSE 'UNLOCK, ' || e.hirer_seq END
      || ', ' || e.hirer_seq || ', ' || e.task_id`),
    found: sql.part`n.kind || ', ' || n.creditor || ', ' || n.debtor || ', ' || n.reference`,
  },
  {
    what: 'the amounts (promotional, paid, sandbox) of the movement that ended it are not its own',
    expected: ended(sql.part`CASE WHEN ${DIVIDED}
      THEN ${PROMOTIONAL_PART} || ', ' || ${PAID_PART} || ', ' || ${SANDBOX_PART} ELSE ${portions(sql.part`e`)} END`),
    found: portions(sql.part`n`),
  },
  {
    what: 'the movement that returned the rest is not an UNLOCK of its hirer for its task',
    expected: sql.part`CASE WHEN ${DIVIDED}
      THEN 'UNLOCK, ' || e.hirer_seq || ', ' || e.hirer_seq || ', ' || e.task_id END`,
    found: sql.part`t.kind || ', ' || t.creditor || ', ' || t.debtor || ', ' || t.reference`,
  },
  {
    what: 'the amounts (promotional, paid, sandbox) of the movement that returned the rest are not the rest',
    expected: sql.part`CASE WHEN ${DIVIDED} THEN (e.promotional - ${PROMOTIONAL_PART}) || ', '
      || (e.paid - ${PAID_PART}) || ', ' || (e.sandbox - ${SANDBOX_PART}) END`,
    found: portions(sql.part`t`),
  },
  {
    what: 'updated_at is not the time at which it ended',
    expected: ended(sql.part`n.at`),
    found: ended(timeNear(sql.part`e.updated_at`, sql.part`n.at`)),
  },
  {
    what: 'paid_at is not the time of its payment',
    expected: sql.part`CASE WHEN ${PAID} THEN n.at END`,
    found: timeNear(sql.part`e.paid_at`, sql.part`n.at`),
  },
  {
    what: 'receipt_seq is not the receipt of the movement that ended it',
    expected: sql.part`n.receipt_seq`,
    found: sql.part`e.receipt_seq`,
  },
  {
    what: 'there is no successful evidence of the worker with evidence_event_hash',
    expected: sql.part`CASE WHEN e.evidence_event_hash IS NOT NULL THEN 'task_deliverable, success' END`,
    found: sql.part`d.source_type || ', ' || d.outcome`,
  },
  {
    what: 'evidence_event_hash is evidence from before the hire',
    expected: sql.part`CASE WHEN d.evidence_seq IS NOT NULL THEN max(d.evidence_seq, e.evidence_before + 1) END`,
    found: sql.part`CASE WHEN e.evidence_before IS NOT NULL THEN d.evidence_seq END`,
  },
  {
    what: 'last_failure_event_hash is evidence from before the hire',
    expected: sql.part`CASE WHEN f.evidence_seq IS NOT NULL THEN max(f.evidence_seq, e.evidence_before + 1) END`,
    found: sql.part`CASE WHEN e.evidence_before IS NOT NULL THEN f.evidence_seq END`,
  },
  {
    what: 'delivery and attested_by do not fit each other',
    expected: sql.part`CASE WHEN e.deliverable_digest IS NULL THEN NULL WHEN e.delivery = 'worker' THEN 'worker'
      WHEN e.attested_by = 'worker' THEN 'worker' ELSE 'service' END`,
    found: sql.part`e.attested_by`,
  },
  {
    what: 'delivery is none of its values',
    expected: sql.part`CASE WHEN e.delivery = 'worker' THEN 'worker' ELSE 'any' END`,
    found: sql.part`e.delivery`,
  },
  {
    what: 'there is no failed evidence of the worker with last_failure_event_hash',
    expected: sql.part`CASE WHEN e.last_failure_event_hash IS NOT NULL THEN 'task_deliverable, failure' END`,
    found: sql.part`f.source_type || ', ' || f.outcome`,
  },
  {
    what: 'its receipt is not one of the service about its worker, its task and its digests',
    expected: sql.part`CASE WHEN ${PAID} THEN lower(hex(w.subject_commitment)) || ', engagement:'
      || e.task_id || ', ' || lower(hex(e.input_digest)) || ', ' || lower(hex(e.deliverable_digest)) END`,
    found: sql.part`CASE WHEN s.receipt_seq IS NOT NULL THEN r.agent_id || ', ' || r.authority_scope || ', '
      || lower(hex(r.input_digest)) || ', ' || lower(hex(v.output_hash)) END`,
  },
]);

/** Escrow is never deleted. */
const missingEscrow = numberingCheck(
  'escrow',
  'escrow_seq',
  'rows before it are missing: the number of rows is not its number',
);

/** What is still locked for a withdrawal: a dispute may hold a part of its credits. */
const REST = sql.part`amount - (SELECT coalesce(sum(c.amount), 0) FROM payout_cut c
  WHERE c.payout_seq = payout.payout_seq)`;

/** Movements of locked credits that are the LOCK or the end of no escrow and no withdrawal, or of two. */
const withoutOwner = wrongRows(
  'movement',
  'it moves locked credits, and the number of escrows and withdrawals that it belongs to is not 1',
  sql.reported()`WITH ${LOCKS_AND_ENDS}
    SELECT l.first_seq AS movement_seq, 1 AS expected, count(e.escrow_seq) + count(p.payout_seq) AS found
      FROM locking l LEFT JOIN escrow e ON e.lock_transaction_id = l.transaction_id
      LEFT JOIN payout p ON p.lock_transaction_id = l.transaction_id
      GROUP BY l.transaction_id HAVING count(e.escrow_seq) + count(p.payout_seq) <> 1
    UNION ALL
    SELECT n.first_seq, 1, count(e.escrow_seq) + count(p.payout_seq) + count(c.cut_seq)
      FROM ending n LEFT JOIN (
        SELECT escrow_seq, end_transaction_id AS transaction_id FROM escrow
        UNION ALL
        SELECT escrow_seq, return_transaction_id FROM escrow WHERE return_transaction_id IS NOT NULL
      ) AS e ON e.transaction_id = n.transaction_id
      LEFT JOIN payout p ON p.end_transaction_id = n.transaction_id
      LEFT JOIN payout_cut c ON c.transaction_id = n.transaction_id
      GROUP BY n.transaction_id HAVING count(e.escrow_seq) + count(p.payout_seq) + count(c.cut_seq) <> 1
    LIMIT 100`,
);

/** Locked credits of agents that are not those of their open escrow and their open withdrawals. */
const otherLocked = wrongRows(
  'ledger_account',
  'balance is not that of the open escrow and withdrawals',
  sql.reported()`WITH class (asset) AS (VALUES ('promotional'), ('paid'), ('sandbox')),
    open AS (
      SELECT owner_seq, asset, sum(balance) AS balance FROM (
        SELECT hirer_seq AS owner_seq, asset,
          CASE asset WHEN 'promotional' THEN promotional WHEN 'paid' THEN paid ELSE sandbox END AS balance
        FROM escrow, class WHERE status IN ('HELD', 'DELIVERED', 'DISPUTED')
        UNION ALL
        SELECT agent_seq, 'paid', ${REST} FROM payout WHERE status IN ('queued', 'submitted')
      ) AS portion GROUP BY owner_seq, asset
    )
    SELECT 'locked' AS kind, owner_seq, asset, coalesce(o.balance, 0) AS expected,
      coalesce(a.balance, 0) AS found
    FROM (SELECT * FROM ledger_account WHERE kind = 'locked') AS a
      FULL JOIN open o USING (owner_seq, asset)
    WHERE coalesce(o.balance, 0) <> coalesce(a.balance, 0) LIMIT 100`,
);

/** Up to 100 locks whose lots are not the paid credits of one open escrow or withdrawal. */
const otherLots = wrongRows(
  'credit_lot',
  'the lots of the lock do not add up to the paid credits of its escrow or withdrawal',
  sql.reported()`WITH open (owner_seq, lock, paid) AS (
      SELECT hirer_seq, lock_transaction_id, paid FROM escrow
      WHERE status IN ('HELD', 'DELIVERED', 'DISPUTED') AND paid > 0
      UNION ALL
      SELECT agent_seq, lock_transaction_id, ${REST} FROM payout WHERE status IN ('queued', 'submitted')
    )
    SELECT owner_seq, hex(lock) AS lock, coalesce(o.paid, 0) AS expected, coalesce(l.amount, 0) AS found
    FROM open AS o FULL JOIN (
      SELECT owner_seq, lock, sum(amount) AS amount FROM credit_lot
      WHERE kind = 'locked' AND asset = 'paid' GROUP BY owner_seq, lock
    ) AS l USING (owner_seq, lock)
    WHERE coalesce(o.paid, 0) <> coalesce(l.amount, 0) LIMIT 100`,
);

/** Steps for an agent, or for its sponsor if they have not reached it. `a` is the agent. */
const QUEUED = sql.part`(r.agent_seq = a.agent_seq OR (r.operator_seq = a.sponsor_seq AND r.position < a.agent_seq))`;

/** HELD escrow of a revoked party that is not in the queue of steps, so nothing refunds it. */
const withoutRefund = wrongRows(
  'escrow',
  'a party was revoked, and its refund is not queued',
  sql.reported()`SELECT e.escrow_seq, 1 AS expected, NULL AS found
    FROM escrow e JOIN agent a ON a.agent_seq IN (e.hirer_seq, e.worker_seq)
    WHERE e.status = 'HELD' AND a.state = 'REVOKED'
      AND NOT EXISTS (SELECT 1 FROM escrow_step r WHERE r.step = 'revoked' AND r.agent_seq = a.agent_seq)
    GROUP BY e.escrow_seq LIMIT 100`,
);

/** Hires that stand still or go on without a step in the queue: nothing would refund them, or end them. */
const withoutStep = wrongRows(
  'escrow',
  'its hirer stands still or continues, and the step is not queued',
  sql.reported()`SELECT e.escrow_seq, 1 AS expected, NULL AS found
    FROM escrow e JOIN agent a ON a.agent_seq = e.hirer_seq
    LEFT JOIN operator o ON o.operator_seq = a.sponsor_seq
    WHERE CASE WHEN a.frozen_since IS NOT NULL OR o.inactive_since IS NOT NULL
      THEN e.status = 'HELD'
        AND NOT EXISTS (SELECT 1 FROM escrow_step r WHERE r.step = 'still' AND ${QUEUED})
      ELSE e.due_at IS NULL
        AND (e.status = 'HELD' AND e.deadline IS NOT NULL OR e.status = 'DELIVERED' AND e.accept_by IS NOT NULL
          OR e.status = 'DISPUTED' AND e.dispute_until IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM escrow_step r WHERE r.step = 'resumed' AND ${QUEUED})
      END
    LIMIT 100`,
);

/** Accounts whose hires would not stand still although they are not active, or the other way round. */
const withoutTime = wrongRows(
  'operator',
  'inactive_since does not fit account_status',
  sql.reported()`SELECT operator_seq, account_status AS expected, inactive_since AS found FROM operator
    WHERE (account_status = 'ACTIVE') <> (inactive_since IS NULL) LIMIT 100`,
);

/**
 * Credits of revoked agents without open tasks that are not in the queue of returns, so nothing returns them.
 */
const withoutReturn = wrongRows(
  'ledger_account',
  'a revoked agent without open escrow and withdrawals has credits, and their return is not queued',
  sql.reported()`SELECT l.kind, l.owner_seq, l.asset, 0 AS expected, l.balance AS found
    FROM ledger_account l JOIN agent a ON a.agent_seq = l.owner_seq
    WHERE l.kind = 'agent' AND l.balance > 0 AND a.state = 'REVOKED' AND a.frozen_since IS NULL
      AND NOT EXISTS (SELECT 1 FROM credit_return r WHERE r.agent_seq = a.agent_seq)
      AND NOT EXISTS (
        SELECT 1 FROM ledger_account o WHERE o.kind = 'locked' AND o.owner_seq = a.agent_seq AND o.balance > 0
      )
      AND NOT EXISTS (
        SELECT 1 FROM escrow e WHERE e.worker_seq = a.agent_seq AND e.status IN ('HELD', 'DELIVERED', 'DISPUTED')
      )
    LIMIT 100`,
);

/** Receipts of the service for tasks that no task has. The tasks are compared with their receipts above. */
const unfounded = wrongRows(
  'service_receipt',
  'it is the receipt of no escrow that ended',
  sql.reported()`SELECT s.receipt_seq, 1 AS expected, NULL AS found
    FROM service_receipt s JOIN receipt r ON r.receipt_seq = s.receipt_seq
    WHERE substr(r.authority_scope, 1, 11) = 'engagement:'
      AND NOT EXISTS (SELECT 1 FROM escrow e WHERE e.receipt_seq = s.receipt_seq)
      AND NOT EXISTS (SELECT 1 FROM return_receipt x WHERE x.receipt_seq = s.receipt_seq)
    LIMIT 100`,
);

/** Refusals of arbiters by which an arbiter decided after all, or of disputes that have none. */
const otherRefusals = wrongRows(
  'arbiter_refusal',
  'it is not of a dispute with an arbiter, or the arbiter decided it',
  sql.reported()`SELECT f.escrow_seq, 'a refused arbiter' AS expected, e.ended_by AS found
    FROM arbiter_refusal f LEFT JOIN escrow e USING (escrow_seq)
    WHERE e.disputed_at IS NULL OR e.arbiter_seq IS NULL OR e.ended_by = 'arbiter' LIMIT 100`,
);

/** The checks of escrow against the ledger, the evidence, the receipts and the queues. */
export const escrowChecks = [
  otherEscrow,
  missingEscrow,
  withoutOwner,
  otherLocked,
  otherLots,
  withoutRefund,
  withoutStep,
  withoutTime,
  withoutReturn,
  ...returnReceiptChecks,
  unfounded,
  otherRefusals,
];

const delivered = sql.joined({
  escrow,
  hirer: alias(agent, 'hirer').subjectCommitment,
  worker: alias(agent, 'worker').subjectCommitment,
  arbiter: orNull(alias(agent, 'arbiter').subjectCommitment),
  arbiterKey: orNull(alias(agent, 'arbiter').publicKey),
  consent: orNull(arbiterConsent.signature),
});

/** Reads the escrow of a range that names evidence. */
export const deliveredRows = delivered.rows`FROM escrow
  JOIN agent AS hirer ON hirer.agent_seq = hirer_seq JOIN agent AS worker ON worker.agent_seq = worker_seq
  LEFT JOIN agent AS arbiter ON arbiter.agent_seq = arbiter_seq
  LEFT JOIN arbiter_consent USING (escrow_seq)
  WHERE escrow_seq > ${'after:escrowSeq'} AND escrow_seq <= ${'reach:escrowSeq'}
    AND (evidence_event_hash IS NOT NULL OR last_failure_event_hash IS NOT NULL)
  ORDER BY escrow_seq`;

/** A delivered escrow, for the comparison with its evidence. */
export type DeliveredRow = Awaited<ReturnType<typeof deliveredRows>>[number];

const terms = sql.joined({
  escrowSeq: escrow.escrowSeq,
  taskId: escrow.taskId,
  hirer: alias(agent, 'hirer').subjectCommitment,
  worker: alias(agent, 'worker').subjectCommitment,
  amount: escrow.amount,
  description: escrow.description,
  deadline: escrow.deadline,
  inputDigest: escrow.inputDigest,
});

/**
 * Reads the engagements of a range whose input_digest is that of their terms. Engagements and A2A tasks have
 * the digest of their terms. Only an ACP task may have another one.
 */
export const termsRows = terms.rows`FROM escrow
  JOIN agent AS hirer ON hirer.agent_seq = hirer_seq JOIN agent AS worker ON worker.agent_seq = worker_seq
  WHERE escrow_seq > ${'after:escrowSeq'} AND escrow_seq <= ${'reach:escrowSeq'} AND purpose <> 'acp'
  ORDER BY escrow_seq`;

/** The terms of an engagement, and their stored digest. */
export type TermsRow = Awaited<ReturnType<typeof termsRows>>[number];

const newest = sql.value(escrow.escrowSeq)`ORDER BY escrow_seq DESC LIMIT 1`;

/** Returns the number of the newest escrow; 0 if there is none. */
export async function newestEscrow(snapshot: Snapshot): Promise<number> {
  return (await newest(snapshot)) ?? 0;
}
