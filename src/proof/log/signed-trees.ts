import type { SignedTree } from './log-keys.ts';

/** Returns trees in the order of their logs, sizes and times, each once: proofs of a document share some. */
export function eachTreeOnce(trees: readonly SignedTree[]): SignedTree[] {
  const byName = new Map(
    trees.map((tree) => [JSON.stringify([tree.log, tree.tree_size, tree.signed_at]), tree]),
  );
  return [...byName.values()].sort(
    (one, other) =>
      ascending(one.log, other.log) ||
      (one.tree_size ?? 0) - (other.tree_size ?? 0) ||
      ascending(one.signed_at ?? '', other.signed_at ?? ''),
  );
}

const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
