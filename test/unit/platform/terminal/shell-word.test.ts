import { expect, test } from 'bun:test';
import { shellWord } from '../../../../src/platform/terminal/shell-word.ts';

test.each(['/var/lib/countersign/trust', "/srv/it's here", '/tmp/$HOME `id`', ''])(
  'a shell reads %p as one word with this text',
  (text) => {
    const { stdout } = Bun.spawnSync(['sh', '-c', `printf %s ${shellWord(text)}`]);
    expect(stdout.toString()).toBe(text);
  },
);

test('a plain path has no quotes', () => {
  expect(shellWord('/var/lib/countersign/trust')).toBe('/var/lib/countersign/trust');
});
