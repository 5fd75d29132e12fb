import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { OVERLAP_MS } from '../../../proof/log/log-entry.ts';
import { parseNote } from '../../../proof/log/note.ts';
import { checkNote, type SignatureCheck } from '../../../proof/log/note-signature.ts';
import type { KeyLogState } from './key-log-state.ts';
import { type LogKey, verifiersOf } from './log-keys.ts';

/** A log that does not grow signs anew every ten minutes. */
const LATE_SECONDS = 660;
/** Two clocks may differ by so much. */
const AHEAD_SECONDS = 300;

/** How old a checkpoint is. */
export interface Age {
  /** By the time in its signature; null where that states none. */
  seconds: number | null;
  /** What is wrong with it, in the words that follow the checkpoint. */
  problem: string | null;
  /** Whether that is all that is wrong: it is older than a log that works. */
  isLate: boolean;
  /** Whether no key that is known for the log states a time. */
  isTimeless: boolean;
}

/** The last moment at which a key may have signed, milliseconds since 1970: a key that was rotated out goes on for a while. */
export function signsUntil(known: KeyLogState, { publicKey }: Pick<LogKey, 'publicKey'>): number {
  const end = known.endOf(publicKey);
  if (end === null) return Number.POSITIVE_INFINITY;
  return end.event === 'compromised' ? Number.NEGATIVE_INFINITY : Date.parse(end.at) + OVERLAP_MS;
}

/** The earliest time that a good signature of a known key states, in seconds since 1970; 0 says nothing about time. */
export function statedSeconds(checks: readonly SignatureCheck[]): number | null {
  const times = checks
    .filter(({ verified }) => verified)
    .map(({ timestamp }) => timestamp ?? 0)
    .filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}

/** The same of a note. @throws NoteError */
export function secondsIn(note: string, origin: string, keys: readonly LogKey[]): number | null {
  return statedSeconds(checkNote(nativePrimitives, parseNote(Buffer.from(note)), verifiersOf(keys, origin)));
}

/**
 * How old a checkpoint is, by the keys that are trusted. Where one of them states times, a checkpoint without its line could be
 * replayed for ever, and is told of.
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
  const isTimeless = !keys.some((key) => key.algorithm === 'ML-DSA-44' && signsUntil(known, key) >= now);
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
    seconds < -AHEAD_SECONDS
      ? `was signed in the future, at ${momentOf(stated)}: its clock or this one is wrong`
      : null;
  return { seconds, problem, isLate: false, isTimeless: false };
}

/** A time of somebody else's for people; not every number of seconds is a date. */
export function momentOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds} after 1970` : date.toISOString();
}

/**
 * Whether one of the keys that signed a note may have done so at its time, or now where it states none: a key that was rotated out
 * vouches for what is of its time, and a compromised one for nothing.
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
    const own = keys.find((trusted) => trusted.publicKey === publicKey);
    return verified && own !== undefined && signsUntil(known, own) >= at;
  });
}
