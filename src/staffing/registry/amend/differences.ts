import { CHANGE, LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import type { ClinicianChange } from './history.ts';
import { digestsBetween, evenSegments } from './store.ts';

/** Yields the changes that make one registry of another, by NPI. Both are read as streams, in NPI order. */
export function* differences(before: Connection, after: Connection): Generator<ClinicianChange> {
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

  constructor(connection: Connection) {
    this.segments = evenSegments.on(connection).map((segment) => new SegmentVersions(connection, segment));
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
  private rows: ReturnType<typeof digestsBetween.on> = [];
  private index = 0;
  private readonly memory = new RowMemory();
  private readonly start: number;

  constructor(
    private readonly connection: Connection,
    segment: number,
  ) {
    this.start = placeOf(segment, 0);
    this.read(this.start);
  }

  advance(): void {
    this.index++;
    if (this.index < this.rows.length) this.take();
    else this.read(this.start + this.place + 1);
  }

  private read(from: number): void {
    const end = this.start + placeOf(1, 0);
    this.rows = digestsBetween.on(this.connection, { from, end, limit: CHUNK });
    this.index = 0;
    this.memory.used(this.rows.length);
    this.take();
  }

  private take(): void {
    const row = this.rows[this.index];
    this.place = row === undefined ? END : row.place - this.start;
    this.digest = row?.digest ?? 0;
  }
}
