import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../../support/story.ts';

const page = pageOf('credits.md');
const blocks = shellBlocks(page);
const needed = ['bash', 'curl', 'jq', 'openssl'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/credits.md: the story of a hire runs word for word', async () => {
  const { said } = await runStory(blocks);
  const [granted = '', hired = '', delivered = '', paid = '', verified = '', ...journals] = said;
  const [downloaded = '', entry = '', detail = ''] = journals;
  expect(granted).toContain('"available":100');
  expect(hired).toContain('"status":"HELD"');
  expect(hired).toContain('"locked":40,"available":60');
  expect(delivered).toContain('"DELIVERED"');
  expect(paid).toContain('"earned":40,"spent":0,"locked":0,"available":40');
  for (const part of [
    'engagement:audit-7',
    'valid',
    'ESCROW_RELEASE',
    'audit-7',
    '{"ok":true,"problems":0,"only":["ledger"],"examined":{"deliveries":1,',
    '"movements":4',
  ])
    expect(verified).toContain(part);
  const checks = downloaded
    .trimEnd()
    .split('\n')
    .map((line) => Object(JSON.parse(line)).checks);
  const consistent = { chain: 'ok', balances: 'ok', figures: 'ok', details: 'ok' };
  expect(checks).toEqual([consistent, { ...consistent, head: 'ok' }]);
  const [computed, head, entryHash, previous, before] = entry.split('\n');
  expect([head, entryHash, before]).toEqual([computed, computed, previous]);
  const [computedDetail, detailHash] = detail.split('\n');
  expect([computedDetail, detailHash]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), computedDetail]);
});
