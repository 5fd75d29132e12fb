import { setImmediate } from 'node:timers/promises';
import type { ServiceTarget } from '../../../platform/client/service-target.ts';
import type { SpoolDirectory } from '../spool/directory.ts';
import { readHeader, type SpoolFile, UnreadableFile } from '../spool/file.ts';
import type { Header, Line, SpoolTarget } from '../spool/lines.ts';
import type { SessionState } from '../spool/state.ts';
import type { Problem } from './problem.ts';
import { Sender, type SenderOptions } from './sender.ts';

/**
 * A session of hooks has no process. It counts as gone when nothing was written for this long, in
 * milliseconds.
 */
const SILENT_MS = 24 * 60 * 60 * 1000;
/** The longest wait for a process that writes to a session of hooks, in milliseconds. */
const BUSY_MS = 20;

/** The names of sessions of hooks begin with this, as long as calls can begin. */
export const HOOKS = 'hook-';

/** The sessions of this machine, and their services. */
export interface Leftovers {
  directory: SpoolDirectory;
  /** Returns the service of a session, with the key that its login context has now. @throws Failure */
  openTarget(target: SpoolTarget): ServiceTarget | Promise<ServiceTarget>;
}

/** Which sessions are sent, and how. */
interface Selection extends Omit<SenderOptions, 'open'> {
  /** Only sessions for this service; null for all. */
  target: SpoolTarget | null;
}

/** What became of a session. */
export interface SentSession {
  session: string;
  target: SpoolTarget;
  /** The receipts that were finalized now, and what is left. */
  sent: number;
  left: number;
  problem: Problem | null;
}

/**
 * Sends what sessions have left whose process is gone: first the tombstones of calls of which nobody saw the
 * outcome, then everything in order. After a problem of a service, its other sessions are left.
 */
export async function sendLeftovers(
  { directory, openTarget }: Leftovers,
  { target, signal, pace }: Selection,
): Promise<SentSession[]> {
  const sessions: SentSession[] = [];
  const unavailable = new Set<string>();
  for (const session of directory.names()) {
    // There can be thousands, most of them for other services, and calls of this session come first.
    await setImmediate();
    if (signal.aborted) break;
    const isMeant = (header: Header | null): boolean =>
      header !== null &&
      (target === null || isSameTarget(header.target, target)) &&
      !unavailable.has(JSON.stringify(header.target));
    if (!isMeant(readHeader(directory.fileOf(session)))) continue;
    const file = opened(directory, session);
    if (file === null) continue;
    try {
      const { header } = file.state;
      if (!isMeant(header)) continue;
      if (isGone(directory, session)) file.write(tombstones);
      const before = file.state.done.length;
      const sender = new Sender(file, {
        open: () => openTarget(header.target),
        signal,
        ...(pace === undefined ? {} : { pace }),
      });
      const problem = await sender.sendAll();
      if (problem?.of === 'service') unavailable.add(JSON.stringify(header.target));
      const { done, calls } = file.state;
      sessions.push({
        session,
        target: header.target,
        sent: done.length - before,
        left: calls.size,
        problem,
      });
    } finally {
      file.close();
    }
  }
  return sessions;
}

/** Returns whether two sessions are for the same service. */
function isSameTarget(a: SpoolTarget, b: SpoolTarget): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the lines that end the calls of a process that is gone. */
function tombstones({ calls, isClosed }: SessionState): Line[] {
  const open = [...calls.values()].filter(({ ended }) => ended === null);
  return [
    ...open.map(
      ({ id }): Line => ({
        type: 'ended',
        call: id,
        body: { status: 'failure_tombstone', terminal_reason: 'outcome not observed' },
      }),
    ),
    ...(isClosed ? [] : [{ type: 'closed' } as const]),
  ];
}

/** Opens a session that no process has locked; null for another one, and for a file that cannot be read. */
function opened(directory: SpoolDirectory, session: string): SpoolFile | null {
  try {
    return session.startsWith(HOOKS) ? directory.share(session, null, BUSY_MS) : directory.takeOver(session);
  } catch (error) {
    if (error instanceof UnreadableFile || (error instanceof Error && 'code' in error)) return null;
    if (session.startsWith(HOOKS)) return null;
    throw error;
  }
}

/** Returns whether no call of a session that no process has locked will begin or end. */
function isGone(directory: SpoolDirectory, session: string): boolean {
  return !session.startsWith(HOOKS) || directory.changedAt(session) < Date.now() - SILENT_MS;
}
