import type { Connection } from '../../../platform/store/connection.ts';
import type { Numbers } from '../build/segments.ts';
import { insertCodes, insertList } from '../build/store.ts';
import { codesWith, lastCodes, lastList, listWith } from './store.ts';

/**
 * The numbers of the lists and sets of codes of an existing file. New ones get the next numbers, and rows.
 */
export class StoredNumbers implements Numbers {
  private readonly lists = new Map<string, number>();
  private readonly sets = new Map<string, number>();

  /** @param codesTextOf returns the part of the public record that follows from a set of codes */
  constructor(
    private readonly connection: Connection,
    private readonly codesTextOf: (joined: string) => string,
  ) {}

  list(label: string): number {
    const { connection } = this;
    const known = this.lists.get(label) ?? listWith.on(connection, label);
    const number = known ?? (lastList.on(connection) ?? -1) + 1;
    if (known === null) insertList.on(connection, { list: number, label });
    this.lists.set(label, number);
    return number;
  }

  codes(joined: string): number {
    const { connection } = this;
    const known = this.sets.get(joined) ?? codesWith.on(connection, joined);
    const number = known ?? (lastCodes.on(connection) ?? -1) + 1;
    if (known === null) {
      insertCodes.on(connection, { codes: number, joined, text: this.codesTextOf(joined) });
    }
    this.sets.set(joined, number);
    return number;
  }
}
