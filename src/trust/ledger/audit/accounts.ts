import { TIERS } from '../../../../db/trust/ledger-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { mayBeNegative } from '../accounts.ts';
import {
  type AccountRow,
  accountPages,
  accountStates,
  type JournalRow,
  journalPages,
  unbalancedAssets,
} from './store.ts';
import { accountKey, accountOf, ownersTable } from './structure.ts';
import type { Sums, Totals } from './totals.ts';

const FIGURES = ['balance', 'granted', 'earned', 'spent'] as const;

const NO_SUMS: Sums = { balance: 0, granted: 0, earned: 0, spent: 0, entries: 0, steps: 0, newest: 0 };

/**
 * Compares all accounts and the ends of all journals with the sums of all movements.
 * @param totals of all movements in the snapshot; it is used up
 */
export async function accountProblems(snapshot: Snapshot, totals: Totals): Promise<Problem[]> {
  const problems: Problem[] = [];
  const entries = new Map<number, number>();
  const count = (owner: number, sums: Sums): void => {
    if (sums.entries > 0) entries.set(owner, (entries.get(owner) ?? 0) + sums.entries);
  };
  const lists = new MovementLists();
  for await (const page of accountPages(snapshot)) {
    for (const account of page) {
      const key = accountKey(account.kind, account.ownerSeq, account.asset);
      const sums = key === null ? NO_SUMS : (totals.take(key) ?? NO_SUMS);
      count(account.ownerSeq, sums);
      problems.push(...lists.add(account, sums), ...figureProblems(account, sums));
      problems.push(...journalSumProblems(account, totals));
    }
  }
  problems.push(...lists.end());
  for (const { key, sums } of totals.rest()) {
    const { kind, owner, asset } = accountOf(key);
    count(owner, sums);
    problems.push(problem({ kind, ownerSeq: owner, asset }, 'it is missing, and movements name it'));
  }
  for (const { asset, sum } of await unbalancedAssets(snapshot)) {
    const what = 'the balances of all accounts do not add up to zero';
    problems.push({ table: 'ledger_account', row: { asset }, what, expected: '0', found: String(sum) });
  }
  problems.push(...(await journalProblems(snapshot, entries)));
  return problems;
}

/**
 * Compares the lists of movements with all movements of their accounts. Each list goes back to 0, so its
 * steps from each movement to the one before add up to the number of the newest. A list with a missing
 * movement adds up to more. No list adds up to less: within a range, `MovementChecker` reports a wrong step,
 * and across ranges a wrong step goes too far back.
 */
class MovementLists {
  private account: Pick<AccountRow, 'kind' | 'ownerSeq' | 'asset'> | null = null;
  private steps = 0;
  private newest = 0;

  /**
   * Adds an asset of an account; those of one account follow each other.
   * @returns the problem of the account before it, if it ended
   */
  add(account: AccountRow, { steps, newest }: Sums): Problem[] {
    const isSame = this.account?.kind === account.kind && this.account.ownerSeq === account.ownerSeq;
    const problems = isSame ? [] : this.end();
    this.account = account;
    this.steps += steps;
    this.newest = Math.max(this.newest, newest);
    return problems;
  }

  /** Ends the last account. */
  end(): Problem[] {
    const { account, steps, newest } = this;
    this.steps = 0;
    this.newest = 0;
    if (account === null || steps === newest) return [];
    const { kind, ownerSeq } = account;
    const what = 'debit_prev and credit_prev of its movements do not name all of them';
    return [{ table: 'ledger_account', row: { kind, owner_seq: ownerSeq }, what }];
  }
}

function figureProblems(account: AccountRow, sums: Sums): Problem[] {
  const problems = FIGURES.flatMap((figure) =>
    account[figure] === sums[figure]
      ? []
      : problem(account, `${figure} is not the sum of the movements`, {
          expected: String(sums[figure]),
          found: String(account[figure]),
        }),
  );
  const newest = sums.newest === 0 ? null : sums.newest;
  if (account.lastSeq !== newest) {
    const [expected, found] = [String(newest), String(account.lastSeq)];
    problems.push(problem(account, 'last_seq is not its newest movement', { expected, found }));
  }
  if (accountKey(account.kind, account.ownerSeq, account.asset) === null)
    problems.push(problem(account, 'the program knows no account of this kind, or not its asset'));
  if (ownersTable(account.kind) === null && account.ownerSeq !== 0)
    problems.push(problem(account, 'owner_seq of an account of the service is not 0'));
  if (account.balance < 0 && !mayBeNegative(account.kind))
    problems.push(problem(account, 'balance is below zero', { found: String(account.balance) }));
  if (account.balance > 0 && account.kind === 'receivable')
    problems.push(problem(account, 'more than the debt was covered', { found: String(account.balance) }));
  return problems;
}

/**
 * Compares the figures of an agent with its journal: what it had when the journal became complete, and the
 * sums of the entries since then. Of a pool without an entry since then, it compares the balance.
 */
function journalSumProblems(account: AccountRow, totals: Totals): Problem[] {
  const { kind, ownerSeq, asset, opening } = account;
  if (kind === 'pool' && opening !== null && (account.lastSeq ?? 0) <= opening.afterSeq)
    return account.balance === opening.balance
      ? []
      : [problem(account, 'balance is not that of its opening', of(opening.balance, account.balance))];
  if (kind !== 'agent') return [];
  const sums = totals.journal(ownerSeq, asset);
  const [then, now] = [figuresOf(opening ?? NO_SUMS), figuresOf(account)];
  return JOURNAL_FIGURES.flatMap((name) => {
    const expected = then[name] + sums[name];
    return expected === now[name]
      ? []
      : problem(
          account,
          `${name} is not the sum of the agent's journal since its opening`,
          of(expected, now[name]),
        );
  });
}

const JOURNAL_FIGURES = ['granted', 'earned', 'spent', 'locked'] as const;

function figuresOf({
  granted,
  earned,
  spent,
  balance,
}: Pick<Sums, 'granted' | 'earned' | 'spent' | 'balance'>) {
  return { granted, earned, spent, locked: granted + earned - spent - balance };
}

function of(expected: number, found: number): Partial<Problem> {
  return { expected: String(expected), found: String(found) };
}

function problem(
  { kind, ownerSeq, asset }: Pick<AccountRow, 'kind' | 'ownerSeq' | 'asset'>,
  what: string,
  values: Partial<Problem> = {},
): Problem {
  return { table: 'ledger_account', row: { kind, owner_seq: ownerSeq, asset }, what, ...values };
}

/** @param entries the number of entries of each agent that has any; it is used up */
async function journalProblems(snapshot: Snapshot, entries: Map<number, number>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for await (const page of journalPages(snapshot)) {
    for (const journal of page) {
      problems.push(...(await journalProblemsOf(snapshot, journal, entries.get(journal.end.agentSeq) ?? 0)));
      entries.delete(journal.end.agentSeq);
    }
  }
  for (const agentSeq of entries.keys()) {
    const what = 'it is missing, and movements have entries of its journal';
    problems.push({ table: 'agent_credit', row: { agent_seq: agentSeq }, what });
  }
  return problems;
}

async function journalProblemsOf(
  snapshot: Snapshot,
  { end: { agentSeq, entries, head, evaluatedTier }, subjectCommitment, newest }: JournalRow,
  counted: number,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const report = (what: string, values: Partial<Problem> = {}): void => {
    const id = subjectCommitment === null ? {} : { id: subjectCommitment };
    problems.push({ table: 'agent_credit', row: { agent_seq: agentSeq }, ...id, what, ...values });
  };
  if (subjectCommitment === null) report(`there is no agent (agent_seq ${agentSeq})`);
  if (entries !== counted) {
    report("entries is not the number of the agent's entries in movements", {
      expected: String(counted),
      found: String(entries),
    });
  }
  const [last] =
    newest === null
      ? []
      : await accountStates(snapshot, { kind: 'agent', owner: agentSeq, newest, limit: 1 });
  const expected = last?.hash ?? null;
  if (expected !== head) {
    report("head is not the hash of the agent's newest entry", {
      expected: expected ?? 'null',
      found: head ?? 'null',
    });
  }
  if (!TIERS.some((tier) => tier === evaluatedTier)) report(`there is no tier ${evaluatedTier}`);
  return problems;
}
