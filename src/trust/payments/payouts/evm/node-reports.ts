import type { NodeProblem, NodeReport } from '../rail.ts';

/** What is known about the nodes of a chain, in memory: what is wrong with each, by its number. */
export class NodeReports {
  private readonly looks = new Map<number, NodeProblem>();
  private readonly differing = new Set<number>();

  /** Stores what the newest look at a node found; null for nothing. */
  looked(node: number, problem: NodeProblem | null): void {
    if (problem === null) this.looks.delete(node);
    else this.looks.set(node, problem);
  }

  /**
   * Stores whether a node says the same about a transaction as more than half. One that said something else
   * is reported until it agrees about another.
   */
  compared(node: number, isSame: boolean): void {
    if (isSame) this.differing.delete(node);
    else this.differing.add(node);
  }

  /** Returns the nodes with a problem. */
  get all(): NodeReport[] {
    const numbers = new Set([...this.looks.keys(), ...this.differing]);
    return [...numbers]
      .toSorted((one, other) => one - other)
      .map((node) => ({ node, problem: this.looks.get(node) ?? 'differs' }));
  }
}
