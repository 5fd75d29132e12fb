import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { JournalFile } from '../../../proof/ledger/journal-file.ts';
import { takeLines } from '../../../proof/verifier/judge/journal-lines.ts';
import type { Step } from '../../../proof/verifier/values/judgement.ts';
import { journalSummary } from '../../../proof/words/journal.ts';
import type { JournalInputs } from '../values/inputs.ts';

/** Judges a whole journal of credits, in memory that does not grow with it. */
export async function* judgeJournal({ list, head }: JournalInputs): AsyncGenerator<Step> {
  const journal = new JournalFile(nativePrimitives);
  for await (const chunk of list.chunks) {
    takeLines(journal, chunk);
    if (journal.isOver) break;
  }
  const found = journal.end();
  const { problem } = found;
  if (problem !== null)
    yield {
      problems: [{ line: problem.line, detail: problem.sentence }],
      receipts: found.entries,
      share: list.share(),
    };
  const { isValid, summary } = journalSummary(found, head);
  yield { conclusion: { isValid, summary, sentences: [summary.sentence] } };
}
