import { join } from 'node:path';
import type { Config } from '../../platform/config/setting.ts';
import { Failure } from '../../platform/failure.ts';
import { createLog } from '../../platform/log.ts';
import { giveToOwner } from '../../platform/secrets.ts';
import { LOG_NAMES } from '../../proof/log/names.ts';
import type { LogDesk } from '../context.ts';
import { whileNobodyServes } from '../opening.ts';
import { newestCheckpoint } from './checkpoints.ts';
import { forkReason } from './fork.ts';
import { futureProblem } from './future.ts';
import { HIGH_WATER_FILE } from './high-water.ts';
import { openLogs } from './logs.ts';

export { logSource } from '../../platform/tlog/source.ts';
export { recover } from './recover.ts';
export { restartLogs } from './restart.ts';

/** A log that can be gone on with is not ended by mistake. @throws Failure */
export async function mustNeedRestart({ store, clock }: LogDesk, directory: string): Promise<void> {
  const isWell = await store.read(async (snapshot) => {
    const logs = await openLogs(snapshot);
    if (logs === null || (await forkReason(snapshot, logs, directory)) !== null) return false;
    for (const name of LOG_NAMES) {
      const published = await newestCheckpoint(snapshot, logs[name]);
      if (published !== null && futureProblem(published.answer.issued_at, clock.now()) !== null) return false;
    }
    return true;
  });
  if (!isWell) return;
  throw new Failure(
    'nothing is wrong with this log, and ending it cannot be taken back',
    'countersign serve goes on with it; --force ends it all the same',
  );
}

/** Does something to the log of a data directory while nobody serves it. @throws Failure when somebody does */
export async function onDirectory<T>(
  data: string,
  config: Config,
  act: (desk: LogDesk, directory: string) => Promise<T>,
): Promise<T> {
  const result = await whileNobodyServes(data, config, (await createLog('warn')).log, act);
  giveToOwner(data, [join(data, HIGH_WATER_FILE)]);
  return result;
}
