import { RowMemory } from '../../../platform/memory/row-memory.ts';
import { timestampOf, timestampOrNull } from '../../../platform/time/timestamp.ts';
import { Completeness } from '../../../proof/account/completeness.ts';
import {
  ACCOUNT_PROBLEMS,
  type AccountProblem,
  type AccountProblemKind,
  isOfUnlinked,
} from '../../../proof/account/problems.ts';
import { describeCosignatures } from '../../../proof/log/quorum.ts';
import type { ListedChunk } from '../../../proof/verifier/judge/chunk.ts';
import type { Step } from '../../../proof/verifier/values/judgement.ts';
import { completeSummary } from '../../../proof/words/complete.ts';
import { markTest } from '../../../proof/words/test-service.ts';
import type { AccountInputs } from '../values/inputs.ts';
import { verifierPool } from './pool.ts';

/** The time at which no receipt has expired: whether a list is complete does not depend on it. */
const BEFORE_ALL = -8_640_000_000_000_000;
/** Problems that are yielded together. */
const BATCH = 100;

/**
 * Judges whether a list of receipts has all receipts of a linked account. Yields what is wrong, in the order
 * of the list, then what the list lacks.
 * @throws Failure when a Worker fails
 */
export async function* judgeAccount(inputs: AccountInputs): AsyncGenerator<Step> {
  const { operator, newest, history, allowsUnlinked, list } = inputs;
  yield { note: `quorum: ${describeCosignatures(newest.cosignatures)}` };
  const problems = new Problems(inputs.problems);
  const completeness = new Completeness(history, operator, newest.at, (problem) => problems.add(problem));
  let receipts = 0;
  const step = (): Step => ({ problems: problems.take(), receipts, share: list.share() });
  for await (const count of compare(inputs, completeness)) {
    receipts += count;
    yield problems.waiting >= BATCH ? step() : { problems: [], receipts, share: list.share() };
  }
  for (const problem of completeness.finish()) {
    problems.add(problem);
    // If the list is empty, every receipt of the log is missing.
    if (problems.waiting >= BATCH) yield step();
  }
  yield step();
  const isComplete = problems.areAllowed(allowsUnlinked);
  const { matched, earlier } = completeness;
  const summary = summaryOf(inputs, { counts: problems.counts, isComplete, receipts, matched, earlier });
  yield { conclusion: { isValid: isComplete, summary, sentences: [summary.sentence] } };
}

/**
 * Verifies all lines on all cores, and compares them in order. Yields the number of receipts of each chunk.
 */
async function* compare({ keys, list }: AccountInputs, completeness: Completeness): AsyncGenerator<number> {
  const pool = verifierPool<ListedChunk>({ task: 'list', verdict: { keys, now: BEFORE_ALL } });
  const memory = new RowMemory();
  let lines = 0;
  try {
    for await (const chunk of pool.results(list.chunks, ({ buffer }) => [buffer])) {
      for (const row of chunk.receipts) {
        const line = lines + row.line;
        if ('listed' in row) completeness.take(line, row.listed);
        else completeness.takeForged(line, row.receiptId, row.forgery);
      }
      memory.used(chunk.receipts.length);
      lines += chunk.lines;
      yield chunk.receipts.length;
    }
  } finally {
    pool.end();
  }
}

/** Collects problems, and counts them. */
class Problems {
  readonly counts = new Map<AccountProblemKind, number>();
  #waiting: AccountProblem[] = [];

  constructor(problems: readonly AccountProblem[]) {
    for (const problem of problems) this.add(problem);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(problem: AccountProblem): void {
    this.counts.set(problem.problem, (this.counts.get(problem.problem) ?? 0) + 1);
    this.#waiting.push(problem);
  }

  /** Returns the problems that wait, and forgets them. */
  take(): AccountProblem[] {
    return this.#waiting.splice(0);
  }

  areAllowed(allowsUnlinked: boolean): boolean {
    return [...this.counts.keys()].every((kind) => allowsUnlinked && isOfUnlinked(kind));
  }
}

/** The result of comparing a list with the log. */
interface Compared {
  counts: ReadonlyMap<AccountProblemKind, number>;
  isComplete: boolean;
  /** The number of lines that are not blank. */
  receipts: number;
  /** How many of them the log has. */
  matched: number;
  /** How many of these have only leaves from before the time from which on the account is judged. */
  earlier: number;
}

function summaryOf(
  { operator, account, newest, history, logged, checkpoints, ...inputs }: AccountInputs,
  { counts, isComplete, receipts, matched, earlier }: Compared,
) {
  const kinds = Object.entries(ACCOUNT_PROBLEMS).map(([kind]) => kind);
  const problems = [...counts].sort(([one], [other]) => kinds.indexOf(one) - kinds.indexOf(other));
  const found = {
    complete: isComplete,
    operator_id: operator,
    account,
    log: newest.log,
    tree_size: newest.size,
    attested_at: timestampOf(newest.at),
    linked_since: timestampOrNull(history.linkedSince),
    judged_since: timestampOrNull(history.judgedSince),
    leaves: history.leaves,
    earlier_leaves: history.earlierLeaves,
    receipts,
    logged: logged.size,
    matched,
    earlier_receipts: earlier,
    problems: Object.fromEntries(problems),
    checkpoints,
    longest_interval_ms: history.widest,
    unbounded_leaves: history.unbounded.leaves,
  };
  return { ...found, ...markTest(completeSummary(found, inputs), [newest.log]) };
}
