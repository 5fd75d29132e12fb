import type { Database } from 'bun:sqlite';
import { CHANGE, LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { ClinicianChange } from './history.ts';

/** Yields the changes that make one registry of another, by NPI. Both are read as streams, in NPI order. */
export function* differences(before: Database, after: Database): Generator<ClinicianChange> {
  const old = new Versions(before);
  const fresh = new Versions(after);
  while (old.place !== END || fresh.place !== END) {
    const place = Math.min(old.place, fresh.place);
    const npi = place + LOWEST_NPI;
    if (old.place !== place) yield { npi, kind: CHANGE.added };
    else if (fresh.place !== place) yield { npi, kind: CHANGE.removed };
    else if (old.digest !== fresh.digest) yield { npi, kind: CHANGE.updated };
    if (old.place === place) old.advance();
    if (fresh.place === place) fresh.advance();
  }
}

const END = Number.POSITIVE_INFINITY;
const CHUNK = 8192;

/**
 * The clinicians of a file in NPI order, each in the newest version. Versions of removed clinicians do not
 * exist in any segment.
 */
class Versions {
  /** The NPI less 10^9 of the clinician at which this stands; END after the last one. */
  place = END;
  digest = 0;
  /** The newest segment first. */
  private readonly segments: SegmentVersions[];

  constructor(database: Database) {
    this.segments = database
      .query<{ segment: number }, []>(
        'SELECT segment FROM segment WHERE segment % 2 = 0 ORDER BY segment DESC',
      )
      .all()
      .map(({ segment }) => new SegmentVersions(database, segment));
    this.find();
  }

  advance(): void {
    for (const segment of this.segments) if (segment.place === this.place) segment.advance();
    this.find();
  }

  private find(): void {
    this.place = END;
    for (const { place, digest } of this.segments) {
      if (place >= this.place) continue;
      this.place = place;
      this.digest = digest;
    }
  }
}

/**
 * The rows of `clinician` of an even segment, read in chunks, because a running statement would keep the file
 * from changing.
 */
class SegmentVersions {
  place = END;
  digest = 0;
  private rows: (string | bigint | NodeJS.TypedArray | number | boolean | null)[][] = [];
  private index = 0;
  private readonly memory = new RowMemory();
  private readonly start: number;
  private readonly select;

  constructor(database: Database, segment: number) {
    this.start = placeOf(segment, 0);
    this.select = database.query<unknown, [number, number]>(
      `SELECT place, digest FROM clinician WHERE place >= ? AND place < ? ORDER BY place LIMIT ${CHUNK}`,
    );
    this.read(this.start);
  }

  advance(): void {
    this.index++;
    if (this.index < this.rows.length) this.take();
    else this.read(this.start + this.place + 1);
  }

  private read(from: number): void {
    this.rows = this.select.values(from, this.start + placeOf(1, 0));
    this.index = 0;
    this.memory.used(this.rows.length);
    this.take();
  }

  private take(): void {
    const [place, digest] = this.rows[this.index] ?? [];
    this.place = place === undefined ? END : Number(place) - this.start;
    this.digest = Number(digest ?? 0);
  }
}
