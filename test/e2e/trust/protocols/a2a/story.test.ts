import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf, ROOT, runStory, shellBlocks } from '../../../../support/story.ts';

const page = pageOf('a2a.md');
const blocks = shellBlocks(page);
const needed = ['bash', 'curl', 'jq', 'openssl', 'node'].filter((name) => Bun.which(name) === null);

test('docs/a2a.md names the version of the SDK that the tests use', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(page).toContain(`@a2a-js/sdk@${devDependencies['@a2a-js/sdk']}`);
});

test.skipIf(needed.length > 0)('docs/a2a.md: the story of a hire by A2A runs word for word', async () => {
  const { said } = await runStory(blocks);
  const [granted = '', written = '', asked = '', hired = '', delivered = '', paid = '', verified = ''] = said;
  expect(granted).toContain('"available":100');
  expect(written.trim()).toBe('');
  expect(asked).toStartWith('TASK_STATE_INPUT_REQUIRED\nSend the terms as data.');
  expect(hired).toStartWith('TASK_STATE_WORKING\n40 credits were locked.');
  expect(hired).toContain('"locked":40,"available":60');
  expect(delivered).toContain('"event_commitment_hash"');
  expect(paid).toStartWith('TASK_STATE_INPUT_REQUIRED\nThe worker delivered ');
  expect(paid).toContain('\nTASK_STATE_COMPLETED\n');
  expect(paid).toContain('"earned":40,"spent":0,"locked":0,"available":40');
  expect(verified).toStartWith('TASK_STATE_COMPLETED\nvalid: The receipt is authentic');
});
