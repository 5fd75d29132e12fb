import { expect, test } from 'bun:test';
import { wrapCommand } from '../../../../src/tools/capture/mcp/commands.ts';
import { mcpInstallCommand } from '../../../../src/tools/mcp-install/commands.ts';

test('install has the options of the wrapper, except those that name a key', () => {
  const install = mcpInstallCommand().options.map(({ long }) => long);
  const wrapper = wrapCommand(() => Promise.reject(new Error('nothing is opened')), true).options;
  const shown = wrapper.filter(({ hidden }) => !hidden).map(({ long }) => long);
  expect(shown.filter((long) => !install.includes(long))).toEqual(['--url', '--api-key-file']);
});
