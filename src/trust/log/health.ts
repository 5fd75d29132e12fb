import { Failure } from '../../platform/failure.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Trust } from '../context.ts';
import { newestCheckpoint } from './checkpoints.ts';
import { forkReason } from './fork.ts';
import { LOG_NAMES, type Logs } from './logs.ts';
import { REFRESH_MS } from './publisher.ts';
import { openOwnCheckpoint } from './sign.ts';
import type { LogName } from './store.ts';

/** So much later than it should be is a checkpoint no accident of scheduling. */
const GRACE_MS = 60_000;
const WAIT_MS = 10_000;

interface Health {
  isWell: boolean;
  /** What there is to say, one sentence each. A service may be well with some: they concern whoever runs it, not whoever asks. */
  problems: string[];
}

/** Whether the service does what it is there for, and what is wrong or to be known. */
export async function healthOf(trust: Trust): Promise<Health> {
  const { store, damages, publisher, disputes, readOnly } = trust;
  if (!(await store.healthy())) {
    const problem = 'The database does not answer, or the disk did not take the last write.';
    return { isWell: false, problems: [problem] };
  }
  const faults = damages.problems;
  // Who only reads publishes nothing, and is not late with it.
  if (!readOnly) faults.push(...LOG_NAMES.flatMap((name) => lateness(trust, name)));
  if (publisher.isFailing) faults.push('The last checkpoints could not be published; see the log.');
  const { unverified, reading } = await store.read((snapshot) => ({
    unverified: LOG_NAMES.filter(
      (name) => !verifies(trust, name, newestCheckpoint(snapshot, trust.logs[name])?.answer.note),
    ),
    reading: readOnly ? aboutReading(snapshot, trust) : [],
  }));
  faults.push(...unverified.map((name) => `The newest checkpoint of ${name} does not verify.`));
  // A witness is somebody else: his word is passed on, and takes nobody's service down.
  return { isWell: faults.length === 0, problems: [...faults, ...reading, ...disputes.values()] };
}

/** What is to be known of a server that only reads, and why it may have to. */
function aboutReading(snapshot: Snapshot, { logs, directory, publisher }: Trust): string[] {
  const { issued_at } = publisher.latest('receipts').answer;
  return [
    `This server only reads: it writes, signs and publishes nothing, and its newest checkpoint is of ${issued_at}.`,
    ...[reasonNotToSign(snapshot, logs, directory)].flatMap((reason) =>
      reason === null ? [] : [`The log must not be signed on: ${reason}.`],
    ),
  ];
}

function reasonNotToSign(snapshot: Snapshot, logs: Logs, directory: string): string | null {
  try {
    return forkReason(snapshot, logs, directory);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function lateness({ publisher, clock }: Trust, name: LogName): string[] {
  const age = clock.now() - Date.parse(publisher.latest(name).answer.issued_at);
  const problems: string[] = [];
  if (age > REFRESH_MS + GRACE_MS) {
    problems.push(`The newest checkpoint of ${name} is ${Math.floor(age / 60_000)} minutes old.`);
  }
  if (publisher.waitingMs(name) > WAIT_MS) problems.push(`Leaves of ${name} wait for their checkpoint.`);
  return problems;
}

function verifies({ signer, logs }: Trust, name: LogName, note: string | undefined): boolean {
  const { origin } = logs[name];
  try {
    return note !== undefined && openOwnCheckpoint(signer, origin, note).checkpoint.origin === origin;
  } catch {
    return false;
  }
}
