import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { LogName } from '../../../../proof/log/log-names.ts';
import { oldestTime, type SizeAt, sizesAt } from '../../../log/growth.ts';
import { logChangesOf } from '../../../log/keys/log/log-changes.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';

/** The parts of the service that the growth of a log is read from. */
export interface GrowthContext {
  store: Store;
  log: TrustLog;
  clock: Clock;
}

/** How many times of its life the size of a log is read at. */
const STEPS = 60;

/** Returns the size of a log at times from its oldest checkpoint until now, oldest first. */
export function lifeOf({ store, log, clock }: GrowthContext, name: LogName): Promise<SizeAt[]> {
  const now = clock.now();
  return store.read(async (snapshot) => {
    const start = Math.min((await oldestTime(snapshot, log.open[name])) ?? now, now);
    const step = Math.max(1, (now - start) / STEPS);
    const times = Array.from({ length: STEPS + 1 }, (_, index) => Math.round(start + index * step));
    return sizesAt(snapshot, log.open[name], times, await continuesIn(snapshot, log, name));
  });
}

/** Returns whether a log continues another one, as the log of keys says. */
export async function continuesIn(
  snapshot: Parameters<typeof logChangesOf>[0],
  log: TrustLog,
  name: LogName,
): Promise<boolean> {
  const changes = await logChangesOf(snapshot);
  return changes.some(
    ({ change: { event, origin } }) => event === 'log_continued' && origin === log.open[name].origin,
  );
}
