import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPLETE_PROBLEMS, COMPLETE_WORDS } from '../src/proof/words/complete.ts';
import { JOURNAL_WORDS } from '../src/proof/words/journal.ts';
import { KIND_WORDS, type KindWords } from '../src/proof/words/kinds.ts';
import { LIST_WORDS } from '../src/proof/words/lists.ts';
import { TEST_WORDS } from '../src/proof/words/test-service.ts';
import { ROOT } from './sources.ts';

/**
 * Writes the words of src/proof/words into src/tools/python/verify.py, so that both describe verdicts
 * alike: `bun scripts/verifier-words.ts`. A test compares them.
 */
export const VERIFIER = join(ROOT, 'src/tools/python/verify.py');

const [START, END] = ['# <words>\n', '# </words>\n'];

/** Returns verify.py with the current words. @throws Error if it has no place for them */
export function withWords(source: string): string {
  const [start, end] = [source.indexOf(START), source.indexOf(END)];
  if (start === -1 || end < start) throw new Error('verify.py has no place for the words');
  return `${source.slice(0, start + START.length)}${wordsInPython()}${source.slice(end)}`;
}

/** Returns the words as a Python dictionary, with a sentence a line. */
function wordsInPython(): string {
  const known = new Map<object, string>();
  const repeated: string[] = [];
  const kinds = Object.entries<KindWords>({
    ...KIND_WORDS,
    complete: COMPLETE_WORDS,
    journal: JOURNAL_WORDS,
  }).map(([kind, { verdicts, additional, ...said }]) => {
    const same = known.get(verdicts);
    if (same === undefined) known.set(verdicts, kind);
    else
      repeated.push(
        `WORDS[${JSON.stringify(kind)}]["verdicts"] = WORDS[${JSON.stringify(same)}]["verdicts"]\n`,
      );
    const sentences = Object.entries(same === undefined ? verdicts : {}).map(
      ([verdict, sentence]) => `        ${JSON.stringify(verdict)}: ${JSON.stringify(sentence)},\n`,
    );
    const rows = rowsOf(additional).map((row) => `        ${row},\n`);
    const first = Object.entries(said).map(
      ([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}, `,
    );
    return `    ${JSON.stringify(kind)}: {${first.join('')}"verdicts": {\n${sentences.join('')}    }, "additional": [\n${rows.join('')}    ]},\n`;
  });
  const { additional, ...said } = LIST_WORDS;
  const texts = Object.entries(said).map(
    ([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`,
  );
  const rows = rowsOf(additional).map((row) => `    ${row},\n`);
  const test = `TEST_WORDS = ${JSON.stringify(TEST_WORDS)}\n`;
  const lists = `LIST_WORDS = {${texts.join(', ')}, "additional": [\n${rows.join('')}]}\n`;
  const problems = `COMPLETE_PROBLEMS = ${JSON.stringify(COMPLETE_PROBLEMS)}\n`;
  return `WORDS = {\n${kinds.join('')}}\n${repeated.join('')}${lists}${test}${problems}`;
}

const rowsOf = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(row).replaceAll(':true', ':True'));

if (import.meta.main) writeFileSync(VERIFIER, withWords(readFileSync(VERIFIER, 'utf8')));
