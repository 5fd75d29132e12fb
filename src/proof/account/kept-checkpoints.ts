import { AHEAD_MS } from '../encoding/timestamp.ts';

/** A verifier reads no more of them, and a monitor keeps no more. */
export const KEPT_CHECKPOINTS_MAX = 1_000_000;

/**
 * A checkpoint that the quorum cosigned, with two Unix times in milliseconds, so that one lying witness of
 * several can only make what they prove less precise.
 */
export interface KeptCheckpoint {
  size: number;
  root: Uint8Array;
  /** `attested_at`: the cosignatures from then on meet the quorum. What it does not have came later. */
  at: number;
  /** `attestedBy`: the cosignatures up to then meet the quorum. What it has was in the log before. */
  by: number;
}

/** The times between which a leaf was written, in milliseconds; null where no kept checkpoint bounds it. */
export interface LeafTimes {
  after: number | null;
  before: number | null;
}

/**
 * The kept checkpoints of a log, by which the times of its leaves are bounded: a leaf was written after the
 * newest checkpoint that does not have it, and before the oldest one that has it. Leaves are asked for in the
 * order of the log.
 */
export class KeptCheckpoints {
  /** By size. */
  readonly #kept: readonly KeptCheckpoint[];
  /** The oldest `by` of each checkpoint and those after it: of a larger tree it can be earlier. */
  readonly #oldest: readonly number[];
  /** The first checkpoint that has the leaf that was asked for last. */
  #next = 0;
  /** The newest `at` of the checkpoints before that one. */
  #after: number | null = null;

  constructor(kept: readonly KeptCheckpoint[]) {
    this.#kept = kept.toSorted((one, other) => one.size - other.size);
    const oldest = this.#kept.map(({ by }) => by);
    for (let index = oldest.length - 2; index >= 0; index--)
      oldest[index] = Math.min(oldest[index] ?? 0, oldest[index + 1] ?? 0);
    this.#oldest = oldest;
  }

  get all(): readonly KeptCheckpoint[] {
    return this.#kept;
  }

  /** Returns the times of a leaf. @param index not less than the last time */
  timesOf(index: number): LeafTimes {
    for (let next = this.#kept[this.#next]; next !== undefined && next.size <= index; ) {
      this.#after = Math.max(this.#after ?? next.at, next.at);
      next = this.#kept[++this.#next];
    }
    return { after: this.#after, before: this.#oldest[this.#next] ?? null };
  }
}

/** Returns whether a time is at most 60 s outside the times of its leaf. */
export function isWithin(at: number, { after, before }: LeafTimes): boolean {
  return (after === null || at >= after - AHEAD_MS) && (before === null || at <= before + AHEAD_MS);
}
