import { HOOKS } from '../sending/leftovers.ts';
import type { SpoolDirectory } from '../spool/directory.ts';
import { readState } from '../spool/file.ts';
import type { SpoolTarget } from '../spool/lines.ts';
import type { SessionState } from '../spool/state.ts';

/** What is known of a session, or of calls without a record. Members are null where nothing is known. */
export interface SessionRow {
  /** Its name, which `capture discard` takes; null for calls without a record. */
  session: string | null;
  /**
   * `running`: its process lives, or calls of hooks may follow. `waiting`: what is left can be sent.
   * `refused`: the service refuses something. `damaged`: all but damaged lines is sent. `unreadable`: no
   * program of this version can read it. `unrecorded`: calls of which there is neither a receipt nor an
   * entry.
   */
  state: 'running' | 'waiting' | 'refused' | 'damaged' | 'unreadable' | 'unrecorded';
  service: string | null;
  agent: string | null;
  started_at: string | null;
  /** The calls that have begun and have not ended. */
  open: number | null;
  /** The receipts that are not issued yet. */
  unissued: number | null;
  /** The receipts that are issued and not finalized yet, though their calls have ended. */
  unfinalized: number | null;
  /** The calls without a record. */
  unrecorded: number | null;
  reason: string | null;
  file: string | null;
}

const NOTHING = {
  ...{ session: null, service: null, agent: null, started_at: null, open: null, unissued: null },
  ...{ unfinalized: null, unrecorded: null, reason: null, file: null },
} as const;

/** Returns what the spool of a user has: its sessions, damaged files, and calls without a record. */
export function sessionsIn(directory: SpoolDirectory): SessionRow[] {
  const rows: SessionRow[] = directory.names().map((name) => rowOf(directory, name));
  for (const file of directory.damaged()) {
    const session = file.slice(directory.path.length + 1);
    rows.push({
      ...NOTHING,
      session,
      state: 'damaged',
      reason: 'some lines are damaged; the others are sent',
      file,
    });
  }
  const unrecorded = directory.unrecorded();
  if (unrecorded === null) return rows;
  const { calls, last } = unrecorded;
  const reason = `neither a receipt nor an entry was possible; the last one at ${last.toISOString()}`;
  return [...rows, { ...NOTHING, state: 'unrecorded', unrecorded: calls, reason }];
}

function rowOf(directory: SpoolDirectory, session: string): SessionRow {
  const file = directory.fileOf(session);
  const isRunning = directory.isLocked(session);
  try {
    return rowOfState(readState(file), { session, file, isRunning });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...NOTHING, session, state: isRunning ? 'running' : 'unreadable', reason, file };
  }
}

function rowOfState(
  { header, calls, paused, isClosed, damage }: SessionState,
  { session, file, isRunning }: { session: string; file: string; isRunning: boolean },
): SessionRow {
  const all = [...calls.values()];
  const refusal = all.find((call) => call.refusal !== null)?.refusal ?? null;
  const canContinue = isRunning || (session.startsWith(HOOKS) && !isClosed);
  const damaged = damage === 0 ? [] : [`${damage} damaged lines`];
  const reasons = [
    ...(paused === null ? [] : [paused.reason]),
    ...(refusal === null ? [] : [refusal.reason]),
    ...damaged,
  ];
  return {
    ...{ session, state: canContinue ? 'running' : refusal === null ? 'waiting' : 'refused', file },
    ...{ service: targetText(header.target), agent: header.agent_id, started_at: header.started_at },
    open: all.filter(({ ended }) => ended === null).length,
    unissued: all.filter(({ receipt }) => receipt === null).length,
    unfinalized: all.filter(
      ({ receipt, ended, finalHash }) => receipt !== null && ended !== null && finalHash === null,
    ).length,
    unrecorded: null,
    reason: reasons.length === 0 ? null : reasons.join('; '),
  };
}

/** Returns a service for people. */
export function targetText(target: SpoolTarget): string {
  switch (target.kind) {
    case 'context':
      return `${target.url} (context ${target.name})`;
    case 'url':
      return target.url;
    case 'local':
      return target.directory;
  }
}
