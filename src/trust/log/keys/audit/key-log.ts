import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { thumbprintOf } from '../../../../proof/keys/kid.ts';
import { LogEntryError } from '../../../../proof/log/entry-members.ts';
import type { IndexedEntry } from '../../../../proof/log/key-log.ts';
import { overlapOf } from '../../../../proof/log/key-purposes.ts';
import { stateAfter } from '../../../../proof/log/key-state.ts';
import { type AnyKeyLogEntry, readKeyLogEntry } from '../../../../proof/log/log-change.ts';
import type { KeyEntry } from '../../../../proof/log/log-entry.ts';
import type { Problem } from '../../../../proof/log/problem.ts';
import { leafHashOf } from '../../tree/append.ts';
import type { KeyLeafRow } from '../log/leaves.ts';
import type { VerificationKey, VerificationKeys } from '../signing/verification-keys.ts';

/** The times of a row and of its entry are read one after the other, so they may differ by this. */
const APART_MS = 5000;

/** A key log with its readable leaves. */
export interface KeyLog {
  origin: string;
  entries: IndexedEntry[];
}

/**
 * Verifies a leaf of a key log by itself and against the key that it names. Returns problems, and its entry
 * if that can be parsed.
 */
export function checkKeyLeaf(
  leaf: KeyLeafRow,
  keys: VerificationKeys,
  location: { log: string; index: number },
): { problems: Problem[]; entry: AnyKeyLogEntry | null } {
  const at = { table: 'key_leaf', row: { leaf_seq: leaf.leafSeq }, ...location };
  const problems: Problem[] = [];
  const hash = leafHashOf(leaf.entry);
  if (!equalBytes(hash, leaf.leafHash)) {
    const values = { expected: bytesToHex(hash), found: bytesToHex(leaf.leafHash) };
    problems.push({ ...at, what: 'leaf_hash does not match its entry', ...values });
  }
  let entry: AnyKeyLogEntry;
  try {
    entry = readKeyLogEntry(leaf.entry);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return {
      problems: [...problems, { ...at, what: `its entry is not an entry of a key log: ${error.message}` }],
      entry: null,
    };
  }
  const { event } = 'key' in entry ? entry.key : entry.change;
  if (event !== leaf.event)
    problems.push({
      ...at,
      what: 'event differs from the event in its entry',
      expected: event,
      found: leaf.event,
    });
  const wrong = 'key' in entry ? keyProblem(leaf.keySeq, keys, entry.key) : null;
  return { problems: wrong === null ? problems : [...problems, { ...at, ...wrong }], entry };
}

/** Compares an entry with the key that its leaf names. Returns null if they are the same. */
function keyProblem(
  keySeq: number | null,
  keys: VerificationKeys,
  entry: KeyEntry,
): Pick<Problem, 'what' | 'expected' | 'found'> | null {
  const key = keySeq === null ? undefined : keys.get(keySeq);
  const expected = JSON.stringify([entry.kid, entry.algorithm, entry.public_key, entry.purpose]);
  const actual =
    key === undefined
      ? 'the key does not exist'
      : JSON.stringify([key.kid, key.algorithm, key.publicKey, key.purpose]);
  if (expected === actual) return null;
  return { what: `signing_key (key_seq ${keySeq}) is not the key of its entry`, expected, found: actual };
}

/** Verifies the rows of keys by themselves. */
export function keyRowProblems(keys: VerificationKeys): Problem[] {
  return [...keys.values()].flatMap((key) => {
    const expected = thumbprintOf(nativePrimitives, key.algorithm, key.raw);
    if (expected === key.kid) return [];
    return [
      { ...locationOf(key), what: 'kid is not the thumbprint of public_key', expected, found: key.kid },
    ];
  });
}

/** Compares the rows of keys with the key log. */
export function keyStatusProblems(keys: VerificationKeys, log: KeyLog): Problem[] {
  return [...keys.values()].flatMap((key) => {
    const newest = ofKey(log, key).at(-1);
    if (newest === undefined)
      return [{ ...locationOf(key), what: `the key log ${log.origin} does not know it` }];
    const { status: expected } = stateAfter(newest);
    if (expected !== key.status) {
      return [
        { ...locationOf(key), what: `status is not what ${log.origin} says`, expected, found: key.status },
      ];
    }
    return [...activationProblems(key, log), ...endProblems(key, newest)];
  });
}

/** Verifies when a key was activated: at the time of the entry, or earlier if the clock was set back. */
function activationProblems(key: VerificationKey, log: KeyLog): Problem[] {
  const activated = ofKey(log, key).find(({ event }) => event === 'activated');
  if (activated === undefined || key.validFrom <= activated.at) return [];
  const problem = 'valid_from is after the key log says that it was activated';
  return [{ ...locationOf(key), what: problem, expected: activated.at, found: key.validFrom }];
}

/** Verifies when a key ended: as its entry says. */
function endProblems(key: VerificationKey, { event, at, receipts_tree_size: size }: KeyEntry): Problem[] {
  const actual = JSON.stringify([key.validUntil, key.receiptsTreeSize]);
  const problem = 'valid_until and receipts_tree_size are not what the key log says';
  if (event === 'added' || event === 'activated') {
    const expected = JSON.stringify([null, null]);
    return actual === expected ? [] : [{ ...locationOf(key), what: problem, expected, found: actual }];
  }
  const overlap = event === 'retired' ? overlapOf(key.purpose) : 0;
  const until = Date.parse(at) + overlap;
  const isSame =
    Math.abs(Date.parse(key.validUntil ?? '') - until) <= APART_MS && size === key.receiptsTreeSize;
  const expected = JSON.stringify([timestampOf(until), size]);
  return isSame ? [] : [{ ...locationOf(key), what: problem, expected, found: actual }];
}

function ofKey({ entries }: KeyLog, { kid }: VerificationKey): KeyEntry[] {
  return entries.map(({ entry }) => entry).filter((entry) => entry.kid === kid);
}

function locationOf({ keySeq, kid }: VerificationKey) {
  return { table: 'signing_key', row: { key_seq: keySeq }, id: kid };
}
