import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { givenIn, type StoredStory, writtenAbout } from '../../../../../../scripts/vectors/linked-account.ts';
import { isJsonObject, type JsonValue } from '../../../../../../src/proof/encoding/json.ts';
import { accountsJudgedByPython, hasPython } from '../../../../../support/python.ts';
import { VECTORS, vectorJson } from '../../../../../support/vectors.ts';

const directory = join(VECTORS, 'linked-account');
const stored = vectorJson<StoredStory[]>('linked-account/stories.json');

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

test('each story names exactly what it states', async () => {
  const wrong: unknown[] = [];
  for (const story of stored) {
    const lines = await writtenAbout(directory, story);
    if (!areStated(lines, story)) wrong.push([story, lines]);
  }
  expect(wrong).toEqual([]);
}, 60_000);

test('src/tools/python/verify.py says the same', async () => {
  if (!hasPython) return;
  const answers = await accountsJudgedByPython(
    stored.map((story) => ({ ...givenIn(directory, story), now: Date.parse(story.at) / 1000 })),
  );
  const wrong = stored.flatMap((story, index) => {
    const { refused, written = [] } = Object(answers[index]);
    const lines = typeof refused === 'string' && written.length === 0 ? null : written;
    return areStated(lines, story) ? [] : [[story, answers[index]]];
  });
  expect(wrong).toEqual([]);
}, 60_000);
