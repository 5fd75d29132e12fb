import type { Database } from 'bun:sqlite';
import { LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import { compareTexts } from '../order-of-texts.ts';
import { OrdinalStore, type PagePosition } from '../search/ordinals-store.ts';
import type { DeadEntries } from './dead-entries.ts';
import type { StoredVersion } from './stored.ts';

/** Comes before all entries. */
const FIRST: PagePosition = { nameKey: '', firstKey: '', npi: 0 };

/**
 * Erases versions of clinicians from a registry file: nothing that names them stays. Their ordinals stay,
 * because all lists and the order of names count them: an erased entry takes the position of the entry before
 * it in its pair of segments. So every name still has as many entries before it as when the segments were
 * written.
 */
export class Eraser {
  private readonly ordinals: OrdinalStore;

  constructor(
    private readonly database: Database,
    private readonly dead: DeadEntries,
  ) {
    this.ordinals = new OrdinalStore(database);
  }

  /** Erases a version of a clinician. */
  erase({ even, ordinal, others, npi }: StoredVersion): void {
    this.eraseName(even, even, ordinal, npi);
    for (const [, , other] of others) this.eraseName(even, even + 1, other, npi);
    this.database.query('DELETE FROM clinician WHERE place = ?').run(placeOf(even, npi - LOWEST_NPI));
  }

  private eraseName(even: number, segment: number, ordinal: number, npi: number): void {
    this.dead.add(segment, ordinal);
    const key = this.positionAt(segment, ordinal);
    if (key === null || key.npi !== npi) return;
    // Entries that were erased after this one have its position, in both segments.
    const runs = [even, even + 1].map((one) => {
      const entries = this.entriesOf(one);
      const from = this.ordinals.firstAfter(one, entries, { ...key, npi: npi - 1 });
      return { segment: one, from, to: this.ordinals.firstAfter(one, entries, key) };
    });
    let before = FIRST;
    for (const { segment: one, from } of runs) {
      const previous = from === 0 ? null : this.positionAt(one, from - 1);
      if (previous !== null && isAfter(previous, before)) before = previous;
    }
    const update = this.database.query(
      `UPDATE entry SET name_key = ?, first_key = ?, npi = ?, codes = 0, head = '', tail = '' WHERE place >= ? AND place < ?`,
    );
    const fence = this.database.query(
      'DELETE FROM fence WHERE segment = ? AND name_key = ? AND first_key = ? AND npi = ?',
    );
    for (const { segment: one, from, to } of runs) {
      if (from === to) continue;
      update.run(before.nameKey, before.firstKey, before.npi, placeOf(one, from), placeOf(one, to));
      fence.run(one, key.nameKey, key.firstKey, npi);
    }
  }

  private positionAt(segment: number, ordinal: number): PagePosition | null {
    return this.database
      .query<PagePosition, [number]>(
        'SELECT name_key AS nameKey, first_key AS firstKey, npi FROM entry WHERE place = ?',
      )
      .get(placeOf(segment, ordinal));
  }

  private entriesOf(segment: number): number {
    const row = this.database
      .query<{ entries: number }, [number]>('SELECT entries FROM segment WHERE segment = ?')
      .get(segment);
    return row?.entries ?? 0;
  }
}

function isAfter(left: PagePosition, right: PagePosition): boolean {
  const byName = compareTexts(left.nameKey, right.nameKey) || compareTexts(left.firstKey, right.firstKey);
  return (byName || left.npi - right.npi) > 0;
}
