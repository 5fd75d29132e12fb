import { equalBytes } from '../encoding/equal-bytes.ts';
import { AHEAD_MS } from '../encoding/timestamp.ts';
import type { Primitives } from '../primitives.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { type LogPolicy, meetsQuorum } from './log-policy.ts';
import { parseNote } from './note.ts';
import { checkNote } from './note-signature.ts';

/** The results of checking cosignatures against a policy, the worst first, with their descriptions. */
export const QUORUM_CHECKS = {
  unchecked: 'no checkpoint could be checked',
  bad: 'a cosignature is invalid',
  missing: 'the cosignatures do not meet the quorum of the policy',
  future: 'the quorum needs cosignatures that are dated more than 60 s in the future: check the clocks',
  none: 'the policy demands no cosignature (quorum none)',
  closed: 'it is the end of a closed log, which a log of keys records whose cosignatures meet the quorum',
  ok: 'the cosignatures meet the quorum of the policy',
} as const;

export type QuorumCheck = keyof typeof QUORUM_CHECKS;

/** The cosignatures of one checkpoint by the witnesses of a policy. */
export interface Cosignatures {
  check: QuorumCheck;
  /** The origin of the log, and the size in the checkpoint. */
  log: string;
  tree_size: number;
  /**
   * The witnesses whose cosignatures count, by their names in the policy, and the newest time of each. RFC
   * 3339.
   */
  signed: { witness: string; at: string }[];
  /** The other witnesses of the policy. */
  missing: string[];
  /**
   * The newest time that the quorum attests: the cosignatures from then on meet it. RFC 3339; null unless
   * `check` is `ok`.
   */
  attested_at: string | null;
}

/**
 * Checks the cosignatures of a checkpoint against the quorum of a policy (C2SP tlog-policy,
 * tlog-cosignature). It does not check the log's signature. These do not count: cosignatures without a time
 * (the witness then does not say that it saw a consistent log), those more than 60 s in the future, and those
 * by a key that is also a key of the log. A second line by the same key counts once.
 *
 * @param now the Unix time in milliseconds
 * @param logKeys the raw public keys that sign the log
 * @throws NoteError, CheckpointError for bytes that are not a checkpoint
 */
export function checkQuorum(
  primitives: Primitives,
  bytes: Uint8Array,
  policy: LogPolicy,
  { now, logKeys }: { now: number; logKeys: readonly Uint8Array[] },
): Cosignatures {
  const note = parseNote(bytes);
  const { origin, size } = parseCheckpoint(note.text);
  const witnesses = policy.witnesses.filter(
    ({ key }) => !logKeys.some((logKey) => equalBytes(logKey, key.publicKey)),
  );
  const checks = checkNote(
    primitives,
    note,
    witnesses.map(({ key }) => key),
  );
  const times = new Map<string, number>();
  const ahead = new Set<string>();
  for (const { name, key } of witnesses) {
    for (const { verified, timestamp } of checks.filter((check) => check.key === key)) {
      const time = (timestamp ?? 0) * 1000;
      if (!verified || time === 0) continue;
      // Negated, so that with NaN from an invalid clock no cosignature counts.
      if (!(time <= now + AHEAD_MS)) ahead.add(name);
      else times.set(name, Math.max(times.get(name) ?? 0, time));
    }
  }
  const attested = attestedTime(policy, times);
  const check = checkOf(policy, {
    isBad: checks.some(({ verified }) => !verified),
    isMet: attested !== null,
    isMetAhead: meetsQuorum(policy, new Set([...times.keys(), ...ahead])),
  });
  return {
    check,
    log: origin,
    tree_size: size,
    signed: [...times].map(([witness, time]) => ({ witness, at: new Date(time).toISOString() })),
    missing: policy.witnesses.map(({ name }) => name).filter((name) => !times.has(name)),
    attested_at: check === 'ok' && attested !== null ? new Date(attested).toISOString() : null,
  };
}

function checkOf(
  policy: LogPolicy,
  { isBad, isMet, isMetAhead }: { isBad: boolean; isMet: boolean; isMetAhead: boolean },
): QuorumCheck {
  if (isBad) return 'bad';
  if (policy.quorum === null) return 'none';
  if (isMet) return 'ok';
  return isMetAhead ? 'future' : 'missing';
}

/**
 * Returns the newest time from which on the cosignatures meet the quorum, in milliseconds; null if they do
 * not, or if there is none.
 */
function attestedTime(policy: LogPolicy, times: ReadonlyMap<string, number>): number | null {
  if (policy.quorum === null) return null;
  const newestFirst = [...times].sort(([, one], [, other]) => other - one);
  const counted = new Set<string>();
  for (const [name, time] of newestFirst) {
    counted.add(name);
    if (meetsQuorum(policy, counted)) return time;
  }
  return null;
}

/**
 * Returns the time by which the quorum had cosigned a checkpoint, in milliseconds: the cosignatures up to
 * then meet it. One witness who dates back does not move it, as it moves `attested_at`.
 * @returns null if no quorum attests a time
 */
export function attestedBy(policy: LogPolicy, { attested_at, signed }: Cosignatures): number | null {
  if (attested_at === null) return null;
  const oldestFirst = signed.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const counted = new Set<string>();
  const last = oldestFirst.find(({ witness }) => meetsQuorum(policy, counted.add(witness)));
  return last === undefined ? null : Date.parse(last.at);
}

/**
 * Returns whether a verifier may accept the result: the quorum is met, or the policy has none, or everyone
 * sees that the log was closed so.
 */
export function isMet(check: QuorumCheck): boolean {
  return check === 'ok' || check === 'none' || check === 'closed';
}

/** Returns the worst of several results; `unchecked` for none. */
export function worstQuorum(found: readonly Pick<Cosignatures, 'check'>[]): QuorumCheck {
  const order = Object.keys(QUORUM_CHECKS);
  const [worst] = found
    .map(({ check }) => check)
    .sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return worst ?? 'unchecked';
}

/** Describes the cosignatures of a checkpoint in one sentence: who signed, and who did not. */
export function describeCosignatures({ check, log, tree_size, signed, missing }: Cosignatures): string {
  const by = signed.map(({ witness, at }) => `${witness} (${at})`).join(', ');
  const without = missing.length === 0 ? '' : `, not by ${missing.join(', ')}`;
  const size = `${tree_size} ${tree_size === 1 ? 'entry' : 'entries'}`;
  return `${QUORUM_CHECKS[check]}; the checkpoint of ${log} with ${size} is cosigned by ${by === '' ? 'no witness' : by}${without}`;
}
