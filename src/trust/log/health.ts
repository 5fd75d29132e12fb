import { nativePrimitives } from '../../platform/crypto.ts';
import { openCheckpoint } from '../../proof/note-signature.ts';
import type { Trust } from '../context.ts';
import { newestCheckpoint } from './checkpoints.ts';
import { LOG_NAMES } from './logs.ts';
import { REFRESH_MS } from './publisher.ts';
import { verifierKeyOf } from './sign.ts';
import type { LogName } from './store.ts';

/** So much later than it should be is a checkpoint no accident of scheduling. */
const GRACE_MS = 60_000;
const WAIT_MS = 10_000;

/** What is wrong with the service, one sentence each; none when it is well. */
export async function healthOf(trust: Trust): Promise<string[]> {
  const { store } = trust;
  if (!(await store.healthy()))
    return ['The database does not answer, or the disk did not take the last write.'];
  const problems = [...trust.damages.problems, ...LOG_NAMES.flatMap((name) => lateness(trust, name))];
  if (trust.publisher.isFailing) problems.push('The last checkpoints could not be published; see the log.');
  return [
    ...problems,
    ...(await store.read((snapshot) =>
      LOG_NAMES.flatMap((name) => {
        const stored = newestCheckpoint(snapshot, trust.logs[name]);
        return verifies(trust, name, stored?.answer.note)
          ? []
          : [`The newest checkpoint of ${name} does not verify.`];
      }),
    )),
  ];
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
  const keys = signer
    .all()
    .filter(({ purpose }) => purpose === 'log')
    .map((key) => verifierKeyOf(key, origin));
  try {
    return (
      note !== undefined &&
      openCheckpoint(nativePrimitives, Buffer.from(note), keys).checkpoint.origin === origin
    );
  } catch {
    return false;
  }
}
