import { TIERS } from '../../../../db/trust/ledger-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import {
  type AccountRow,
  accountPages,
  accountStates,
  type JournalRow,
  journalPages,
  unbalancedAssets,
} from './store.ts';
import { accountKey, accountOf } from './structure.ts';
import type { Sums, Totals } from './totals.ts';

const FIGURES = ['balance', 'granted', 'earned', 'spent'] as const;

const NO_SUMS: Sums = { balance: 0, granted: 0, earned: 0, spent: 0, entries: 0 };

/** The newest movement that there can be. */
const NEWEST = Number.MAX_SAFE_INTEGER;

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
  for await (const page of accountPages(snapshot)) {
    for (const account of page) {
      const key = accountKey(account.kind, account.owner, account.asset);
      const sums = key === null ? NO_SUMS : (totals.take(key) ?? NO_SUMS);
      count(account.owner, sums);
      problems.push(...figureProblems(account, sums));
    }
  }
  for (const { key, sums } of totals.rest()) {
    const { kind, owner, asset } = accountOf(key);
    count(owner, sums);
    problems.push(problem({ kind, owner, asset }, 'it is missing, and movements name it'));
  }
  for (const { asset, sum } of await unbalancedAssets(snapshot)) {
    const what = 'the balances of all accounts do not add up to zero';
    problems.push({ table: 'ledger_account', row: { asset }, what, expected: '0', found: String(sum) });
  }
  problems.push(...(await journalProblems(snapshot, entries)));
  return problems;
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
  if (account.balance < 0 && account.kind !== 'issuance')
    problems.push(problem(account, 'balance is below zero', { found: String(account.balance) }));
  return problems;
}

function problem(
  { kind, owner, asset }: Pick<AccountRow, 'kind' | 'owner' | 'asset'>,
  what: string,
  values: Partial<Problem> = {},
): Problem {
  return { table: 'ledger_account', row: { kind, owner_seq: owner, asset }, what, ...values };
}

/** @param entries the number of entries of each agent that has any; it is used up */
async function journalProblems(snapshot: Snapshot, entries: Map<number, number>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for await (const page of journalPages(snapshot)) {
    for (const journal of page) {
      problems.push(...(await journalProblemsOf(snapshot, journal, entries.get(journal.agentSeq) ?? 0)));
      entries.delete(journal.agentSeq);
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
  { agentSeq, subjectCommitment, entries, head, evaluatedTier }: JournalRow,
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
  const account = { kind: 'agent', owner: agentSeq };
  const [newest] = await accountStates(snapshot, account, { upTo: NEWEST, limit: 1 });
  const expected = newest?.hash ?? '';
  if (expected !== head) {
    report("head is not the hash of the agent's newest entry", {
      expected: expected === '' ? 'null' : expected,
      found: head === '' ? 'null' : head,
    });
  }
  if (!TIERS.some((tier) => tier === evaluatedTier)) report(`there is no tier ${evaluatedTier}`);
  return problems;
}
