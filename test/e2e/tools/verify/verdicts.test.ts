import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { concurrently } from '../../../support/client.ts';
import { run, scratch } from '../../../support/process.ts';
import { argumentsOf } from '../../../support/verdicts/arguments.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';
import { differences, isAccepted } from '../../../support/verdicts/said.ts';
import { type VerdictVector, verdictVectors } from '../../../support/verdicts/vectors.ts';

const files = scratch();
afterAll(() => files.dispose());
const vectors = verdictVectors(files.path);

/** What is judged without a time takes none. */
const isTimeless = ({ directory, options }: VerdictVector): boolean =>
  options.complete !== undefined || options.linked !== undefined || directory === 'journal';

/** The executable takes the present from the clock of the machine, and of most documents another time. */
const timed = (vector: VerdictVector): VerdictVector => ({
  ...vector,
  now: Date.now(),
  options: {
    ...vector.options,
    ...(isTimeless(vector) ? {} : { at: vector.now }),
  },
});

/** What decides how the executable is called and how it ends. */
const groupOf = ({ directory, options, stated }: VerdictVector): string =>
  JSON.stringify([directory, Object.keys(options).sort(), isAccepted(stated)]);

/**
 * The executable starts slowly, and the same code judges every vector in test/unit/tools/verify. So it gets one
 * vector of each group, which has the same verdict at the present.
 */
async function chosen(): Promise<VerdictVector[]> {
  const groups = Map.groupBy(vectors, groupOf);
  const choices: VerdictVector[] = [];
  for (const group of groups.values())
    for (const vector of group) {
      if (differences(vector, await saidByProgram(timed(vector))).length > 0) continue;
      choices.push(vector);
      break;
    }
  return choices;
}

describe('the executable gives the verdict, the checks and the exit code of the vectors', () => {
  test('one of each directory, set of options and exit code', async () => {
    const choices = await chosen();
    const wrong: unknown[] = [];
    await concurrently(choices, 2, async (vector) => {
      const { at } = timed(vector).options;
      const time = at === undefined ? [] : ['--at', new Date(at).toISOString()];
      const { code, stdout, stderr } = await run(['verify', ...argumentsOf(vector), ...time]);
      const problems = differences(vector, { code, stdout });
      if (problems.length > 0) wrong.push([vector.directory, vector.name, problems, stdout, stderr]);
    });
    expect(wrong).toEqual([]);
    expect(new Set(choices.map(({ directory }) => directory))).toEqual(
      new Set(vectors.map(({ directory }) => directory)),
    );
  }, 180_000);

  test('of all receipts by themselves, as lists of receipts', async () => {
    const alone = vectors.filter(({ stated }) => stated.counted !== undefined);
    const lists = Map.groupBy(alone, ({ options, now }) => `${now} ${options.keys}`);
    const wrong: unknown[] = [];
    let judged = 0;
    await concurrently([...lists.values()], 2, async (list) => {
      const [first] = list;
      if (first === undefined || list.length < 3) return;
      const stdin = list.map(({ document }) => `${readFileSync(document, 'utf8')}\n`).join('');
      const args = ['--keys', String(first.options.keys), '--at', new Date(first.now).toISOString()];
      const { stdout } = await run(['verify', '-', '--ndjson', ...args], { stdin });
      const lines: { line?: number; verdict?: string }[] = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const [index, vector] of list.entries()) {
        const verdict = lines.find(({ line }) => line === index + 1)?.verdict ?? 'valid';
        if (verdict !== vector.stated.counted) wrong.push([vector.name, vector.stated, verdict]);
        judged++;
      }
    });
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(50);
  }, 180_000);
});
