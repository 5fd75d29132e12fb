/** Returns the first 48 bits of a content hash, by which versions are indexed. */
export function hashPrefix(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 12), 16);
}
