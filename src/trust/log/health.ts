import { Failure } from '../../platform/failure.ts';
import type { Health } from '../../platform/monitoring/health.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { LOG_NAMES, type LogName } from '../../proof/log/log-names.ts';
import { REFRESH_MS } from '../../proof/log/retention.ts';
import { newestCheckpoint } from './checkpoints/checkpoints.ts';
import { futureDateProblem } from './checkpoints/future-date.ts';
import { openOwnCheckpoint } from './checkpoints/sign.ts';
import { doubtNotice, wrongClockProblem } from './clock/notices.ts';
import type { Signer } from './keys/signing/signer.ts';
import { forkReason } from './lifecycle/fork.ts';
import type { TrustLog } from './lifecycle/open.ts';
import type { Logs } from './logs.ts';

/** A checkpoint is due a second after growth at the latest, and after `REFRESH_MS` without growth. */
const DUE_MS = 1000;
/** The extra time absorbs delays of the scheduler. */
const LATE_MS = 1500;

/** The parts of the service that the health check reads. */
type Parts = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  signer: Signer;
  log: TrustLog;
  directory: string;
  readOnly: boolean;
};

/**
 * Examines the service: files, store, checkpoints, clock and witnesses. Reads the database and verifies
 * signatures, which takes 2 to 8 ms.
 */
export async function healthOf(trust: Parts): Promise<Health> {
  const { store, log, readOnly, clockWatch } = trust;
  const { damage, publisher, disputes } = log;
  const lostFile = store.files.check();
  if (lostFile !== null) return { isHealthy: false, problems: [lostFile] };
  if (!(await store.healthy())) {
    const problem = 'The database does not respond, or the disk did not accept the last write.';
    return { isHealthy: false, problems: [problem] };
  }
  const problems = damage.problems;
  // A read-only server publishes nothing, so its checkpoints are never late.
  if (!readOnly)
    problems.push(
      ...present(wrongClockProblem(clockWatch)),
      ...LOG_NAMES.flatMap((name) => lateness(trust, name)),
    );
  if (publisher.isFailing) problems.push('The last checkpoints could not be published; see the log.');
  const { unverified, reading } = await store.read(async (snapshot) => ({
    unverified: await unverifiedIn(snapshot, trust),
    reading: readOnly ? await aboutReading(snapshot, trust) : [],
  }));
  problems.push(...unverified.map((name) => `The newest checkpoint of ${name} does not verify.`));
  // What a witness says is reported, and does not make this service unhealthy. While the clock is known to be
  // wrong, dates are not reported: an administrator should not close a sound log because of them.
  const dates = publisher.clockJump === null ? futures(trust) : [];
  // A read-only server runs no task, so nothing waits.
  const doubt = readOnly ? [] : present(doubtNotice(clockWatch));
  const known = [...reading, ...doubt, ...dates, ...disputes.values()];
  return { isHealthy: problems.length === 0, problems: [...problems, ...known] };
}

function present(problem: string | null): string[] {
  return problem === null ? [] : [problem];
}

/**
 * A log that was signed by a clock ahead of time keeps that date, since monitors take a later tree with an
 * earlier date for a rollback.
 */
function futures({ log: { publisher }, clock }: Parts): string[] {
  return LOG_NAMES.flatMap((name) => {
    const problem = futureDateProblem(publisher.latest(name).response.issued_at, clock.now());
    return problem === null ? [] : [`The newest checkpoint of ${name} ${problem}.`];
  });
}

/** Returns notices about a read-only server, and why it may have to be one. */
async function aboutReading(snapshot: Snapshot, { log, directory }: Parts): Promise<string[]> {
  const { issued_at } = log.publisher.latest('receipts').response;
  const reason = await reasonNotToSign(snapshot, log.open, directory);
  return [
    `This server only reads: it writes, signs and publishes nothing, and its newest checkpoint is of ${issued_at}.`,
    ...(reason === null ? [] : [`The log must not be continued: ${reason}.`]),
  ];
}

async function reasonNotToSign(snapshot: Snapshot, logs: Logs, directory: string): Promise<string | null> {
  try {
    return await forkReason(snapshot, logs, directory);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function lateness({ log: { publisher }, clock }: Parts, name: LogName): string[] {
  const age = clock.now() - Date.parse(publisher.latest(name).response.issued_at);
  const problems: string[] = [];
  if (age > REFRESH_MS + LATE_MS) {
    problems.push(`The newest checkpoint of ${name} is ${Math.floor(age / 60_000)} minutes old.`);
  }
  if (publisher.waitingMs(name) > DUE_MS + LATE_MS)
    problems.push(`Leaves of ${name} wait for their checkpoint.`);
  return problems;
}

/** Returns the logs whose newest checkpoint does not verify. */
async function unverifiedIn(snapshot: Snapshot, trust: Parts): Promise<LogName[]> {
  const unverified: LogName[] = [];
  for (const name of LOG_NAMES) {
    const newest = await newestCheckpoint(snapshot, trust.log.open[name]);
    if (!verifies(trust, name, newest?.response.note ?? null)) unverified.push(name);
  }
  return unverified;
}

function verifies(trust: Parts, name: LogName, note: string | null): boolean {
  const log = trust.log.open[name];
  if (note === null) return false;
  try {
    return openOwnCheckpoint(trust.signer, log, note).checkpoint.origin === log.origin;
  } catch {
    return false;
  }
}
