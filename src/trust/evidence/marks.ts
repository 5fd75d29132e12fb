import type { EvidenceItem } from './store.ts';

/** The first 48 bits of a hash, by which items are indexed. */
export function markOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16);
}

/** All that an item is found by: its payload, itself, and every commit in it. */
export function marksOf(
  { payloadDigest, eventHash }: Pick<EvidenceItem, 'payloadDigest' | 'eventHash'>,
  commits: readonly string[],
): number[] {
  return [payloadDigest, eventHash, ...commits].map(markOf);
}
