import type { Database } from 'bun:sqlite';
import type { Numbers } from '../build/segments.ts';

/**
 * The numbers of the lists and sets of codes of an existing file. New ones get the next numbers, and rows.
 */
export class StoredNumbers implements Numbers {
  private readonly lists = new Map<string, number>();
  private readonly sets = new Map<string, number>();

  /** @param codesTextOf returns the part of the public record that follows from a set of codes */
  constructor(
    private readonly database: Database,
    private readonly codesTextOf: (joined: string) => string,
  ) {}

  list(label: string): number {
    const known =
      this.lists.get(label) ?? this.find('SELECT list AS number FROM list WHERE label = ?', label);
    const number = known ?? this.next('SELECT max(list) AS number FROM list');
    if (known === null) this.database.query('INSERT INTO list VALUES (?, ?)').run(number, label);
    this.lists.set(label, number);
    return number;
  }

  codes(joined: string): number {
    const known =
      this.sets.get(joined) ?? this.find('SELECT codes AS number FROM codes WHERE joined = ?', joined);
    const number = known ?? this.next('SELECT max(codes) AS number FROM codes');
    if (known === null) {
      this.database.query('INSERT INTO codes VALUES (?, ?, ?)').run(number, joined, this.codesTextOf(joined));
    }
    this.sets.set(joined, number);
    return number;
  }

  private find(sql: string, text: string): number | null {
    return this.database.query<{ number: number }, [string]>(sql).get(text)?.number ?? null;
  }

  private next(sql: string): number {
    return (this.database.query<{ number: number | null }, []>(sql).get()?.number ?? -1) + 1;
  }
}
