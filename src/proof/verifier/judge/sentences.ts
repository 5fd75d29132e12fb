import type { SignedTree } from '../../log/log-keys.ts';
import { type Cosignatures, describeCosignatures, isMet } from '../../log/quorum.ts';

/** Returns what a log signed: its name, its size and when. */
export function describeTree({ log, tree_size, signed_at, closed }: SignedTree): string {
  const size = tree_size === null ? '' : ` has ${tree_size} ${tree_size === 1 ? 'entry' : 'entries'},`;
  return `${log}${size} signed ${signed_at ?? 'without a time'}${closed === undefined ? '' : CLOSED[closed]}`;
}

/** What is said of a tree of a closed log. */
const CLOSED = {
  final: '; the log was closed at this size',
  unbound:
    '; it is a closed log, and only cosignatures that meet a policy show that these were its first entries (closed_unbound)',
} as const;

/** Returns a line about each checkpoint whose cosignatures meet the policy; none without a policy. */
export function quorumsMet(cosignatures: readonly Cosignatures[] = []): string[] {
  return cosignatures
    .filter(({ check }) => isMet(check))
    .map((found) => `quorum: ${describeCosignatures(found)}`);
}
