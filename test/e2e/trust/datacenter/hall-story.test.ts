import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

const page = pageOf('datacenter.md');
const needed = ['bash', 'curl', 'jq'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/datacenter.md: the story of a hall runs word for word', async () => {
  const { said } = await runStory(shellBlocks(page));
  const [simulated = '', declared = '', measured = '', figures = '', verified = ''] = said.map((text) =>
    text.trim(),
  );
  expect(simulated).toBe('[null,null,"ISO/IEC 30134-2:2026"]');
  expect([declared, measured.split('\n').at(-1)]).toEqual(['declared', 'hardware_measured']);
  expect(page).toContain(`It prints \`${figures}\``);
  expect(verified.split('\n').slice(0, 3)).toEqual(['valid', 'valid', 'valid']);
  expect(page).toContain(`then \`${verified.split('\n')[3]}\``);
});
