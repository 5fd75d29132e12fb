import type { PackageText, TreeSizes } from './request.ts';

/** The most memory that cached packages take: 16 MiB of text. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A package with what it depends on. */
export interface CachedPackage extends PackageText {
  /** When it was built, in milliseconds since 1970. */
  builtAt: number;
  /** The subject's `state` and `version`. */
  state: string;
  version: string;
  /** The sizes of the trees when it was built. */
  sizes: TreeSizes;
  /** The key that signed it. */
  keySeq: number;
}

/** The newest package for each key. The least recently used one is dropped first. */
export class PackageCache {
  private readonly entries = new Map<string, CachedPackage>();
  private characters = 0;

  constructor(private readonly maxCharacters: number = MAX_CHARACTERS) {}

  get(key: string): CachedPackage | null {
    const entry = this.entries.get(key);
    if (entry === undefined) return null;
    // Makes it the most recently used one.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: CachedPackage): void {
    this.delete(key);
    this.entries.set(key, entry);
    this.characters += entry.json.length;
    for (const oldest of this.entries.keys()) {
      if (this.characters <= this.maxCharacters) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.characters -= entry.json.length;
  }
}
