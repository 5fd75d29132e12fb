import type { ClockWatch } from '../../platform/clock-watch.ts';
import { Failure } from '../../platform/failure.ts';
import { type Observer, unobserved } from '../../platform/observer.ts';
import { LOG_NAMES } from '../../proof/log/names.ts';
import type { LogContent } from './contents.ts';
import { Damages } from './damage.ts';
import { refuseFork } from './fork.ts';
import { type FormerSizes, formerSizes } from './former.ts';
import { type Logs, openLogs } from './logs.ts';
import { Publisher } from './publisher.ts';
import { renameLogs } from './rename.ts';
import { beginLogs, type LogParts, type Origin } from './start.ts';

/** The transparency logs of a service, with what it knows of them while it runs. */
export interface TrustLog {
  /** The log of each name that grows. */
  open: Logs;
  /** What fills the logs. */
  contents: readonly LogContent[];
  /** How much of the closed logs was published. Logs are closed only while nobody serves. */
  formerSizes: FormerSizes;
  publisher: Publisher;
  /** What reads have met. */
  damages: Damages;
  /** What witnesses hold against the log, one sentence each, by witness and log; gone when they cosign again. */
  disputes: Map<string, string>;
}

/** What opens logs that grow. */
interface Parts extends LogParts {
  clockWatch: ClockWatch;
}

/**
 * Begins the logs at the first start, gives them the name that was configured while they may have another, and publishes their newest
 * checkpoints.
 *
 * @param directory the data directory
 * @throws Failure when the logs must not be signed on
 */
export async function startLog(
  parts: Parts,
  directory: string,
  origin: Origin,
  observed: Observer['checkpoint'],
): Promise<TrustLog> {
  if (origin.configured !== null) await renameLogs(parts, directory, origin.configured);
  const logs = await beginLogs(parts, directory, origin);
  const publisher = new Publisher({ ...parts, logs }, directory, observed);
  const sizes = await parts.store.read((snapshot) => {
    refuseFork(snapshot, logs, parts.signer, directory);
    publisher.resume(snapshot);
    return formerSizes(snapshot, directory);
  });
  await publisher.publish();
  return trustLog(parts, logs, sizes, publisher);
}

/**
 * Opens the logs as they are, for answering reads.
 *
 * @param directory the data directory
 * @throws Failure where there is none yet; Error where a log has no checkpoint
 */
export async function readLog(parts: Parts, directory: string): Promise<TrustLog> {
  const logs = await parts.store.read(openLogs);
  if (logs === null) {
    throw new Failure('the database has no transparency log yet', 'start once without --read-only');
  }
  const publisher = new Publisher({ ...parts, logs }, directory, unobserved.checkpoint);
  const sizes = await parts.store.read((snapshot) => {
    publisher.resume(snapshot);
    return formerSizes(snapshot, directory);
  });
  for (const name of LOG_NAMES) publisher.latest(name);
  return trustLog(parts, logs, sizes, publisher);
}

function trustLog({ contents }: LogParts, open: Logs, sizes: FormerSizes, publisher: Publisher): TrustLog {
  return { open, contents, formerSizes: sizes, publisher, damages: new Damages(), disputes: new Map() };
}
