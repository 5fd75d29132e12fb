import { afterAll, expect, test } from 'bun:test';
import { tortureVerifyPage } from '../../../../scripts/torture/verify-page.ts';
import { scratch } from '../../../support/process.ts';
import { BrowserScript, isForPage } from '../../../support/verdicts/browser-script.ts';
import { verdictVectors } from '../../../support/verdicts/vectors.ts';

const files = scratch();
const script = new BrowserScript();
afterAll(() => {
  files.dispose();
  script[Symbol.dispose]();
});

const vectors = verdictVectors(files.path);
const ofPage = vectors.filter(isForPage);

test('the script of the page gets every vector but those with a copy of a log', () => {
  const left = new Set(vectors.filter((vector) => !isForPage(vector)).map(({ directory }) => directory));
  expect([...left].sort()).toEqual(['journal', 'keys', 'linked-account']);
  expect(ofPage.length).toBeGreaterThan(2000);
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
