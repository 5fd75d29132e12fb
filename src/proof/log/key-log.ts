import type { Primitives } from '../primitives.ts';
import { CrossSigners, isNamedRightly, isSignedBy } from './cross-signing.ts';
import type { IndexedChange } from './log-chain.ts';
import type { AnyKeyLogEntry } from './log-change.ts';
import type { KeyEntry } from './log-entry.ts';

/** An entry of a key log about a key, with its index. */
export interface IndexedEntry {
  entry: KeyEntry;
  index: number;
}

/** The entries of a key log, by what they are about. */
export interface KeyLogEntries {
  keys: IndexedEntry[];
  changes: IndexedChange[];
}

/** Separates the entries of a key log about keys from those about logs. */
export function keyLogOf(entries: readonly { entry: AnyKeyLogEntry; index: number }[]): KeyLogEntries {
  return {
    keys: entries.flatMap(({ entry, index }) => ('key' in entry ? [{ entry: entry.key, index }] : [])),
    changes: entries.flatMap(({ entry, index }) =>
      'change' in entry ? [{ change: entry.change, index }] : [],
    ),
  };
}

/**
 * Returns the problems of a key log as a whole: signatures by unknown keys or that do not verify, keys
 * without a valid cross-signature, events of a key in an impossible order, and of another purpose than its
 * first.
 */
export function keyLogProblems(
  primitives: Primitives,
  entries: readonly IndexedEntry[],
): { index: number; what: string }[] {
  const added = new Map(
    entries.filter(({ entry }) => entry.event === 'added').map(({ entry }) => [entry.kid, entry]),
  );
  const events = new Map<string, Pick<KeyEntry, 'event' | 'purpose'>>();
  const vouching = new CrossSigners(primitives);
  return entries.flatMap(({ entry, index }) => {
    const problems: string[] = [];
    const before = events.get(entry.kid) ?? null;
    events.set(entry.kid, { event: entry.event, purpose: before?.purpose ?? entry.purpose });
    if (!FOLLOWS[entry.event].includes(before?.event ?? null))
      problems.push(`key ${entry.kid} cannot be ${entry.event}: it is ${before?.event ?? 'unknown'}`);
    // Otherwise a key of another purpose could sign the event as one of its rotation.
    if (before !== null && before.purpose !== entry.purpose)
      problems.push(`key ${entry.kid} is of purpose ${before.purpose}, not ${entry.purpose}`);
    if (!isNamedRightly(primitives, entry)) problems.push(`${entry.kid} is not the thumbprint of its key`);
    const unvouched = vouching.take(entry);
    if (unvouched !== null) problems.push(unvouched);
    for (const { kid, signature } of entry.signatures) {
      const signer = added.get(kid);
      if (signer === undefined) problems.push(`it is signed by ${kid}, which the key log does not know`);
      else if (!isSignedBy(primitives, entry, signer, signature))
        problems.push(`its signature by ${kid} does not verify`);
    }
    return problems.map((what) => ({ index, what }));
  });
}

/** The possible previous events of a key, for each event. */
const FOLLOWS: Record<KeyEntry['event'], readonly (KeyEntry['event'] | null)[]> = {
  added: [null],
  activated: ['added'],
  retired: ['activated'],
  compromised: ['added', 'activated', 'retired'],
};
