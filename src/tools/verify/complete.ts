import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, sizeOf } from '../../platform/files/read.ts';
import { RowMemory } from '../../platform/memory/row-memory.ts';
import { isUrl } from '../../platform/network/fetch.ts';
import { jsonLine, printable, writeOut } from '../../platform/terminal/output.ts';
import { groupDigits, Progress } from '../../platform/terminal/progress.ts';
import { logSource } from '../../platform/tlog/source.ts';
import {
  type AccountsCheckpoint,
  type AccountsTrust,
  accountsLogOf,
  judgeNewest,
} from '../../proof/account/account-checkpoint.ts';
import type { AccountHistory } from '../../proof/account/account-history.ts';
import { Completeness } from '../../proof/account/completeness.ts';
import {
  ACCOUNT_PROBLEMS,
  type AccountProblem,
  type AccountProblemKind,
  isOfUnlinked,
} from '../../proof/account/problems.ts';
import { accountOf } from '../../proof/log/linked-account.ts';
import { describeCosignatures } from '../../proof/log/quorum.ts';
import { judgeByBoth } from './both-implementations.ts';
import type { ListedChunk } from './bulk/judge.ts';
import { wholeLines } from './bulk/lines.ts';
import { counted, verifierPool } from './bulk/verify.ts';
import { readAccountLog } from './complete/account-log.ts';
import { cosignedPath, sizeIn } from './complete/copy.ts';
import { keptFrom } from './complete/kept.ts';
import type { CompleteOptions } from './complete/options.ts';
import { ReceiptTableStore } from './complete/table-store.ts';
import { trustedLogKeys } from './log-keys.ts';
import { policyFrom } from './policy.ts';
import { keysFrom } from './trusted-keys.ts';

/** The time at which no receipt has expired: whether a list is complete does not depend on it. */
const BEFORE_ALL = -8_640_000_000_000_000;
/** Problems that are written together. */
const BATCH = 100;

/** Where results go: JSON lines to `write`, sentences to `say`. */
export interface Results {
  write(text: string): Promise<void> | void;
  say(sentence: string): void;
}

const TERMINAL: Results = {
  write: writeOut,
  say: (sentence) => process.stderr.write(`${printable(sentence)}\n`),
};

/**
 * Proves that a list of receipts has all receipts of a linked account, or names what is wrong: a line of JSON for each problem, and a
 * summary as the last line.
 * @param now the Unix time in milliseconds
 * @returns whether the list is complete
 * @throws Failure if nothing can be said, for a log that cannot be read or trusted; then there is no summary
 */
export async function verifyComplete(
  file: string,
  options: CompleteOptions,
  results: Results = TERMINAL,
  now = Date.now(),
): Promise<boolean> {
  const { operator, log: location } = options;
  const trusted = await keysFrom(options.keys, options);
  const policy = policyFrom(options.policy, trusted, options);
  if (policy.policy.quorum === null)
    throw new Failure(
      `the policy ${options.policy} has no quorum, so anybody could have made the log up`,
      'name the witnesses that must have cosigned it',
      2,
    );
  const logKeys = await trustedLogKeys(policy, trusted, options);
  const log = accountsLogOf(logKeys, trusted.keyLog);
  if (log === null && options.anyLog !== true)
    throw new Failure(
      'log_not_named: nothing says which log of accounts is meant',
      `save the response of /log/accounts/vkeys and add its lines to ${options.policy}, use a list of keys that has log.origin, or accept any log with --any-log`,
    );
  const trust: AccountsTrust = {
    log,
    logKeys: [...logKeys],
    policy: policy.policy,
    now,
  };
  const source = logSource(location);
  const newest = await newestOf(location, trust);
  results.say(`quorum: ${describeCosignatures(newest.cosignatures)}`);
  const kept = await keptFrom(location, newest, trust);
  using table = new ReceiptTableStore();
  const account = accountOf(nativePrimitives, operator);
  const stored = isUrl(location) ? newest.size : await sizeIn(source);
  const { history, problems } = await withProgress('leaves', (progress) =>
    readAccountLog(source, { account, newest, kept, stored }, table, (count, share) =>
      progress.at(count, share),
    ),
  );
  if (history.leaves === 0)
    throw new Failure(
      `${newest.log} has no leaf of ${operator}: its account was never linked, so nothing is proven`,
      'check --operator and --log',
    );
  const output = new Output(results);
  for (const problem of problems) output.add(problem);
  const completeness = new Completeness(history, operator, newest.time, (problem) => output.add(problem));
  const receipts = await withProgress('receipts', (progress) =>
    readList(file, { keys: trusted.keys, completeness, output, progress }),
  );
  for (const problem of completeness.finish()) {
    output.add(problem);
    // Of an empty list, every receipt of the log is missing.
    if (output.waiting >= BATCH) await output.flush();
  }
  await output.flush();
  const isComplete = output.isComplete(options.allowUnlinked === true);
  const summary = summaryOf({ operator, account, newest, history, output, isComplete }, receipts, {
    matched: completeness.matched,
    logged: table.size,
    checkpoints: kept.all.length,
  });
  await results.write(`${JSON.stringify(summary)}\n`);
  if (summary.unbounded_leaves > 0)
    results.say(
      `times: ${groupDigits(summary.unbounded_leaves)} of ${groupDigits(summary.leaves)} leaves could be younger than they say: no checkpoint from before them was kept.`,
    );
  results.say(inWords(summary));
  return isComplete;
}

/** Reads the newest cosigned checkpoint. @throws Failure unless it counts */
async function newestOf(location: string, trust: AccountsTrust): Promise<AccountsCheckpoint> {
  const source = logSource(location);
  const note = await source.read(cosignedPath(location));
  const newest = await judgeByBoth('checkpoint', (primitives) => judgeNewest(primitives, note, trust));
  if (!('problem' in newest)) return newest;
  throw new Failure(
    `the checkpoint of ${source.location}/accounts does not count: ${newest.problem}`,
    'get a checkpoint that the witnesses of --policy cosigned just now, and check the keys and the clocks',
  );
}

async function withProgress<Result>(
  what: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(process.stderr, what);
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}

/** Verifies all lines on all cores, and compares them in their order. @returns the number of lines that are not blank */
async function readList(
  file: string,
  {
    keys,
    completeness,
    output,
    progress,
  }: {
    keys: Awaited<ReturnType<typeof keysFrom>>['keys'];
    completeness: Completeness;
    output: Output;
    progress: Progress;
  },
): Promise<number> {
  const pool = verifierPool<ListedChunk>({ task: 'list', verdict: { keys, now: BEFORE_ALL } });
  const inputSize = sizeOf(file);
  let bytesRead = 0;
  let lines = 0;
  let receipts = 0;
  const memory = new RowMemory();
  const chunks = counted(wholeLines(bytesOf(file)), (size) => {
    bytesRead += size;
  });
  try {
    for await (const chunk of pool.results(chunks, ({ buffer }) => [buffer])) {
      for (const found of chunk.receipts) {
        const line = lines + found.line;
        if ('listed' in found) completeness.take(line, found.listed);
        else completeness.takeForged(line, found.receiptId, found.forgery);
      }
      memory.used(chunk.receipts.length);
      lines += chunk.lines;
      receipts += chunk.receipts.length;
      if (output.waiting >= BATCH) {
        progress.clear();
        await output.flush();
      }
      progress.at(receipts, inputSize > 0 ? bytesRead / inputSize : null);
    }
  } finally {
    pool.end();
  }
  return receipts;
}

/** Writes problems as lines of JSON, and counts them. */
class Output {
  readonly counts = new Map<AccountProblemKind, number>();
  #lines: string[] = [];

  constructor(private readonly results: Results) {}

  get waiting(): number {
    return this.#lines.length;
  }

  add(problem: AccountProblem): void {
    this.counts.set(problem.problem, (this.counts.get(problem.problem) ?? 0) + 1);
    // What is wrong with a line quotes it.
    this.#lines.push(jsonLine(problem));
  }

  async flush(): Promise<void> {
    if (this.#lines.length > 0) await this.results.write(this.#lines.splice(0).join(''));
  }

  isComplete(allowsUnlinked: boolean): boolean {
    return [...this.counts.keys()].every((kind) => allowsUnlinked && isOfUnlinked(kind));
  }
}

interface Found {
  operator: string;
  account: string;
  newest: AccountsCheckpoint;
  history: AccountHistory;
  output: Output;
  isComplete: boolean;
}

function summaryOf(
  { operator, account, newest, history, output, isComplete }: Found,
  receipts: number,
  { matched, logged, checkpoints }: { matched: number; logged: number; checkpoints: number },
) {
  const kinds = Object.entries(ACCOUNT_PROBLEMS).map(([kind]) => kind);
  const { counts } = output;
  const named = [...counts].sort(([one], [other]) => kinds.indexOf(one) - kinds.indexOf(other));
  return {
    complete: isComplete,
    operator_id: operator,
    account,
    log: newest.log,
    tree_size: newest.size,
    attested_at: new Date(newest.time).toISOString(),
    linked_since: history.linkedSince === null ? null : new Date(history.linkedSince).toISOString(),
    leaves: history.leaves,
    receipts,
    logged,
    matched,
    problems: Object.fromEntries(named),
    checkpoints,
    longest_interval_ms: history.widest,
    unbounded_leaves: history.unbounded,
  };
}

function inWords(summary: ReturnType<typeof summaryOf>): string {
  const { complete, receipts, operator_id, attested_at, problems, linked_since } = summary;
  const named = Object.entries(problems)
    .map(([kind, count]) => `${groupDigits(count)} ${kind}`)
    .join(', ');
  if (!complete) return `not complete: ${named}.`;
  const except = named === '' ? '' : `, except while it was not linked (${named})`;
  const count = `${groupDigits(receipts)} ${receipts === 1 ? 'receipt' : 'receipts'}`;
  return `complete: ${operator_id} has these ${count} and no others, from ${linked_since} to ${attested_at}${except}.`;
}
