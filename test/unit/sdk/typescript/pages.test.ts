import { expect, test } from 'bun:test';
import { List } from '../../../../src/sdk/typescript/pages.ts';

/** A list of a service whose pages `pageOf` makes, by their number. */
function listOf(pageOf: (number: number) => { rows: string[]; next_cursor: string | null }) {
  let read = 0;
  return {
    list: new List(
      async () => pageOf(++read),
      ({ rows }) => rows,
    ),
    reads: () => read,
  };
}

test('a list is read to its last page, empty pages included', async () => {
  const { list } = listOf((number) => ({
    rows: number % 2 === 0 ? [`row ${number}`] : [],
    next_cursor: number === 6 ? null : String(number),
  }));
  expect(await list.toArray(10)).toEqual(['row 2', 'row 4', 'row 6']);
});

test('a list ends when a cursor comes a second time', async () => {
  const { list } = listOf(() => ({ rows: ['row'], next_cursor: 'again' }));
  await expect(list.toArray(10)).rejects.toThrow('a cursor comes a second time');
});

test('a list ends after a thousand pages without rows, even if each has another cursor', async () => {
  const { list, reads } = listOf((number) => ({ rows: [], next_cursor: String(number) }));
  await expect(list.toArray(1)).rejects.toThrow('its pages are empty');
  expect(reads()).toBe(1001);
});
