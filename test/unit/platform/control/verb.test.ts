import { expect, test } from 'bun:test';
import { pages } from '../../../../src/platform/control/run-action.ts';

test('the pages of a list are read one after the other, each behind the cursor of the one before', async () => {
  const asked: (string | undefined)[] = [];
  const read = async ({ cursor }: { cursor?: string }) => {
    asked.push(cursor);
    const at = cursor === undefined ? 0 : Number(cursor);
    return { data: [at, at + 1], next_cursor: at < 4 ? String(at + 2) : null };
  };
  expect(await Array.fromAsync(pages(read))).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  expect(asked).toEqual([undefined, '2', '4']);
});

test('a list without rows is one page without rows', async () => {
  expect(await Array.fromAsync(pages(async () => ({ data: [], next_cursor: null })))).toEqual([[]]);
});
