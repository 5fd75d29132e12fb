import { Failure } from '../../platform/failure.ts';
import type { KeyedDesk } from '../context.ts';
import { readHighWater } from './high-water.ts';
import { allLogs, commonOrigin, givenOrigin, openLogs, originOf } from './logs.ts';
import { reopenLogs } from './restart.ts';
import { sizeOf } from './tree.ts';

/**
 * Gives the logs another name while no receipt is in them, so that nobody has a proof yet that refers to the former one: the logs are
 * closed and others are opened, with all keys. Does nothing for the name that they have, and nothing for logs that have receipts.
 *
 * @throws Failure for a name that a closed log of this directory has
 */
export async function renameLogs(
  desk: Pick<KeyedDesk, 'store' | 'clock' | 'signer'>,
  directory: string,
  origin: string,
): Promise<void> {
  const state = await desk.store.read((snapshot) => {
    const logs = openLogs(snapshot);
    if (logs === null || givenOrigin(snapshot) === origin || commonOrigin(logs) === origin) return null;
    const taken = allLogs(snapshot).some((log) => log.origin === originOf(origin, log.name));
    return { current: commonOrigin(logs), taken, receipts: sizeOf(snapshot, logs.receipts) };
  });
  if (state === null || state.receipts > 0) return;
  const mark = readHighWater(directory);
  // An older backup has fewer receipts than were published. Whether it may be signed on is not this function's to say.
  const isEmpty = mark !== null && mark.logs.receipts.tree_size === 0;
  if (!isEmpty || ![state.current, origin].includes(mark.origin)) return;
  if (state.taken) {
    throw new Failure(
      `log.origin is ${origin}, the name of a log that this data directory has closed`,
      'choose a name that no log of it had before',
      2,
    );
  }
  await reopenLogs(desk, directory, origin);
}
