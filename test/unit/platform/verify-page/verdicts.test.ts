import { afterAll, describe, expect, test } from 'bun:test';
import { tortureVerifyPage } from '../../../../scripts/torture/verify-page.ts';
import { scratch } from '../../../support/process.ts';
import { BrowserScript, isForPage, saidByScript } from '../../../support/verdicts/browser-script.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';
import { differences, resultIn } from '../../../support/verdicts/said.ts';
import { verdictVectors } from '../../../support/verdicts/vectors.ts';

const files = scratch();
const script = new BrowserScript();
afterAll(() => {
  files.dispose();
  script[Symbol.dispose]();
});

const vectors = verdictVectors(files.path);
const ofPage = vectors.filter(isForPage);
const directories = [...new Set(ofPage.map(({ directory }) => directory))];

test('the script of the page gets every vector but those with a copy of a log', () => {
  const left = new Set(vectors.filter((vector) => !isForPage(vector)).map(({ directory }) => directory));
  expect([...left].sort()).toEqual(['keys', 'linked-account']);
  expect(ofPage.length).toBeGreaterThan(2000);
});

describe.each(directories)('test/vectors/%s', (directory) => {
  const own = ofPage.filter((vector) => vector.directory === directory);

  test('has the verdicts that it states, and the sentences of the program, by the script of the page', async () => {
    const wrong: unknown[] = [];
    for (const vector of own) {
      const said = await saidByScript(script, vector);
      const program = await saidByProgram(vector);
      const [own, ours] = [said, program].map(({ stdout }) => resultIn(stdout));
      // Without a verdict the program has two exit codes, for wrong options and for other errors.
      const isSame = Bun.deepEquals(own, ours) && (own === null || said.code === program.code);
      const problems = differences(vector, said);
      if (problems.length > 0 || !isSame) wrong.push([vector.name, problems, said, program]);
    }
    expect(wrong).toEqual([]);
  }, 180_000);
});

test('changed documents of every kind have the verdict and the sentence of the program', async () => {
  const { wrong, judged } = await tortureVerifyPage({
    mutations: 15,
    seed: 1,
    script,
    directory: files.path,
  });
  expect(wrong).toEqual([]);
  expect(judged).toBeGreaterThan(300);
}, 180_000);
