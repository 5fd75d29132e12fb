import { agent } from '../../../../db/trust/agents.ts';
import { agentCredit, journalOpening, ledgerAccount, movement } from '../../../../db/trust/ledger.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { MovementRow as KnownMovement, OpeningRow } from '../store.ts';

const sql = sqlOf({ agent, agentCredit, journalOpening, ledgerAccount, movement, operator, receipt });

/** A movement as it is stored, even with a kind or an asset that the program does not know. */
export interface MovementRow extends Omit<KnownMovement, 'kind' | 'asset' | 'debitKind' | 'creditKind'> {
  kind: string;
  asset: string;
  debitKind: string;
  creditKind: string;
}

/** Reads the movements with numbers above `after` up to `reach`, in order. */
export const movementRows = sql.rows(movement)`
  WHERE movement_seq > ${'after:movementSeq'} AND movement_seq <= ${'reach:movementSeq'}
  ORDER BY movement_seq`;

const IS_DEBIT = sql.part`debit_kind = ${'kind:text'} AND debit_owner = ${'owner:debitOwner'}`;
const IS_CREDIT = sql.part`credit_kind = ${'kind:text'} AND credit_owner = ${'owner:creditOwner'}`;
const IS_PAYER = sql.part`${'kind:text'} = 'agent' AND payer_hash IS NOT NULL AND debit_owner = ${'owner:debitOwner'}`;
const IS_OWN = sql.part`(${IS_DEBIT} OR ${IS_CREDIT} OR ${IS_PAYER})`;
const STATE = sql.part`movement_seq, asset,
  CASE WHEN ${IS_DEBIT} THEN debit_after WHEN ${IS_CREDIT} THEN credit_after ELSE payer_after END,
  CASE WHEN ${'kind:text'} = 'pool' THEN pool_hash WHEN ${IS_DEBIT} THEN debit_hash
    WHEN ${IS_CREDIT} THEN credit_hash ELSE payer_hash END, pool_entry,
  CASE WHEN ${IS_DEBIT} THEN debit_prev WHEN ${IS_CREDIT} THEN credit_prev ELSE payer_prev END`;

/**
 * Returns the states of an account after one of its movements and those before it, newest first; none if it
 * is not one of them. A state has the balance in the movement's asset, the hash of the entry in the journal
 * of an agent or a pool, its number in that of a pool, and the movement before it; null for the first. Each
 * movement names the one before it. A list ends where it leaves the account, or does not go back.
 */
export const accountStates = sql.joined({
  asset: sql.text`held`,
  balance: sql.number`balance`,
  hash: orNull(sql.like(movement.debitHash)`hash`),
  entry: orNull(sql.number`entry`),
  prev: orNull(sql.number`prev`),
}).rows`FROM (
  WITH RECURSIVE list (seq, held, balance, hash, entry, prev, number) AS (
    SELECT ${STATE}, 1 FROM movement WHERE movement_seq = ${'newest:movementSeq'} AND ${IS_OWN}
    UNION ALL
    SELECT ${STATE}, number + 1 FROM list JOIN movement ON movement_seq = prev AND movement_seq < seq
    WHERE number < ${'limit'} AND ${IS_OWN}
  ) SELECT held, balance, hash, entry, prev FROM list
) AS state`;

/** The tables with the names of owners and receipts. */
export type NamedTable = keyof typeof names;

const names = {
  agent: sql.value(agent.subjectCommitment)`WHERE agent_seq = ${'agentSeq'}`,
  operator: sql.value(operator.operatorId)`WHERE operator_seq = ${'operatorSeq'}`,
  receipt: sql.value(receipt.receiptId)`WHERE receipt_seq = ${'receiptSeq'}`,
};

/** Returns the commitment of an agent, or the id of an operator or receipt; null for an unknown number. */
export function nameOf(snapshot: Snapshot, table: NamedTable, seq: number): Promise<string | null> {
  return names[table](snapshot, seq);
}

/** The number of rows of a page of accounts or journals, so that an audit never holds all of them. */
const PAGE = sql.verbatim('LIMIT 4096');

type StoredAccount = typeof ledgerAccount.$inferSelect;

/**
 * The stored balance and figures of an account, even of a kind that the program does not know, and what it
 * had when its journal became complete; null if it always was.
 */
export interface AccountRow extends Omit<StoredAccount, 'kind' | 'asset'> {
  kind: string;
  asset: string;
  opening: OpeningRow | null;
}

const accountsAfter = sql.joined({ account: ledgerAccount, opening: orNull(journalOpening) }).rows`
  FROM ledger_account LEFT JOIN journal_opening USING (kind, owner_seq, asset)
  WHERE (ledger_account.kind, ledger_account.owner_seq, ledger_account.asset)
    > (${'kind:text'}, ${'ownerSeq:ledgerAccount.ownerSeq'}, ${'asset:text'})
  ORDER BY ledger_account.kind, ledger_account.owner_seq, ledger_account.asset ${PAGE}`;

/** Yields pages of all accounts, in the order of their keys. */
export async function* accountPages(snapshot: Snapshot): AsyncGenerator<AccountRow[]> {
  let last: Pick<AccountRow, 'kind' | 'ownerSeq' | 'asset'> | undefined = {
    kind: '',
    ownerSeq: 0,
    asset: '',
  };
  while (last !== undefined) {
    const { kind, ownerSeq, asset } = last;
    const rows = await accountsAfter(snapshot, { kind, ownerSeq, asset });
    const page = rows.map(({ account, opening }) => ({ ...account, opening }));
    if (page.length > 0) yield page;
    last = page.at(-1);
  }
}

/** The stored end of an agent's journal, with the newest movement of the agent's available credits. */
export type JournalRow = Awaited<ReturnType<typeof journalsAfter>>[number];

const journalsAfter = sql.joined({
  end: agentCredit,
  subjectCommitment: orNull(agent.subjectCommitment),
  newest: orNull(
    sql.number`(SELECT max(last_seq) FROM ledger_account
      WHERE kind = 'agent' AND owner_seq = agent_credit.agent_seq)`,
  ),
}).rows`FROM agent_credit LEFT JOIN agent USING (agent_seq)
  WHERE agent_credit.agent_seq > ${'agentSeq'} ORDER BY agent_credit.agent_seq ${PAGE}`;

/** Yields pages of the ends of all agents' journals. */
export async function* journalPages(snapshot: Snapshot): AsyncGenerator<JournalRow[]> {
  let page = await journalsAfter(snapshot, 0);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await journalsAfter(snapshot, last.end.agentSeq);
  }
}

const figure = (name: string) => `${name} is not the sum of the movements`;

/**
 * The accounts, as the triggers of `movement` book them. What an agent locks is not spent until it leaves for
 * another account, and what it unlocks is not earned. The audit adds the movements up while it reads them, on
 * all cores; this query is for a repair.
 */
export const accountsOfMovements = derived({
  table: 'ledger_account',
  key: ['kind', 'owner_seq', 'asset'],
  columns: {
    balance: figure('balance'),
    granted: figure('granted'),
    earned: figure('earned'),
    spent: figure('spent'),
    last_seq: 'last_seq is not its newest movement',
  },
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT kind, owner_seq, asset, sum(balance) AS balance, sum(granted) AS granted,
      sum(earned) AS earned, sum(spent) AS spent, max(seq) AS last_seq
    FROM (
      SELECT debit_kind AS kind, debit_owner AS owner_seq, asset, -amount AS balance, 0 AS granted, 0 AS earned,
        CASE WHEN debit_kind = 'agent' AND NOT (credit_kind = 'locked' AND credit_owner = debit_owner)
          THEN amount ELSE 0 END AS spent, movement_seq AS seq
      FROM movement
      UNION ALL
      SELECT credit_kind, credit_owner, asset, amount,
        CASE WHEN credit_kind = 'agent' AND debit_kind = 'pool' THEN amount ELSE 0 END,
        CASE WHEN credit_kind = 'agent' AND debit_kind <> 'pool'
          AND NOT (debit_kind = 'locked' AND debit_owner = credit_owner) THEN amount ELSE 0 END,
        0, movement_seq
      FROM movement
      UNION ALL
      SELECT 'agent', debit_owner, asset, 0, 0, 0, amount, iif(payer_hash IS NULL, NULL, movement_seq) FROM movement
      WHERE debit_kind = 'locked' AND NOT (credit_kind = 'agent' AND credit_owner = debit_owner)
    ) AS booked GROUP BY kind, owner_seq, asset`,
});

/** Returns the assets whose balances do not add up to zero. */
export const unbalancedAssets = sql.joined(
  { asset: ledgerAccount.asset, sum: sql.number`sum(balance)` },
  { scans: 'the audit adds up all accounts' },
).rows`FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0`;
