import { BASE, CHANGE, placeOf } from '../../../../db/staffing/registry/schema.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { People } from '../build/people.ts';
import { type Numbers, type Texts, writeSegmentPair } from '../build/segments.ts';
import type { Labels } from '../entry.ts';
import { DeadEntries } from './dead-entries.ts';
import { Eraser } from './eraser.ts';
import type { ClinicianChange } from './history.ts';
import { deletePairs, deletePlaces, entriesIn } from './store.ts';
import { type StoredClinician, StoredClinicians, type StoredVersion } from './stored.ts';

/** A clinician to write, with the digest of the record and all names. */
export interface Put {
  clinician: StoredClinician;
  digest: number;
}

/**
 * Up to this many records are written to a small pair of segments of their own, so that the change is short.
 */
const SMALL_PAIR = 250;
/** The number of pairs besides the base from which on all are written as one: each makes searches slower. */
const MOST_PAIRS = 3;

/** The steps of an amendment, within its transaction. */
export class AmendmentSteps {
  /** What was changed, each clinician once. */
  readonly changes: ClinicianChange[] = [];
  private readonly stored: StoredClinicians;
  private readonly dead: DeadEntries;
  private readonly pairs: readonly number[];

  constructor(
    private readonly connection: Connection,
    private readonly numbers: Numbers,
    private readonly labels: () => Labels,
  ) {
    this.stored = new StoredClinicians(connection);
    this.dead = new DeadEntries(connection, numbers);
    this.pairs = this.stored.pairs();
  }

  /** @returns how many of `puts` are in the registry already */
  run(puts: Map<number, Put>, restored: ReadonlyMap<number, Put>, removed: ReadonlySet<number>): number {
    const wanted = new Map([...puts].filter(([npi]) => !removed.has(npi)));
    const replaced: StoredVersion[] = [];
    let unchanged = 0;
    for (const [npi, { digest }] of wanted) {
      const version = this.stored.newestIn(this.pairs, npi);
      if (version?.digest === digest) {
        wanted.delete(npi);
        unchanged++;
        continue;
      }
      if (version !== null) replaced.push(version);
      this.changes.push({ npi, kind: version === null ? CHANGE.added : CHANGE.updated });
    }
    for (const [npi, put] of restored) {
      if (removed.has(npi) || puts.has(npi) || this.stored.newestIn(this.pairs, npi) !== null) continue;
      wanted.set(npi, put);
      this.changes.push({ npi, kind: CHANGE.added });
    }
    this.remove(removed);
    if (wanted.size > 0) this.write(wanted, replaced);
    this.dead.write();
    return unchanged;
  }

  /** Erases clinicians in all their versions. */
  remove(npis: Iterable<number>): void {
    const eraser = new Eraser(this.connection, this.dead);
    for (const npi of npis) {
      let isKnown = false;
      for (const even of this.pairs) {
        const version = this.stored.versionIn(even, npi);
        if (version === null) continue;
        eraser.erase(version);
        isKnown = true;
      }
      if (isKnown) this.changes.push({ npi, kind: CHANGE.removed });
    }
  }

  /**
   * Writes a new pair of segments with the given clinicians and those of the pairs that it takes the place
   * of.
   */
  private write(puts: ReadonlyMap<number, Put>, replaced: readonly StoredVersion[]): void {
    const merged = this.pairsToMerge(puts.size);
    const people = new People();
    const clinicians: StoredClinician[] = [];
    const add = (clinician: StoredClinician): void => {
      const { entry, head, codesText, tail } = clinician;
      people.add(entry, `${head}${codesText}${tail}`);
      clinicians.push(clinician);
    };
    const seen = new Set(puts.keys());
    for (const even of merged) {
      for (const clinician of this.stored.cliniciansOf(even)) {
        const [npi] = clinician.entry.columns;
        if (seen.has(npi)) continue;
        seen.add(npi);
        add(clinician);
      }
    }
    for (const { clinician } of puts.values()) add(clinician);
    for (const { even, ordinal, others } of replaced) {
      this.dead.add(even, ordinal);
      for (const [, , other] of others) this.dead.add(even + 1, other);
    }
    for (const even of merged) this.deletePair(even);
    const texts: Texts = {
      each(numbers, visit) {
        for (const [index, number] of numbers.entries()) {
          const { head = '', tail = '' } = clinicians[number] ?? {};
          visit(index, number, Buffer.from(head), Buffer.from(tail));
        }
      },
    };
    const even = (this.pairs[0] ?? BASE.whole) + 2;
    writeSegmentPair(this.connection, even, people, texts, this.numbers, this.labels());
  }

  private pairsToMerge(puts: number): readonly number[] {
    const pairs = this.pairs.filter((even) => even !== BASE.whole);
    const [newest] = pairs;
    if (newest === undefined || puts > SMALL_PAIR) return pairs;
    if ((entriesIn.on(this.connection, newest) ?? 0) <= SMALL_PAIR) return [newest];
    return pairs.length < MOST_PAIRS ? [] : pairs;
  }

  private deletePair(even: number): void {
    const places = { from: placeOf(even, 0), end: placeOf(even + 2, 0) };
    for (const statement of deletePlaces) statement.on(this.connection, places);
    for (const statement of deletePairs) statement.on(this.connection, { even, odd: even + 1 });
    this.dead.forget(even);
    this.dead.forget(even + 1);
  }
}
