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

/** Keeps of each log the smallest and the largest of its trees, however many documents cite. */
export class TreesOfLogs {
  readonly #logs = new Map<string, { smallest: SignedTree; largest: SignedTree }>();

  add(trees: readonly SignedTree[]): void {
    for (const tree of trees) {
      const known = this.#logs.get(tree.log);
      if (known === undefined) this.#logs.set(tree.log, { smallest: tree, largest: tree });
      else if (isBefore(tree, known.smallest)) known.smallest = tree;
      else if (isBefore(known.largest, tree)) known.largest = tree;
    }
  }

  /** Returns the trees in the order of their logs, sizes and times, each once. */
  trees(): SignedTree[] {
    return eachTreeOnce([...this.#logs.values()].flatMap(({ smallest, largest }) => [smallest, largest]));
  }
}

/** Compares trees of one log by their sizes, then by their times. */
function isBefore(one: SignedTree, other: SignedTree): boolean {
  const [size, otherSize] = [one.tree_size ?? 0, other.tree_size ?? 0];
  return size === otherSize ? (one.signed_at ?? '') < (other.signed_at ?? '') : size < otherSize;
}

const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
