import { thumbprintOf } from '../../platform/key-files.ts';
import { equalBytes } from '../../proof/equal-bytes.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { type KeyEntry, LogEntryError, readKeyEntry } from '../../proof/log-entry.ts';
import { leafHashOf } from '../log/append.ts';
import type { KeyLeafRow } from '../log/entries.ts';
import type { Finding } from './finding.ts';
import type { Keys } from './receipts.ts';
import type { KeyRow } from './store.ts';
import { isNamedRightly, signed, Vouching } from './vouching.ts';

/** A time in a row and that in an entry were taken one after the other in one transaction. */
const APART_MS = 5000;
/** A log key that was rotated out signs for so long beside its successor. */
export const OVERLAP_MS = 30 * 24 * 3600_000;

/** An entry of a key log with its place. */
export interface PlacedEntry {
  entry: KeyEntry;
  index: number;
}

/** A key log with its leaves, as far as they could be read. */
export interface KeyLog {
  origin: string;
  entries: PlacedEntry[];
}

/** What is wrong with a leaf of a key log by itself and against the key that it names; its entry, if it is one. */
export function checkKeyLeaf(
  leaf: KeyLeafRow,
  keys: Keys,
  place: { log: string; index: number },
): { findings: Finding[]; hash: Uint8Array; entry: KeyEntry | null } {
  const at = { table: 'key_leaf', row: { leaf_seq: leaf.leafSeq }, ...place };
  const findings: Finding[] = [];
  const hash = leafHashOf(leaf.entry);
  if (!equalBytes(hash, leaf.leafHash)) {
    const values = { expected: bytesToHex(hash), found: bytesToHex(leaf.leafHash) };
    findings.push({ ...at, what: 'leaf_hash is not that of its entry', ...values });
  }
  let entry: KeyEntry;
  try {
    entry = readKeyEntry(leaf.entry);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return {
      findings: [...findings, { ...at, what: `its entry is none of the key log: ${error.message}` }],
      hash,
      entry: null,
    };
  }
  if (entry.event !== leaf.event)
    findings.push({
      ...at,
      what: 'event is not that of its entry',
      expected: entry.event,
      found: leaf.event,
    });
  const key = keys.get(leaf.keySeq);
  const expected = JSON.stringify([entry.kid, entry.algorithm, entry.public_key, entry.purpose]);
  const found =
    key === undefined ? 'no such key' : JSON.stringify([key.kid, key.algorithm, key.publicKey, key.purpose]);
  if (expected !== found)
    findings.push({
      ...at,
      what: `signing_key (key_seq ${leaf.keySeq}) is not the key of its entry`,
      expected,
      found,
    });
  return { findings, hash, entry };
}

/**
 * What is wrong with the entries of a key log together: signatures by keys that it does not know, or that do not verify; keys for
 * which nobody vouches; events in an order in which no key's life goes.
 */
export function keyLogProblems(entries: readonly PlacedEntry[]): { index: number; what: string }[] {
  const added = new Map(
    entries.filter(({ entry }) => entry.event === 'added').map(({ entry }) => [entry.kid, entry]),
  );
  const standing = new Map<string, KeyEntry['event']>();
  const vouching = new Vouching();
  return entries.flatMap(({ entry, index }) => {
    const problems: string[] = [];
    const before = standing.get(entry.kid) ?? null;
    standing.set(entry.kid, entry.event);
    if (!FOLLOWS[entry.event].includes(before))
      problems.push(`key ${entry.kid} cannot be ${entry.event}: it is ${before ?? 'unknown'}`);
    if (!isNamedRightly(entry)) problems.push(`${entry.kid} is not the thumbprint of its key`);
    const unvouched = vouching.take(entry);
    if (unvouched !== null) problems.push(unvouched);
    for (const { kid, signature } of entry.signatures) {
      const signer = added.get(kid);
      if (signer === undefined) problems.push(`it is signed by ${kid}, which the key log does not know`);
      else if (!signed(entry, signer, signature)) problems.push(`its signature by ${kid} does not verify`);
    }
    return problems.map((what) => ({ index, what }));
  });
}

/** What a key may have been last, before each event. */
const FOLLOWS: Record<KeyEntry['event'], readonly (KeyEntry['event'] | null)[]> = {
  added: [null],
  activated: ['added'],
  retired: ['activated'],
  compromised: ['added', 'activated', 'retired'],
};

const STATUS: Record<KeyEntry['event'], KeyRow['status']> = {
  added: 'next',
  activated: 'active',
  retired: 'retired',
  compromised: 'compromised',
};

/** What is wrong with the keys' rows by themselves. */
export function keyRowFindings(keys: Keys): Finding[] {
  return [...keys.values()].flatMap((key) => {
    const expected = thumbprintOf(key.algorithm, key.raw);
    if (expected === key.kid) return [];
    return [{ ...placeOf(key), what: 'kid is not the thumbprint of public_key', expected, found: key.kid }];
  });
}

/** Where the keys' rows and what the key log says of them differ. */
export function keyStandingFindings(keys: Keys, log: KeyLog): Finding[] {
  return [...keys.values()].flatMap((key) => {
    const newest = ofKey(log, key).at(-1);
    if (newest === undefined)
      return [{ ...placeOf(key), what: `the key log ${log.origin} does not know it` }];
    const expected = STATUS[newest.event];
    if (expected !== key.status) {
      return [
        { ...placeOf(key), what: `status is not what ${log.origin} says`, expected, found: key.status },
      ];
    }
    return [...beginFindings(key, log), ...endFindings(key, newest)];
  });
}

/** When a key was activated: at the latest when the entry says so, earlier where the clock was set back before it signed. */
function beginFindings(key: KeyRow, log: KeyLog): Finding[] {
  const activated = ofKey(log, key).find(({ event }) => event === 'activated');
  if (activated === undefined || key.validFrom <= activated.at) return [];
  const what = 'valid_from is after the key log says that it was activated';
  return [{ ...placeOf(key), what, expected: activated.at, found: key.validFrom }];
}

/** Where a key's time ended: as the entry that says so. */
function endFindings(key: KeyRow, { event, at, receipts_tree_size: size }: KeyEntry): Finding[] {
  const found = JSON.stringify([key.validUntil, key.receiptsTreeSize]);
  const what = 'valid_until and receipts_tree_size are not what the key log says';
  if (event === 'added' || event === 'activated') {
    const expected = JSON.stringify([null, null]);
    return found === expected ? [] : [{ ...placeOf(key), what, expected, found }];
  }
  const overlap = event === 'retired' && key.purpose === 'log' ? OVERLAP_MS : 0;
  const until = Date.parse(at) + overlap;
  const isSame =
    Math.abs(Date.parse(key.validUntil ?? '') - until) <= APART_MS && size === key.receiptsTreeSize;
  const expected = JSON.stringify([new Date(until).toISOString(), size]);
  return isSame ? [] : [{ ...placeOf(key), what, expected, found }];
}

function ofKey({ entries }: KeyLog, { kid }: KeyRow): KeyEntry[] {
  return entries.map(({ entry }) => entry).filter((entry) => entry.kid === kid);
}

function placeOf({ keySeq, kid }: KeyRow) {
  return { table: 'signing_key', row: { key_seq: keySeq }, id: kid };
}
