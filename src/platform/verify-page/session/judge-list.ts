import { JournalFile } from '../../../proof/ledger/journal-file.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import type { Trusting } from '../../../proof/verifier/document.ts';
import { judgeLines, type LineProblem } from '../../../proof/verifier/judge/chunk.ts';
import { takeLines } from '../../../proof/verifier/judge/journal-lines.ts';
import { lineOptions } from '../../../proof/verifier/judge/line-options.ts';
import { firstLine } from '../../../proof/verifier/judge/lines.ts';
import { type Summary, Tally } from '../../../proof/verifier/judge/tally.ts';
import { documentKind, RECEIPT_BUNDLE } from '../../../proof/verifier/kinds/kinds.ts';
import { type JournalSummary, journalSummary } from '../../../proof/words/journal.ts';
import { markTest } from '../../../proof/words/test-service.ts';

/** What is wrong with a journal: the line is counted from 1. */
export interface JournalProblem {
  line: number;
  detail: string;
}

/** The result for a list, or for a journal. */
export interface ListConclusion {
  isValid: boolean;
  summary: Summary | JournalSummary;
  /** The result in words. */
  sentence: string;
  /** The first problems. */
  problems: readonly (LineProblem | JournalProblem)[];
}

/** A page with more could not be read. */
const PROBLEMS_MAX = 100;
/** The least bytes that are judged before the progress is said. */
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const MIXED =
  'The list begins with a receipt and has bundles, for which a policy and freshness count. Put receipts and bundles into lists of their own.';

/** Judges a list of receipts or bundles, one a line. Yields how many were judged, and last the conclusion. */
export function* judgeList(
  primitives: Primitives,
  bytes: Uint8Array,
  { withPolicy, withoutPolicy, now, isFresh }: Trusting,
): Generator<{ receipts: number } | { conclusion: ListConclusion } | { problem: string }> {
  const isOfBundles = documentKind(firstLine(bytes)?.line ?? bytes) === RECEIPT_BUNDLE;
  const { closedLogs: _, ...trust } = isOfBundles ? withPolicy : withoutPolicy;
  const additional = isOfBundles && isFresh === true ? { isFresh } : {};
  const options = lineOptions({ ...trust, at: now, now, additional }, isOfBundles);
  const { policy } = trust;
  const tally = new Tally(policy !== undefined && policy.policy.quorum !== null);
  const problems: LineProblem[] = [];
  // The command refuses these options for such a list; here, other files can need the policy.
  const isMixed = !isOfBundles && (withPolicy.policy !== undefined || isFresh === true);
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from + CHUNK_BYTES);
    const end = newline === -1 ? bytes.length : newline + 1;
    const report = judgeLines(primitives, bytes.subarray(from, end), options);
    if (isMixed && report.bundles > 0) {
      yield { problem: MIXED };
      return;
    }
    const found = tally.add(report);
    problems.push(...found.slice(0, PROBLEMS_MAX - problems.length));
    from = end;
    yield { receipts: tally.checked };
  }
  const counts = tally.summary();
  const summary = markTest(counts, [trust.keyLog, ...counts.trees.map(({ log }) => log)]);
  const isValid = summary.checked > 0 && summary.valid === summary.checked;
  yield { conclusion: { isValid, summary, sentence: summary.sentence, problems } };
}

/** Judges a whole journal of credits, which no key signed. */
export function judgeJournal(primitives: Primitives, bytes: Uint8Array): ListConclusion {
  const journal = new JournalFile(primitives);
  takeLines(journal, bytes);
  const found = journal.end();
  const { problem } = found;
  const { isValid, summary } = journalSummary(found, undefined);
  const problems = problem === null ? [] : [{ line: problem.line, detail: problem.sentence }];
  return { isValid, summary, sentence: summary.sentence, problems };
}
