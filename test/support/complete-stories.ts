import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue, parseJson } from '../../src/proof/encoding/json.ts';
import type { Receipt } from '../../src/proof/receipt/receipt.ts';
import type { CommandOptions } from '../../src/tools/verify/options/by-document.ts';
import { verify } from '../../src/tools/verify/verify.ts';
import { KEYS, linesOf, madeAccount, OPERATOR, POLICY, writeAccountLog } from './made-account.ts';
import { scratch } from './process.ts';
import { accountsJudgedByPython, type PythonAccount } from './python.ts';

/** The receipts of the account: their leaves fill more than two bundles of the log. */
export const COUNT = 300;

interface Outcome {
  isComplete: boolean;
  /** As `kind line sequence`. */
  problems: string[];
  summary: unknown;
  said: string[];
}

/**
 * Verifies lists of a linked account against its log, and remembers what was said, so that
 * src/tools/python/verify.py can be held against it.
 */
export function completeStories() {
  const place = scratch();
  const path = (name: string): string => join(place.path, name);
  const made = madeAccount(COUNT, Date.now(), 100);
  writeAccountLog(path('log'), made);
  writeFileSync(path('keys.json'), KEYS);
  writeFileSync(path('policy.txt'), POLICY);
  /** What was verified, and what the program wrote; null if nothing could be said. */
  const stories: { given: PythonAccount; written: JsonValue }[] = [];

  async function verified(
    receipts: readonly Receipt[] | string,
    changes: CommandOptions & { keys?: string } = {},
  ): Promise<Outcome> {
    const file = path(`list-${crypto.randomUUID()}.ndjson`);
    writeFileSync(file, typeof receipts === 'string' ? receipts : linesOf(receipts));
    let text = '';
    const said: string[] = [];
    const options = {
      ...{ operator: OPERATOR, log: path('log'), policy: path('policy.txt'), keys: path('keys.json') },
      ...changes,
    };
    const { operator, log, policy, keys, allowUnlinked = false, anyLog = false } = options;
    const { from, predecessor: predecessors } = options;
    const given = {
      ...{ list: file, operator, log, policy, keys, allowUnlinked, anyLog },
      ...(from === undefined ? {} : { from }),
      ...(predecessors === undefined ? {} : { predecessors }),
    };
    const story = { given, written: null };
    stories.push(story);
    const isComplete = await verify(
      file,
      { complete: true, ...options },
      {
        write: async (more) => {
          text += more;
        },
        say: (sentence) => said.push(sentence),
      },
    );
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => parseJson(line));
    Object.assign(story, { written: [...rows] });
    const summary = rows.pop();
    const problems = rows.map((row) => {
      const { problem, line, sequence } = Object(row);
      return `${problem} ${line} ${sequence}`;
    });
    return { isComplete, problems, summary, said };
  }

  /** Returns the message of the error, of which nothing else may have been said. */
  async function failure(
    changes: CommandOptions & { keys?: string },
    receipts: readonly Receipt[] | string = made.receipts,
  ): Promise<string> {
    return verified(receipts, changes).then(
      ({ said }) => `no error: ${said.join()}`,
      (error) => (error instanceof Error ? error.message : String(error)),
    );
  }

  /**
   * Has src/tools/python/verify.py judge all of it.
   * @returns where it differs, and the reasons why it said nothing, in their order
   */
  async function heldAgainstPython() {
    const answers = await accountsJudgedByPython(stories.map(({ given }) => given));
    const differences: unknown[] = [];
    const reasons: string[] = [];
    for (const [index, { given, written }] of stories.entries()) {
      const { written: theirs = null, refused } = Object(answers[index]);
      if (typeof refused === 'string') reasons.push(refused);
      const ours = written === null ? [[], true] : [comparable(written), false];
      if (!Bun.deepEquals([comparable(theirs), typeof refused === 'string'], ours))
        differences.push([given, ours, answers[index]]);
    }
    return { stories: stories.length, differences, reasons };
  }

  return { path, made, verified, failure, heldAgainstPython, dispose: () => place.dispose() };
}

/** What is wrong with the form of a line is each program's own sentence. */
const comparable = (written: JsonValue): JsonValue =>
  JSON.parse(
    JSON.stringify(written).replace(/"detail":"malformed: (?:[^"\\]|\\.)*"/g, '"detail":"malformed"'),
  );
