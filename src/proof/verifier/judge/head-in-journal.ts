import type { JournalCheck } from '../../ledger/head-verdict.ts';
import { JournalFile } from '../../ledger/journal-file.ts';
import type { JournalHead } from '../../ledger/journal-head.ts';
import type { Primitives } from '../../primitives.ts';
import { takeLines } from './journal-lines.ts';

/**
 * Returns what a downloaded journal says of a head: whether it is the whole journal of its account and
 * consistent, and the entry with this hash has as many entries before it. Never throws for any bytes.
 * @param journal the whole journal as NDJSON
 */
export function checkJournal(
  primitives: Primitives,
  journal: Uint8Array,
  { account, entries: count, head }: JournalHead,
): JournalCheck {
  const file = new JournalFile(primitives, head);
  takeLines(file, journal);
  const { owner, entries, place, problem } = file.end();
  if (problem !== null) return badJournal(`line ${problem.line}: ${problem.sentence}`);
  if (owner === null || Object.values(owner)[0] !== account)
    return badJournal(`it is not the journal of ${account}`);
  if (place === null)
    return { check: 'missing', problems: [`journal: none of its ${entries} entries has the hash ${head}`] };
  return place === count
    ? { check: 'ok', problems: [] }
    : badJournal(`the head is entry ${place} of the journal, and was entry ${count}`);
}

const badJournal = (problem: string): JournalCheck => ({ check: 'bad', problems: [`journal: ${problem}`] });
