import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { JournalFile } from '../../../proof/ledger/journal-file.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from '../../../proof/verifier/judge/lines.ts';
import type { Step } from '../../../proof/verifier/values/judgement.ts';
import { journalSummary } from '../../../proof/words/journal.ts';
import type { JournalInputs } from '../values/inputs.ts';

/** A line that no journal has: it is as malformed as one that is too long, of which only a part is kept. */
const TOO_LONG = new Uint8Array([0]);

/** Judges a whole journal of credits, in memory that does not grow with it. */
export async function* judgeJournal({ list, head }: JournalInputs): AsyncGenerator<Step> {
  const journal = new JournalFile(nativePrimitives);
  for await (const chunk of list.chunks) {
    for (const line of linesOf(chunk))
      journal.take(line.length > LINE_BYTES_MAX ? TOO_LONG : line, isBlank(line));
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
