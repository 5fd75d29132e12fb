import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { journalMark, ledgerAccount, movement, movementStep } from '../../../db/trust/ledger.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt } from '../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { type Asset, accountName, type JournalAccount, type MovementKind } from './accounts.ts';
import type { MovementRow } from './store.ts';

const sql = sqlOf({ agent, journalMark, ledgerAccount, movement, movementStep, operator, receipt });

const IS_DEBIT = sql.part`movement.debit_kind = ${'account:debitKind'} AND movement.debit_owner = ${'ownerSeq:debitOwner'}`;
const IS_CREDIT = sql.part`movement.credit_kind = ${'account:debitKind'} AND movement.credit_owner = ${'ownerSeq:debitOwner'}`;
const IS_PAYER = sql.part`${'account:debitKind'} = 'agent' AND movement.payer_hash IS NOT NULL
  AND movement.debit_owner = ${'ownerSeq:debitOwner'}`;
/** After a restore, the cursor of a page can name a movement of another account, whose list is private. */
const IS_OWN = sql.part`(${IS_DEBIT} OR ${IS_CREDIT} OR ${IS_PAYER})`;
/** Pools have no entries for what they moved before they had journals. */
const HAS_ENTRY = sql.part`(${'account:debitKind'} = 'agent' OR movement.pool_hash IS NOT NULL)`;
/** The movement before one of the same account. */
const PREVIOUS = sql.part`CASE WHEN ${IS_DEBIT} THEN movement.debit_prev
  WHEN ${IS_CREDIT} THEN movement.credit_prev ELSE movement.payer_prev END`;
const MATCHES = sql.part`movement.kind = coalesce(${'kind:movement.kind?'}, movement.kind)
  AND movement.asset = coalesce(${'asset:movement.asset?'}, movement.asset)
  AND movement.reference IS coalesce(${'reference:movement.reference?'}, movement.reference)
  AND movement.created_at < ${'to:movement.createdAt'} AND movement.created_at >= ${'from:movement.createdAt'}`;

const OF_ACCOUNT = sql.part`kind = ${'account:ledgerAccount.kind'} AND owner_seq = ${'ownerSeq:debitOwner'}`;
/** The first marked entry that is later than the period: no entry after it is in the period. */
const MARKED = sql.part`SELECT min(movement_seq) FROM journal_mark WHERE ${OF_ACCOUNT} AND movement_seq > coalesce(
  (SELECT movement_seq FROM journal_mark WHERE ${OF_ACCOUNT} AND created_at < ${'to:movement.createdAt'}
    ORDER BY movement_seq DESC LIMIT 1), 0)`;
const FIRST = sql.part`CASE WHEN ${'before:movementSeq?'} IS NULL
  THEN coalesce((${MARKED}), (SELECT max(last_seq) FROM ledger_account WHERE ${OF_ACCOUNT}))
  ELSE (SELECT ${PREVIOUS} FROM movement WHERE movement_seq = ${'before:movementSeq?'} AND ${IS_OWN}) END`;

const previous = alias(movement, 'before');

const named = {
  movement,
  debtorCommitment: orNull(alias(agent, 'debtor_agent').subjectCommitment),
  debtorId: orNull(alias(operator, 'debtor_operator').operatorId),
  creditorCommitment: orNull(alias(agent, 'creditor_agent').subjectCommitment),
  creditorId: orNull(alias(operator, 'creditor_operator').operatorId),
  receiptId: orNull(receipt.receiptId),
  previous: orNull({
    createdAt: previous.createdAt,
    debitKind: previous.debitKind,
    debitOwner: previous.debitOwner,
    creditKind: previous.creditKind,
    creditOwner: previous.creditOwner,
    debitHash: previous.debitHash,
    creditHash: previous.creditHash,
    poolHash: previous.poolHash,
    payerHash: previous.payerHash,
  }),
  isMatch: sql.flag`is_match`,
};
/** Of rows `found` with `seq`, `prev` and `is_match`. */
const NAMED = sql.part`JOIN movement ON movement.movement_seq = seq
  LEFT JOIN agent debtor_agent
    ON movement.debit_kind IN ('agent', 'locked') AND debtor_agent.agent_seq = movement.debit_owner
  LEFT JOIN agent creditor_agent
    ON movement.credit_kind IN ('agent', 'locked') AND creditor_agent.agent_seq = movement.credit_owner
  LEFT JOIN operator debtor_operator
    ON movement.debit_kind IN ('pool', 'stake', 'receivable')
      AND debtor_operator.operator_seq = movement.debit_owner
  LEFT JOIN operator creditor_operator
    ON movement.credit_kind IN ('pool', 'stake', 'receivable')
      AND creditor_operator.operator_seq = movement.credit_owner
  LEFT JOIN receipt ON receipt.receipt_seq = movement.receipt_seq
  LEFT JOIN movement AS before ON before.movement_seq = prev`;

const page = sql.joined(named).rows`FROM (
    WITH RECURSIVE list (seq, prev, is_match, matches, walked) AS (
      SELECT movement_seq, ${PREVIOUS}, ${MATCHES}, ${MATCHES}, 1 FROM movement
      WHERE movement_seq = ${FIRST} AND ${HAS_ENTRY}
      UNION ALL
      SELECT movement_seq, ${PREVIOUS}, ${MATCHES}, matches + (${MATCHES}), walked + 1
      FROM list JOIN movement ON movement_seq = prev
      WHERE matches < ${'limit'} AND walked < ${'most:number'}
        AND movement.created_at >= ${'from:movement.createdAt'} AND ${HAS_ENTRY}
    ) SELECT seq, prev, is_match FROM list WHERE is_match OR walked = (SELECT max(walked) FROM list)
  ) AS found ${NAMED}`;

/** Returns a movement in the journal of an account; null if it has no entry there. */
const entry = sql.joined(named).row`FROM (
    SELECT movement_seq AS seq, ${PREVIOUS} AS prev, 1 AS is_match FROM movement
    WHERE movement_seq = ${'movementSeq'} AND ${IS_OWN} AND ${HAS_ENTRY}
  ) AS found ${NAMED}`;

/** The condition of the index `movement_by_transaction`, which most movements are not in. */
const INDEXED = sql.part`(debit_kind = 'locked' OR credit_kind = 'locked' OR credit_kind = 'slashed'
  OR kind = 'SETTLEMENT' OR credit_kind = 'issuance' OR credit_kind = 'receivable' OR debit_kind = 'issuance')`;
const indexedSeq = sql.value(
  movement.movementSeq,
)`WHERE transaction_id = ${'transactionId'} AND ${INDEXED} LIMIT 1`;
const idAt = sql.value(movement.transactionId)`WHERE movement_seq = ${'movementSeq'}`;
/** The parts of the table whose ids ascend, of those that can have an id; without `last` up to the newest. */
const ascending = sql.joined(
  { first: sql.number`first`, last: orNull(sql.number`last`) },
  { scans: 'there is a step for each time that the clock was set back' },
).rows`FROM (
    SELECT first, low, lead(first) OVER parts - 1 AS last, lead(before_id) OVER parts AS high
    FROM (SELECT 1 AS first, x'' AS low, NULL AS before_id
      UNION ALL SELECT movement_seq, transaction_id, before_id FROM movement_step)
    WINDOW parts AS (ORDER BY first)
  ) AS part WHERE low <= ${'transactionId:movementStep.transactionId'} AND coalesce(high >= ${'transactionId:movementStep.transactionId'}, TRUE) ORDER BY first DESC`;
const newestSeq = sql.value(sql.number`max(movement_seq)`)`FROM movement`;
const withIdNear = sql.rows(movement)`WHERE movement_seq BETWEEN ${'from:movementSeq'} AND ${'to:movementSeq'}
  AND transaction_id = ${'transactionId'} ORDER BY movement_seq`;

/** A transaction has at most one movement for each asset. */
const MOST_MOVEMENTS = 7;

/**
 * Returns the movements of a transaction, in their order. An index of all ids would make each transfer a
 * tenth slower. The ids are UUIDv7, so they ascend until the clock is set back: they are looked for in each
 * part of the table where they ascend.
 * @param transactionId `txn_…`
 */
export async function movementsOfTransaction(
  snapshot: Snapshot,
  transactionId: string,
): Promise<MovementRow[]> {
  const seq = (await indexedSeq(snapshot, transactionId)) ?? (await seqByOrder(snapshot, transactionId));
  if (seq === null) return [];
  return withIdNear(snapshot, { from: seq - MOST_MOVEMENTS, to: seq + MOST_MOVEMENTS, transactionId });
}

async function seqByOrder(snapshot: Snapshot, transactionId: string): Promise<number | null> {
  const newest = (await newestSeq(snapshot)) ?? 0;
  for (const { first, last } of await ascending(snapshot, transactionId)) {
    const seq = await seqBetween(snapshot, transactionId, first, last ?? newest);
    if (seq !== null) return seq;
  }
  return null;
}

/** Looks for an id by bisection: up to 24 look-ups among 10 million movements whose ids ascend. */
async function seqBetween(
  snapshot: Snapshot,
  transactionId: string,
  first: number,
  last: number,
): Promise<number | null> {
  let [low, high] = [first, last];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const id = await idAt(snapshot, middle);
    if (id === null) return null;
    if (id === transactionId) return middle;
    if (id < transactionId) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

/** What all entries of a page have; null for any. Times are in milliseconds since 1970, `to` exclusive. */
export interface EntryFilter {
  kind: MovementKind | null;
  asset: Asset | null;
  reference: string | null;
  from: number;
  to: number;
}

/** A movement with the names of both accounts, and the one before it of the same account. */
export interface NamedMovement {
  movement: MovementRow;
  debtor: string;
  creditor: string;
  receiptId: string | null;
  previous: HashedMovement | null;
}

/** The hashes of the entries of a movement. */
export type HashedMovement = NonNullable<Awaited<ReturnType<typeof page>>[number]['previous']>;

/** Movements of an account. */
export interface MovementPage {
  /** Those of the filter, newest first. */
  movements: NamedMovement[];
  /** The movement before which the next page begins; null if it would be empty. */
  next: number | null;
}

/**
 * Returns the movements in the journal of an account, newest first: up to `limit` of up to `most` that it
 * looks at, so that a page costs the same whatever the filter.
 * @param before returns those before this movement, and none for a movement of another account; null for all
 */
export async function movementsOf(
  snapshot: Snapshot,
  { kind: account, ownerSeq }: Pick<JournalAccount, 'kind' | 'ownerSeq'>,
  filter: EntryFilter,
  { before, limit, most }: { before: number | null; limit: number; most: number },
): Promise<MovementPage> {
  const found = await page(snapshot, { account, ownerSeq, ...filter, before, limit, most });
  const rows = found.sort((one, other) => other.movement.movementSeq - one.movement.movementSeq);
  const last = rows.at(-1);
  const rest = last?.previous ?? null;
  const hasNext =
    rest !== null && rest.createdAt >= filter.from && (account === 'agent' || rest.poolHash !== null);
  return {
    movements: rows.filter(({ isMatch }) => isMatch).map((row) => namedMovement(row)),
    next: last !== undefined && hasNext ? last.movement.movementSeq : null,
  };
}

/** Returns a movement as it is in the journal of an account; null if it has no entry there. */
export async function movementIn(
  snapshot: Snapshot,
  { kind: account, ownerSeq }: Pick<JournalAccount, 'kind' | 'ownerSeq'>,
  movementSeq: number,
): Promise<NamedMovement | null> {
  const row = await entry(snapshot, { account, ownerSeq, movementSeq });
  return row === null ? null : namedMovement(row);
}

function namedMovement({
  movement,
  receiptId,
  previous,
  ...names
}: Omit<Awaited<ReturnType<typeof page>>[number], 'isMatch'>): NamedMovement {
  return {
    movement,
    receiptId,
    previous,
    debtor: accountName(movement.debitKind, names.debtorCommitment ?? names.debtorId),
    creditor: accountName(movement.creditKind, names.creditorCommitment ?? names.creditorId),
  };
}
