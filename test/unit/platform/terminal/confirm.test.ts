import { describe, expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { confirmed } from '../../../../src/platform/terminal/confirm.ts';

/** A terminal at which somebody types a text, and ends the input. */
function terminal(typed: string, isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  stdin.end(typed);
  return { stdin, stderr, shown: () => String(stderr.read() ?? '') };
}

describe('a question before something that cannot be undone', () => {
  test('is answered by yes', async () => {
    const at = terminal('yes\n');
    await confirmed('Send 5 tokens', at);
    expect(at.shown()).toContain('Send 5 tokens\nType yes to continue: ');
  });

  test.each(['y\n', 'Yes\n', 'no\n', '\n', '', 'ye'])('is not answered by %p', async (typed) => {
    await expect(confirmed('Send 5 tokens', terminal(typed))).rejects.toThrow(
      'not confirmed; nothing was done',
    );
  });

  test('is not asked without a terminal', async () => {
    const at = terminal('yes\n', false);
    await expect(confirmed('Send 5 tokens', at)).rejects.toThrow('there is no terminal');
    expect(at.shown()).toBe('');
  });
});
