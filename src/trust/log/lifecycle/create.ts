import { Failure } from '../../../platform/failure.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { LATER_LOGS, type LogName, mapLogsInOrder, originOf } from '../../../proof/log/log-names.ts';
import type { LogSigner } from '../checkpoints/signer.ts';
import { areLogsBackfilledIn, backfillLogsIn, type LogContent } from '../contents.ts';
import { HIGH_WATER_FILE, readHighWater } from '../high-water.ts';
import { allLogs, commonOrigin, earlierLogsOf, givenOrigin, type Logs, openLogs } from '../logs.ts';
import { insertLog, type LogRow } from '../store.ts';
import { FORK_HINT, refuseOlderDatabase } from './fork.ts';

/** The parts of the service that creating, closing and renaming logs uses. */
export interface LogContext {
  store: Store;
  clock: Clock;
  signer: LogSigner;
  contents: readonly LogContent[];
}

/** The sources of the logs' name. */
export interface Origin {
  /** `log.origin`; null if it is not set. */
  configured: string | null;
  /** host[:port] of the public URL or of the listener, for the first start without `log.origin`, or null. */
  default: string | null;
  /** True for a test service, whose logs are named as such. */
  isTest: boolean;
}

/**
 * Creates the logs at the first start, opens those that this version introduced, and appends entries that
 * logs lack, such as the keys of a new version.
 *
 * @throws Failure if the configured origin differs from the logs' origin, and if the logs of an earlier
 * version must not be continued
 */
export async function openOrCreateLogs(
  { store, clock, contents }: LogContext,
  directory: string,
  origin: Origin,
): Promise<Logs> {
  const mark = readHighWater(directory);
  const name = origin.configured ?? origin.default;
  const begun = await store.read(async (snapshot) => {
    const logs = (await areLogsBackfilledIn(snapshot, contents, directory)) ? await openLogs(snapshot) : null;
    if (logs !== null) await requireNameIn(snapshot, logs, origin);
    return logs;
  });
  if (begun !== null) return begun;
  return store.writeAsService(async (tx) => {
    const known = (await openLogs(tx)) ?? (await openLaterLogsIn(tx, clock, directory));
    if (known === null && mark !== null) {
      throw new Failure(
        `the database has no transparency log, but ${HIGH_WATER_FILE} says that one was published: an older backup was restored`,
        FORK_HINT,
      );
    }
    if (known === null && name === null) {
      throw new Failure(
        'the database has no transparency log yet',
        'run countersign serve, which creates the log and names it',
      );
    }
    const logs = known ?? (await createLogsIn(tx, clock, name ?? ''));
    await requireNameIn(tx, logs, origin);
    await backfillLogsIn(tx, contents, logs, directory);
    return logs;
  });
}

/** @throws Failure if the configured origin differs from the logs' origin */
async function requireNameIn(snapshot: Snapshot, logs: Logs, { configured }: Origin): Promise<void> {
  if (configured === null) return;
  const names = [givenOrigin(await allLogs(snapshot)), commonOrigin(logs)];
  if (names.includes(configured)) return;
  throw new Failure(
    `log.origin is ${configured}, but the log of this data directory is ${names[0]}, permanently`,
    'remove log.origin from the settings: every proof refers to the log by its name, so it can change only while the log has no receipt',
    2,
  );
}

/** Creates the first logs, empty: no receipt is issued before there is a log. */
export async function createLogsIn(tx: Transaction, clock: Clock, origin: string): Promise<Logs> {
  const open = (name: LogName): Promise<LogRow> =>
    insertLog(tx, { name, origin: originOf(origin, name), openedAt: timestamp(clock) });
  return mapLogsInOrder(open);
}

/**
 * Opens, empty, the logs that a directory of an earlier version lacks, under the name of its other logs.
 * @param directory the data directory, to refuse a database that is behind what was published. A copy could
 * not continue what is appended to it. null if the caller compares them itself
 * @returns all logs; null if the directory lacks none of LATER_LOGS, or has no log
 * @throws Failure
 */
export async function openLaterLogsIn(
  tx: Transaction,
  clock: Clock,
  directory: string | null,
): Promise<Logs | null> {
  const earlier = earlierLogsOf(await allLogs(tx));
  if (earlier === null) return null;
  if (directory !== null) await refuseOlderDatabase(tx, directory);
  for (const name of LATER_LOGS) {
    if (earlier[name] !== undefined) continue;
    const origin = originOf(commonOrigin(earlier), name);
    await insertLog(tx, { name, origin, openedAt: timestamp(clock) });
  }
  return openLogs(tx);
}
