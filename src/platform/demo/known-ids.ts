import { freshIds, type Ids } from '../ids.ts';

/** Gives the identifiers and secrets that were reserved, in their order, and fresh ones where none is. */
export class KnownIds implements Ids {
  private readonly reserved: string[] = [];

  /** Reserves what is given next to whoever asks for its prefix and length. */
  reserve(...ids: readonly string[]): void {
    this.reserved.push(...ids);
  }

  newId(prefix: string): string {
    return this.taken(prefix) ?? freshIds.newId(prefix);
  }

  newSecret(prefix: string): string {
    return this.taken(prefix) ?? freshIds.newSecret(prefix);
  }

  newText(prefix: string, length: number): string {
    return this.taken(prefix) ?? freshIds.newText(prefix, length);
  }

  private taken(prefix: string): string | null {
    const index = this.reserved.findIndex((id) => id.startsWith(prefix));
    return this.reserved.splice(index, index < 0 ? 0 : 1)[0] ?? null;
  }
}
