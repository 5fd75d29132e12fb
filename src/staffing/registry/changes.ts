import { CHANGE } from '../../../db/staffing/registry/schema.ts';
import type { Connection } from '../../platform/store/connection.ts';
import { AmendmentSteps } from './amend/amendment-steps.ts';
import { asOfIn, changeRegistry } from './amend/change-registry.ts';
import { differences } from './amend/differences.ts';
import {
  appendChanges,
  appendRevision,
  type ClinicianChange,
  copyHistory,
  lastSequence,
} from './amend/history.ts';
import { deleteChanges, deleteChangesOf, deleteRevisions, newestRevision } from './amend/history-store.ts';
import { putsOf } from './amend/puts.ts';
import { StoredClinicians } from './amend/stored.ts';
import { StoredNumbers } from './amend/stored-numbers.ts';
import { codesText } from './build/render.ts';
import { labelsOf } from './entry.ts';
import { closeRegistry, openRegistry } from './open.ts';
import type { ClinicianRecord } from './record.ts';
import { countChange, factsOf } from './store.ts';
import type { Specialties } from './vocabulary/specialties.ts';

/**
 * The sequence numbers that a full import leaves free, for what is changed in the previous file while the new
 * one is being built: removals and restorations of single clinicians.
 */
const RESERVED = 1_000_000;

/**
 * Writes the history of a new registry file: that of the previous file, then the difference to it. From a
 * sample to real data and back the history begins anew, because nobody mixes them; the sequence numbers go
 * on. Takes seconds for millions of clinicians, and little memory.
 *
 * @param connection the new file, with all its clinicians and without history, in a transaction
 * @param previous the path of the previous file; null for none @param at RFC 3339
 */
export function recordFullImport(
  connection: Connection,
  previous: string | null,
  at: string,
  asOf: string,
): void {
  const facts = { at, asOf, kind: 'full' } as const;
  if (previous === null) {
    // A file before this one may have been lost with its history, and its cursors must not be taken for ones
    // of this history.
    appendRevision(connection, facts, [], Date.parse(at));
    return;
  }
  withSnapshot(previous, (former) => {
    const first = lastSequence(former) + 1 + RESERVED;
    if (isSample(former) !== isSample(connection)) {
      appendRevision(connection, facts, [], first);
      return;
    }
    copyHistory(connection, former, at);
    appendRevision(connection, facts, differences(former, connection), first);
  });
}

/**
 * Completes a new registry file before it becomes the current one: adds and removes clinicians, and adds to
 * the history what was changed in the previous file since `recordFullImport`, so that the history of the new
 * file continues that of the previous one. Takes some milliseconds, and little longer for thousands of
 * removals. No other change of the previous file may follow: call it with the RegistryLock.
 *
 * @param put the clinicians whom the file does not have because they were suppressed when it was built
 * @param remove the NPIs of suppressed and deactivated clinicians @returns how many clinicians were added and
 * removed
 */
export function completeFullImport(
  path: string,
  previous: string | null,
  { put, remove, at }: { put: readonly ClinicianRecord[]; remove: Iterable<number>; at: string },
): Completed {
  const specialties = put.length === 0 ? null : specialtiesIn(path);
  return changeRegistry(path, (connection) => {
    const changes = changeWithoutRevision(connection, put, remove, specialties);
    const revision = newestRevision.on(connection);
    if (previous !== null && revision !== null) {
      withSnapshot(previous, (former) => {
        const npis = changes.map(({ npi }) => npi);
        continueHistory(connection, former, { at, first: revision.first, asOf: revision.asOf, npis });
      });
    }
    const removed = changes.filter(({ kind }) => kind === CHANGE.removed).length;
    return { added: changes.length - removed, removed };
  });
}

/** How many clinicians `completeFullImport` added to the new file, and removed from it. */
export interface Completed {
  added: number;
  removed: number;
}

/**
 * Makes a former registry file the newest one, before it becomes the current one again: its history becomes
 * that of the newer file, then the difference to it. Call it with the RegistryLock, after the removal of
 * suppressed and deactivated clinicians from the former file.
 *
 * @param at RFC 3339 @returns the number of changes that it appended
 */
export function takeBack(former: string, newer: string, at: string): number {
  return changeRegistry(former, (connection) =>
    withSnapshot(newer, (other) => {
      const asOf = asOfIn(connection);
      deleteChanges.on(connection);
      deleteRevisions.on(connection);
      countChange.on(connection, { added: 0, asOf: null });
      const facts = { at, asOf, kind: 'rollback' } as const;
      const first = lastSequence(other) + 1;
      if (isSample(other) !== isSample(connection)) return appendRevision(connection, facts, [], first);
      copyHistory(connection, other, at);
      return appendRevision(connection, facts, differences(other, connection), first);
    }),
  );
}

interface Continued {
  at: string;
  /** The revision of the full import. */
  first: number;
  asOf: string;
  /** Clinicians that were added to the new file or removed from it after the revision was written. */
  npis: readonly number[];
}

function continueHistory(
  connection: Connection,
  former: Connection,
  { at, first, asOf, npis }: Continued,
): void {
  const isAnew = isSample(former) !== isSample(connection);
  if (lastSequence(former) >= first) {
    // More changes than were reserved: the history is written as if the file had been built now.
    deleteChanges.on(connection);
    deleteRevisions.on(connection);
    const facts = { at, asOf, kind: 'full' } as const;
    if (!isAnew) copyHistory(connection, former, at);
    appendRevision(
      connection,
      facts,
      isAnew ? [] : differences(former, connection),
      lastSequence(former) + 1,
    );
    return;
  }
  if (isAnew) return;
  const changed = copyHistory(connection, former, at, lastSequence(connection, first));
  const affected = [...new Set([...changed, ...npis])];
  if (affected.length === 0) return;
  deleteChangesOf.on(connection, { sequence: first, npis: affected });
  const last = Math.max(first, lastSequence(connection));
  appendChanges(connection, changesOf(former, connection, affected), last);
}

/** Yields the changes of given clinicians from one file to another. */
function* changesOf(
  before: Connection,
  after: Connection,
  npis: readonly number[],
): Generator<ClinicianChange> {
  const [old, fresh] = [new StoredClinicians(before), new StoredClinicians(after)];
  const [oldPairs, freshPairs] = [old.pairs(), fresh.pairs()];
  for (const npi of npis) {
    const was = old.newestIn(oldPairs, npi);
    const is = fresh.newestIn(freshPairs, npi);
    if (was === null && is !== null) yield { npi, kind: CHANGE.added };
    else if (was !== null && is === null) yield { npi, kind: CHANGE.removed };
    else if (was?.digest !== is?.digest) yield { npi, kind: CHANGE.updated };
  }
}

/**
 * Adds and removes clinicians without a revision. @param specialties for `put`; null without any @returns the
 * changes
 */
function changeWithoutRevision(
  connection: Connection,
  put: readonly ClinicianRecord[],
  remove: Iterable<number>,
  specialties: Specialties | null,
): ClinicianChange[] {
  const known = (): Specialties => {
    if (specialties === null) throw new Error('a removal writes no segment');
    return specialties;
  };
  const codesTextOf = (joined: string): string => codesText(joined, known());
  const steps = new AmendmentSteps(connection, new StoredNumbers(connection, codesTextOf), () =>
    labelsOf(known()),
  );
  const puts = putsOf(put, codesTextOf, { count: 0, examples: [] });
  steps.run(puts, new Map(), new Set(remove));
  const change = steps.changes.reduce((sum, { kind }) => sum + (kind === CHANGE.removed ? -1 : 1), 0);
  countChange.on(connection, { added: change, asOf: null });
  return steps.changes;
}

function specialtiesIn(path: string): Specialties {
  const registry = openRegistry(path);
  try {
    return registry.specialties;
  } finally {
    closeRegistry(registry);
  }
}

/** Reads another registry file in one read transaction. @throws Failure for a file that is not a registry */
function withSnapshot<T>(path: string, body: (connection: Connection) => T): T {
  const registry = openRegistry(path);
  try {
    return registry.atOnce(() => body(registry.connection));
  } finally {
    closeRegistry(registry);
  }
}

function isSample(connection: Connection): boolean {
  return factsOf.on(connection)?.sample === true;
}
