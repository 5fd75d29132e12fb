import { afterAll, describe, expect, test } from 'bun:test';
import { type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { comparable } from '../../../support/document-vectors.ts';
import { scratch } from '../../../support/process.ts';
import { hasPython, runsOfPython } from '../../../support/python.ts';
import { argumentsOf } from '../../../support/verdicts/arguments.ts';
import { BrowserScript, isForPage, saidByScript } from '../../../support/verdicts/browser-script.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';
import { differences, isProblemNamed, resultIn, type Said } from '../../../support/verdicts/said.ts';
import { type VerdictVector, verdictVectors } from '../../../support/verdicts/vectors.ts';

const files = scratch();
const script = new BrowserScript();
afterAll(() => {
  files.dispose();
  script[Symbol.dispose]();
});
const vectors = verdictVectors(files.path);
const directories = [...new Set(vectors.map(({ directory }) => directory))];

/** What the program said, for the comparison with src/tools/python/verify.py and the script of the page. */
const said = new Map<VerdictVector, Said & { stderr: string }>();

/** Returns the lines for people about who signed a document, and which logs. */
const linesOfBoth = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => /^ {2}(signer|log): /.test(line));

/** Returns what is said of a list as a whole: the last line of JSON, and its sentence for people; null for nothing. */
const summaryOf = ({ stdout, stderr }: Said & { stderr: string }): JsonValue => {
  const [json, sentence = ''] = [stdout, stderr].map((text) => text.trimEnd().split('\n').at(-1));
  return json === undefined || json === '' ? null : [parseJson(json), sentence];
};

describe.each(directories)('test/vectors/%s', (directory) => {
  const own = vectors.filter((vector) => vector.directory === directory);

  test('has the verdicts, checks and exit codes that it states', async () => {
    const wrong: unknown[] = [];
    for (const vector of own) {
      const { code, stdout, stderr } = await saidByProgram(vector);
      const isNamed = isProblemNamed(vector.stated, stdout);
      const problems = [...differences(vector, { code, stdout }), ...(isNamed ? [] : ['no such problem'])];
      if (problems.length > 0) wrong.push([vector.name, vector.stated, problems, stdout, stderr]);
      said.set(vector, { code, stdout, stderr });
    }
    expect(wrong).toEqual([]);
  }, 180_000);

  test.skipIf(!hasPython)(
    'has them by src/tools/python/verify.py, which states the same checks, signer and logs',
    async () => {
      const runs = await runsOfPython(
        own.map((vector) => ({ args: argumentsOf(vector), now: vector.now / 1000 })),
      );
      const wrong = own.flatMap((vector, index): unknown[] => {
        const run = runs[index];
        const ours = said.get(vector);
        if (run === undefined || ours === undefined) return [[vector.name, 'was not run']];
        const problems = [
          ...differences(vector, run),
          ...(run.code === ours.code ? [] : [`the program exits with ${ours.code}`]),
          ...(run.stderr.includes('Traceback') ? ['it fails'] : []),
        ];
        const results = [run, ours].map(({ stdout, stderr }) => [
          comparable(resultIn(stdout)),
          ...linesOfBoth(stderr),
        ]);
        const { lines, counted } = vector.stated;
        const isSame = lines !== undefined || Bun.deepEquals(results[0], results[1]);
        if ((lines ?? counted) !== undefined && !Bun.deepEquals(summaryOf(run), summaryOf(ours)))
          problems.push('the summaries of the list differ');
        return problems.length === 0 && isSame
          ? []
          : [[vector.name, vector.stated, problems, run, ...results]];
      });
      expect(wrong).toEqual([]);
    },
    180_000,
  );

  const ofPage = own.filter(isForPage);
  if (ofPage.length === 0) return;
  test('has them, and the sentences of the program, by the script of the page', async () => {
    const wrong: unknown[] = [];
    for (const vector of ofPage) {
      const program = said.get(vector);
      if (program === undefined) throw new Error(`the program has not judged ${vector.name}`);
      const page = await saidByScript(script, vector);
      const [results, ours] = [page, program].map(({ stdout }) => resultIn(stdout));
      // Without a verdict the program has two exit codes, for wrong options and for other errors.
      const isSame = Bun.deepEquals(results, ours) && (results === null || page.code === program.code);
      const problems = differences(vector, page);
      if (problems.length > 0 || !isSame) wrong.push([vector.name, problems, page, program]);
    }
    expect(wrong).toEqual([]);
  }, 180_000);
});
