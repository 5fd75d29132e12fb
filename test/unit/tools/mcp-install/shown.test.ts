import { expect, test } from 'bun:test';
import { shownChange, summary } from '../../../../src/tools/mcp-install/shown.ts';

const HOSTILE = 'one\n- x\u001b[2J\u202e';
const change = {
  path: ['mcpServers', HOSTILE],
  before: { command: 'npx\n', args: null },
  after: { command: '/bin/countersign', args: ['mcp', '--', 'npx\n'] },
  edits: [],
};

test('a change is shown with the former and the new command line, and the file behind a link', () => {
  const { before, after } = change;
  expect(
    shownChange({ path: '/a', target: '/b' }, [
      { ...change, path: ['servers', 'one'], before: after, after: before },
    ]),
  ).toBe(`/a -> /b
  servers.one
-   command "/bin/countersign"
-   args    ["mcp", "--", "npx\\n"]
+   command "npx\\n"
`);
});

test('names and commands of strangers stay on their line, and a terminal obeys nothing in them', () => {
  const line = 'mcpServers.one\\n- x\\u001b[2J\\u202e';
  expect(shownChange({ path: '/a', target: '/a' }, [change]).split('\n').slice(0, 3)).toEqual([
    '/a',
    `  ${line}`,
    '-   command "npx\\n"',
  ]);
  const unchanged = [{ path: change.path, reason: 'it has no command' }];
  expect(summary({ path: '/a' }, { text: '', changed: [], unchanged }, 'wrapped')).toBe(
    `unchanged: ${line}: it has no command\nnothing was changed in /a\n`,
  );
  expect(summary({ path: '/a' }, { text: '', changed: [change], unchanged: [] }, 'wrapped', 'more')).toBe(
    `wrapped: ${line}\nmore\n`,
  );
});
