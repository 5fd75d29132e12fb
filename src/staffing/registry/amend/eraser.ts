import { LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { compareTexts } from '../order-of-texts.ts';
import { OrdinalStore, type PagePosition } from '../search/ordinals-store.ts';
import type { DeadEntries } from './dead-entries.ts';
import { deleteClinician, deleteFence, entriesIn, eraseEntries, positionAt } from './store.ts';
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
    private readonly connection: Connection,
    private readonly dead: DeadEntries,
  ) {
    this.ordinals = new OrdinalStore(connection);
  }

  /** Erases a version of a clinician. */
  erase({ even, ordinal, others, npi }: StoredVersion): void {
    this.eraseName(even, even, ordinal, npi);
    for (const [, , other] of others) this.eraseName(even, even + 1, other, npi);
    deleteClinician.on(this.connection, placeOf(even, npi - LOWEST_NPI));
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
    for (const { segment: one, from, to } of runs) {
      if (from === to) continue;
      const places = { from: placeOf(one, from), end: placeOf(one, to) };
      eraseEntries.on(this.connection, { ...before, ...places });
      deleteFence.on(this.connection, { ...key, segment: one });
    }
  }

  private positionAt(segment: number, ordinal: number): PagePosition | null {
    return positionAt.on(this.connection, placeOf(segment, ordinal));
  }

  private entriesOf(segment: number): number {
    return entriesIn.on(this.connection, segment) ?? 0;
  }
}

function isAfter(left: PagePosition, right: PagePosition): boolean {
  const byName = compareTexts(left.nameKey, right.nameKey) || compareTexts(left.firstKey, right.firstKey);
  return (byName || left.npi - right.npi) > 0;
}
