import { Failure } from '../../../platform/failure.ts';
import { type MetricsRecorder, noopRecorder } from '../../../platform/monitoring/recorder.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { newestCosignedDate } from '../checkpoints/cosignatures.ts';
import type { MeetsQuorum } from '../checkpoints/cosigned.ts';
import { Publisher } from '../checkpoints/publisher.ts';
import { newestEntryDate } from '../clock/newest-entries.ts';
import type { LogContent } from '../contents.ts';
import { DamageTracker } from '../damage.ts';
import { allLogs, firstOrigin, givenOrigin, type LogRow, type Logs, openLogs } from '../logs.ts';
import { type LogContext, type Origin, openOrCreateLogs } from './create.ts';
import { refuseFork } from './fork.ts';
import { renameLogs } from './rename.ts';
import { refuseTestLogs } from './test-logs.ts';

/** The transparency logs of a service, and what it keeps about them in memory. */
export interface TrustLog {
  /** The open log of each name. */
  open: Logs;
  /** The contents of the logs. */
  contents: readonly LogContent[];
  /** The name that the first start gave the logs. Constant while a server runs. */
  firstOrigin: string;
  /** The name that the first start or a renaming gave the logs last. */
  givenOrigin: string;
  publisher: Publisher;
  /** The damage that reads found. */
  damage: DamageTracker;
  /** Disputes by witnesses, one sentence each, by witness and log. A new cosignature removes the dispute. */
  disputes: Map<string, string>;
}

/** The parts of the service that opening logs for writing uses. */
interface Parts extends LogContext {
  clockWatch: ClockWatch;
  /** The quorum of the witness policy; null for none. */
  quorum: MeetsQuorum | null;
}

/**
 * Creates the logs at the first start, renames them to `log.origin` if that is still possible, and publishes
 * their newest checkpoints.
 *
 * @param directory the data directory
 * @param publishes false for a command: checkpoints follow at the next start
 * @throws Failure if the logs must not be signed
 */
export async function startLog(
  parts: Parts,
  directory: string,
  origin: Origin,
  { observed, publishes }: { observed: MetricsRecorder['checkpoint']; publishes: boolean },
): Promise<TrustLog> {
  const named = await parts.store.read(allLogs);
  const names = [...named.map((log) => log.origin), origin.configured ?? origin.default];
  refuseTestLogs(
    names.filter((name) => name !== null),
    origin.isTest,
  );
  if (origin.configured !== null) await renameLogs(parts, directory, origin.configured);
  const logs = await openOrCreateLogs(parts, directory, origin);
  const publisher = new Publisher({ ...parts, logs }, directory, observed);
  const all = await parts.store.read(async (snapshot) => {
    await refuseFork(snapshot, logs, parts.signer, directory);
    await publisher.resume(snapshot);
    // The clock may be behind the entries since the newest checkpoints. The last one has the newest date.
    const uncovered = (name: LogName, size: number): number =>
      publisher.coveredSize(name) < size ? size - 1 : size;
    const newest = await newestEntryDate(snapshot, parts.contents, logs, uncovered);
    parts.clockWatch.startedAfter(newest);
    // A checkpoint can have waited for its witnesses: what follows now was written after they cosigned it.
    publisher.recordDate(Math.max(newest, await newestCosignedDate(snapshot, logs)));
    return allLogs(snapshot);
  });
  if (publishes) await publisher.publish();
  return trustLog(parts, { all, open: logs, publisher });
}

/**
 * Opens the logs without writing, for a read-only server.
 *
 * @param directory the data directory
 * @throws Failure if there is no log yet; Error if a log has no checkpoint
 */
export async function openLogReadOnly(parts: Parts, directory: string): Promise<TrustLog> {
  const logs = await parts.store.read(openLogs);
  if (logs === null) {
    throw new Failure(
      'the database has no transparency log yet',
      'start the service once without --read-only',
    );
  }
  const publisher = new Publisher({ ...parts, logs }, directory, noopRecorder.checkpoint);
  const all = await parts.store.read(async (snapshot) => {
    await publisher.resume(snapshot);
    return allLogs(snapshot);
  });
  refuseTestLogs(
    all.map((log) => log.origin),
    false,
  );
  for (const name of LOG_NAMES) publisher.latest(name);
  return trustLog(parts, { all, open: logs, publisher });
}

function trustLog(
  { contents }: LogContext,
  { all, open, publisher }: { all: readonly LogRow[]; open: Logs; publisher: Publisher },
): TrustLog {
  return {
    open,
    contents,
    firstOrigin: firstOrigin(all) ?? '',
    givenOrigin: givenOrigin(all) ?? '',
    publisher,
    damage: new DamageTracker(),
    disputes: new Map(),
  };
}
