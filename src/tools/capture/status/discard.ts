import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import type { SpoolDirectory } from '../spool/directory.ts';
import type { SessionRow } from './sessions.ts';

/**
 * Returns the rows that a command line names. @throws Failure for an unknown session, and one that is running
 */
export function rowsNamed(rows: readonly SessionRow[], names: readonly string[], all: boolean): SessionRow[] {
  if (all === names.length > 0)
    throw new Failure('it is not clear which sessions are meant', 'name sessions, or add --all', 2);
  const isIdle = ({ state }: SessionRow): boolean => state !== 'running';
  if (all) return rows.filter(isIdle);
  return names.map((name) => {
    const row = rows.find(({ session }) => session === name);
    if (row === undefined)
      throw new Failure(`there is no session ${name}`, 'see countersign capture status', 4);
    if (!isIdle(row))
      throw new Failure(`the session ${name} is running`, 'discard it when its process has ended', 5);
    return row;
  });
}

/** Returns what is lost with sessions, as a question has it. */
export function lossOf(rows: readonly SessionRow[]): string {
  const sum = (member: 'open' | 'unissued' | 'unfinalized' | 'unrecorded'): number =>
    rows.reduce((total, row) => total + (row[member] ?? 0), 0);
  const unreadable = rows.filter(({ state }) => state === 'unreadable' || state === 'damaged').length;
  const sessions = rows.filter(({ session }) => session !== null).length;
  const losses = [
    [sum('unissued'), 'receipts that were not issued'],
    [sum('open') + sum('unfinalized'), 'outcomes of receipts, which stay pending'],
    [unreadable, 'damaged or unreadable files'],
    [sum('unrecorded'), 'calls without a record that are counted'],
  ] as const;
  const lost = losses.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `discard ${sessions} sessions with ${lost.length === 0 ? 'nothing left to send' : lost.join(', ')}`;
}

/** Removes sessions. @throws Failure for one that runs meanwhile */
export function discard(directory: SpoolDirectory, rows: readonly SessionRow[]): void {
  for (const { session, state } of rows) {
    if (session === null) directory.forgetUnrecorded();
    else if (state === 'damaged') rmSync(join(directory.path, session), { force: true });
    else if (!directory.remove(session))
      throw new Failure(`the session ${session} is running`, 'discard it when its process has ended', 5);
  }
}
