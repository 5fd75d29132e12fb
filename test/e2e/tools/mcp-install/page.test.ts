import { expect, test } from 'bun:test';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

test('docs/mcp-clients.md: servers are wrapped and unwrapped as the page shows', async () => {
  const blocks = shellBlocks(pageOf('mcp-clients.md'));
  const { said, stderr } = await runStory(blocks, { XDG_STATE_HOME: 'tryout/state' });
  expect(stderr).toBe('');
  const [installed = '', uninstalled] = said;
  expect(installed).toMatch(
    /^wrapped: mcpServers\.files\nunchanged: mcpServers\.notion: .*\nthe file as it was is in /,
  );
  expect(installed).toMatch(
    /"files": \{ "command": ".*\/countersign", "args": \["mcp", "--local=\/.*", "--agent=clerk", "--", "npx", "-y", .* \/\/ ours\n/,
  );
  expect(uninstalled).toBe('unwrapped: mcpServers.files\n\n');
});
