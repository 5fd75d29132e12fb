import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { LoadModules } from '../../platform/command-groups.ts';
import { commandSettings } from '../../platform/config/command-line.ts';
import { Failure } from '../../platform/failure.ts';
import { matchOwner } from '../../platform/files/write.ts';
import { createLog } from '../../platform/monitoring/log.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { logSource } from '../../platform/tlog/source.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import { newestCheckpoint } from '../log/checkpoints/checkpoints.ts';
import { futureDateProblem } from '../log/checkpoints/future-date.ts';
import { HIGH_WATER_FILE } from '../log/high-water.ts';
import { forkReason } from '../log/lifecycle/fork.ts';
import { refuseFutureEntries } from '../log/lifecycle/future-entries.ts';
import { restartLogs } from '../log/lifecycle/restart.ts';
import { allLogs, earlierLogsOf, openLogsOf } from '../log/logs.ts';
import { type RecoveredLogs, recoverLogs } from '../log/recovery/recover.ts';
import type { LogCommandContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { withServiceStopped } from '../service/open-context.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/**
 * Ends the log of the data directory of a command, and begins another.
 * @param isForced whether to end even a log without a problem, or with entries that are dated in the future
 * @throws Failure while a server uses the data directory
 */
export function restartLog(command: Command, modules: LoadModules<TrustModule>, isForced: boolean) {
  return onDirectory(command, modules, async (context, directory) => {
    if (!isForced) {
      await requireReasonToRestart(context, directory);
      await refuseFutureEntries(context);
    }
    return restartLogs(context, directory);
  });
}

/**
 * Appends leaves that the data directory does not have from a copy of the log. Shows progress on stderr.
 * @param from a directory, or a URL
 * @param trustCopy see `RecoverOptions`
 * @throws Failure while a server uses the data directory, and as `recoverLogs`
 */
export async function recoverLog(
  command: Command,
  modules: LoadModules<TrustModule>,
  from: string,
  trustCopy: boolean,
): Promise<RecoveredLogs> {
  const progress = new Progress(process.stderr, 'leaves');
  try {
    return await onDirectory(command, modules, (context, directory) =>
      recoverLogs(context, directory, logSource(from), (count, share) => progress.at(count, share), {
        trustCopy,
      }),
    );
  } finally {
    progress.clear();
  }
}

/** Refuses to end a log without a reason. @throws Failure */
async function requireReasonToRestart({ store, clock }: LogCommandContext, directory: string): Promise<void> {
  const isSound = await store.read(async (snapshot) => {
    const all = await allLogs(snapshot);
    const logs = openLogsOf(all) ?? earlierLogsOf(all);
    if (logs === null || (await forkReason(snapshot, logs, directory)) !== null) return false;
    for (const name of LOG_NAMES) {
      const log = logs[name];
      const published = log === undefined ? null : await newestCheckpoint(snapshot, log);
      if (published !== null && futureDateProblem(published.response.issued_at, clock.now()) !== null)
        return false;
    }
    return true;
  });
  if (!isSound) return;
  throw new Failure(
    'nothing is wrong with this log, and ending it cannot be undone',
    'countersign serve continues it; use --force to end it anyway',
  );
}

/** Runs `act` on the log of a data directory that no server uses. @throws Failure if one does */
async function onDirectory<T>(
  command: Command,
  modules: LoadModules<TrustModule>,
  act: (context: LogCommandContext, directory: string) => Promise<T>,
): Promise<T> {
  const { config } = commandSettings(command, trustSettingsOf(await modules()));
  const data = resolve(trustSettings.data.in(config));
  const { log } = await createLog('warn');
  const result = await withServiceStopped(data, config, log, await modules(), act);
  matchOwner(data, [join(data, HIGH_WATER_FILE)]);
  return result;
}
