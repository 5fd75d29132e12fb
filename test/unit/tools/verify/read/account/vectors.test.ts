import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../../../../../../src/proof/encoding/json.ts';
import {
  givenIn,
  LINKED_ACCOUNT_VECTORS,
  type StoredStory,
  storedStories,
  writeLinkedAccount,
  writtenAbout,
} from '../../../../../support/linked-account-vectors.ts';
import { scratch } from '../../../../../support/process.ts';
import { accountsJudgedByPython, hasPython } from '../../../../../support/python.ts';

const place = scratch();
afterAll(() => place.dispose());

const stored: StoredStory[] = JSON.parse(readFileSync(join(LINKED_ACCOUNT_VECTORS, 'stories.json'), 'utf8'));

/** Whether lines, null for none, are those of a story. A detail is compared as far as it is stated. */
function areStated(lines: JsonValue[] | null, { problems, summary }: StoredStory): boolean {
  if (lines === null || problems === null) return lines === problems && summary === null;
  const shown = lines.slice(0, -1).map((line, index) => {
    const { detail = null, ...rest } = isJsonObject(line) ? line : {};
    const beginning = problems[index]?.detail;
    if (typeof beginning !== 'string') return rest;
    return { ...rest, detail: String(detail).startsWith(beginning) ? beginning : detail };
  });
  return Bun.deepEquals([shown, lines.at(-1)], [problems, summary]);
}

test('the files are those that are written anew', () => {
  const own = join(place.path, 'linked-account');
  writeLinkedAccount(own);
  const filesIn = (directory: string): string[][] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'stories.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(directory.length), readFileSync(path, 'latin1')])
      .toSorted();
  expect(filesIn(LINKED_ACCOUNT_VECTORS)).toEqual(filesIn(own));
  expect(stored.map(({ summary: _, ...story }) => story)).toEqual(storedStories());
});

test('each story names exactly what it states', async () => {
  const wrong: unknown[] = [];
  for (const story of stored) {
    const lines = await writtenAbout(story);
    if (!areStated(lines, story)) wrong.push([story, lines]);
  }
  expect(wrong).toEqual([]);
}, 60_000);

test('src/tools/python/verify.py says the same', async () => {
  if (!hasPython) return;
  const answers = await accountsJudgedByPython(
    stored.map((story) => ({ ...givenIn(story), now: Date.parse(story.at) / 1000 })),
  );
  const wrong = stored.flatMap((story, index) => {
    const { refused, written = [] } = Object(answers[index]);
    const lines = typeof refused === 'string' && written.length === 0 ? null : written;
    return areStated(lines, story) ? [] : [[story, answers[index]]];
  });
  expect(wrong).toEqual([]);
}, 60_000);
