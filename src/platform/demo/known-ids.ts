import { freshIds, type Ids } from '../ids.ts';

/** Returns reserved identifiers and secrets in their order, and new ones when no reserved one fits. */
export class KnownIds implements Ids {
  private readonly reserved: string[] = [];

  /** Reserves identifiers. Each is returned for a later call with its prefix. */
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
