import { expect, test } from 'bun:test';
import type { SignedTree } from '../../../../src/proof/log/log-keys.ts';
import { eachTreeOnce } from '../../../../src/proof/log/signed-trees.ts';

const tree = (log: string, tree_size: number | null, signed_at: string | null): SignedTree => ({
  ...{ log, tree_size, signed_at },
});

test('trees are in the order of their logs, sizes and times, each once', () => {
  const trees = [
    tree('a/keys', 2, null),
    tree('a/receipts', null, null),
    tree('a/receipts', 9, null),
    tree('a/receipts', 10, null),
    tree('a/receipts', 10, '2026-06-01T12:00:00.000Z'),
    tree('a/receipts', 10, '2026-06-01T12:00:01.000Z'),
  ];
  expect(eachTreeOnce([...trees].reverse())).toEqual(trees);
  expect(eachTreeOnce([...trees, ...structuredClone(trees)])).toEqual(trees);
  expect(eachTreeOnce([])).toEqual([]);
});
