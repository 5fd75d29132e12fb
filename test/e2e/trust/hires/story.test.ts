import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

const blocks = shellBlocks(pageOf('engagements.md'));
const needed = ['bash', 'curl', 'jq', 'openssl'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/engagements.md: the story of a dispute runs word for word', async () => {
  const { said } = await runStory(blocks);
  const [granted = '', delivered = '', disputed = '', decided = ''] = said;
  expect(granted).toContain('"available":100');
  expect(delivered).toContain('"status":"DELIVERED"');
  expect(delivered).toContain('"attested_by":"worker"');
  expect(disputed).toContain('DISPUTED\nPosters 16 to 20 are missing.');
  for (const part of [
    'RESOLVED\nadministrator\nworker',
    '"earned":30,"spent":0,"locked":0,"available":30',
    '"spent":30,"locked":0,"available":70',
    'valid',
    '{"ok":true,"problems":0,"only":["ledger"]',
  ])
    expect(decided).toContain(part);
});
