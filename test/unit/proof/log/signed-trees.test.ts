import { expect, test } from 'bun:test';
import type { SignedTree } from '../../../../src/proof/log/log-keys.ts';
import { eachTreeOnce, TreesOfLogs } from '../../../../src/proof/log/signed-trees.ts';

const tree = (log: string, tree_size: number | null, signed_at: string | null = null): SignedTree => ({
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

test('of many trees of a log the smallest and the largest are kept, whatever their order', () => {
  const trees = [
    ...[tree('b/keys', 3), tree('a/receipts', 5, '2026-01-01'), tree('a/receipts', 9, '2026-01-02')],
    ...[tree('a/receipts', 9, '2026-01-03'), tree('a/receipts', 2), tree('a/receipts', 7), tree('b/keys', 3)],
  ];
  const kept = [tree('a/receipts', 2), tree('a/receipts', 9, '2026-01-03'), tree('b/keys', 3)];
  for (const order of [trees, trees.toReversed()]) {
    const logs = new TreesOfLogs();
    for (const one of order) logs.add([one]);
    expect(logs.trees()).toEqual(kept);
  }
});
