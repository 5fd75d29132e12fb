import { expect, test } from 'bun:test';
import { type Column, listText, tableText } from '../../../../src/platform/terminal/table.ts';

interface Row {
  id: string;
  count: number;
  name: string | null;
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', cellOf: ({ id }) => id },
  { title: 'COUNT', isNumber: true, cellOf: ({ count }) => count },
  { title: 'NAME', cellOf: ({ name }) => name },
];
const ROWS: Row[] = [
  { id: 'a', count: 1, name: 'Acme & Söhne' },
  { id: 'long', count: 123_456, name: null },
];

test('a table has a line of titles, numbers to the right, and a dash where there is nothing', () => {
  expect(tableText(COLUMNS, ROWS)).toBe(
    ['ID     COUNT  NAME', 'a          1  Acme & Söhne', 'long  123456  -', ''].join('\n'),
  );
});

test('a table of no rows has its titles', () => {
  expect(tableText(COLUMNS, [])).toBe('ID  COUNT  NAME\n');
});

test('characters of two columns are counted as two', () => {
  const rows = [
    { id: '日本', count: 1, name: 'x' },
    { id: 'abcd', count: 1, name: 'x' },
  ];
  const [, first = '', second = ''] = tableText(COLUMNS, rows).split('\n');
  expect([Bun.stringWidth(first), second.length]).toEqual([second.length, second.length]);
});

test('control characters are escaped, and a cell has one line', () => {
  const text = tableText(COLUMNS, [{ id: 'a', count: 1, name: '\u001b[31mred\nrow' }]);
  expect(text).toBe('ID  COUNT  NAME\na       1  \\u001b[31mred\\nrow\n');
});

test('a table as JSON has a line for each row, whole', () => {
  const lines = listText(COLUMNS, ROWS, true).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(ROWS);
});
