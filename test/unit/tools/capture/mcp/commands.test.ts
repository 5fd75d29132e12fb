import { expect, test } from 'bun:test';
import { wrapsServer } from '../../../../../src/tools/capture/mcp/commands.ts';

const lines: [line: string, wraps: boolean][] = [
  ['-- server', true],
  ['--url http://127.0.0.1 -- server', true],
  ['-- install cursor', true],
  ['--agent install -- serve', true],
  ['install cursor', false],
  ['install cursor -- x', false],
  ['serve', false],
  ['server', false],
  ['--help', false],
  ['', false],
];
test.each(lines)('the words %j after mcp are a server: %j', (line, wraps) => {
  expect(wrapsServer(line.split(' '), ['install', 'serve'])).toBe(wraps);
});
