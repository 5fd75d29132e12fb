import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { OVERLAP_MS } from '../../../proof/log/key-purposes.ts';
import { parseNote } from '../../../proof/log/note.ts';
import { checkNote, type SignatureCheck } from '../../../proof/log/note-signature.ts';
import type { KeyLogState } from './key-log-state.ts';
import { type LogKey, signsFor, verifiersOf } from './log-keys.ts';

/** A checkpoint older than this is late: even without new entries, a log signs one every ten minutes. */
const LATE_SECONDS = 660;

/** The age of a checkpoint. */
export interface Age {
  /** Its age by the time in its signature; null when it has none. */
  seconds: number | null;
  /** The problem with the age, worded to follow "the newest checkpoint"; null for none. */
  problem: string | null;
  /** True if the only problem is that the checkpoint is late. */
  isLate: boolean;
  /** True if no known key of the log signs with a time. */
  isTimeless: boolean;
}

/**
 * Returns the last Unix time in milliseconds at which a key may sign: a replaced key continues for
 * `OVERLAP_MS`, a compromised one never signs.
 */
export function signsUntil(known: KeyLogState, { publicKey }: Pick<LogKey, 'publicKey'>): number {
  const end = known.endOf(publicKey);
  if (end === null) return Number.POSITIVE_INFINITY;
  return end.event === 'compromised' ? Number.NEGATIVE_INFINITY : Date.parse(end.at) + OVERLAP_MS;
}

/** Returns the earliest Unix time in seconds of the valid signatures; null for none. 0 means no time. */
export function statedSeconds(checks: readonly SignatureCheck[]): number | null {
  const times = checks
    .filter(({ verified }) => verified)
    .map(({ timestamp }) => timestamp ?? 0)
    .filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the earliest signature time of a note in seconds, like `statedSeconds`. @throws NoteError */
export function secondsIn(note: string, origin: string, keys: readonly LogKey[]): number | null {
  return statedSeconds(checkNote(nativePrimitives, parseNote(Buffer.from(note)), verifiersOf(keys, origin)));
}

/**
 * Computes the age of a checkpoint from signatures by trusted keys. If one of these keys signs with times, a
 * checkpoint without a time is a problem, because it could be replayed forever.
 *
 * @param now milliseconds since 1970
 */
export function ageOf(
  note: string,
  origin: string,
  { keys, known }: { keys: readonly LogKey[]; known: KeyLogState },
  now: number,
): Age {
  const stated = secondsIn(note, origin, keys);
  const ofLog = keys.filter((key) => signsFor(key, origin));
  const isTimeless = !ofLog.some((key) => key.algorithm === 'ML-DSA-44' && signsUntil(known, key) >= now);
  if (stated === null) {
    const problem = isTimeless ? null : 'has no signature of the log with a time: its age is unknown';
    return { seconds: null, problem, isLate: false, isTimeless };
  }
  const seconds = Math.round(now / 1000 - stated);
  if (seconds > LATE_SECONDS)
    return {
      seconds,
      problem: `is ${Math.floor(seconds / 60)} minutes old`,
      isLate: true,
      isTimeless: false,
    };
  const problem =
    seconds < -AHEAD_MS / 1000
      ? `was signed in the future, at ${momentOf(stated)}: the clock of the service or of this machine is wrong`
      : null;
  return { seconds, problem, isLate: false, isTimeless: false };
}

/** Formats a received time. Not every number of seconds is a valid date. */
export function momentOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds} after 1970` : date.toISOString();
}

/**
 * Returns whether one of the note's signing keys was allowed to sign at the stated time, or now if there is
 * none. A replaced key counts for checkpoints of its time, a compromised one never.
 */
export function isOfItsTime(
  checks: readonly SignatureCheck[],
  keys: readonly LogKey[],
  known: KeyLogState,
  now: number,
): boolean {
  const stated = statedSeconds(checks);
  const at = stated === null ? now : stated * 1000;
  return checks.some(({ key, verified }) => {
    const publicKey = Buffer.from(key.publicKey).toString('hex');
    const trustedKey = keys.find((trusted) => trusted.publicKey === publicKey);
    return verified && trustedKey !== undefined && signsUntil(known, trustedKey) >= at;
  });
}
