import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

test('docs/opentelemetry.md can be followed as it is, and shows what the service responds', async () => {
  const page = pageOf('opentelemetry.md');
  const { said } = await runStory(shellBlocks(page));
  const [, shown = ''] = /```json\n(.*)\n```/.exec(page) ?? [];
  expect(JSON.parse(said[0] ?? '')).toEqual(JSON.parse(shown));
});
