import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, commandSettings } from '../platform/config/command-line.ts';
import { isUrl } from '../platform/network/fetch.ts';
import { collected, LOG_KEY, maxDownload, maxSeconds } from '../tools/monitor/options.ts';
import type { FsckOptions } from '../tools/monitor/remote-fsck.ts';
import { trustDatabase } from '../trust/service/database.ts';
import type { TrustModule } from '../trust/service/module.ts';
import { trustSettings, trustSettingsOf } from '../trust/service/settings.ts';
import type { Services } from './services.ts';

/** Returns the command `fsck`. */
export function fsckCommand({ capabilities: { trust } }: Services): Command {
  const command = new Command('fsck')
    .description(
      'audit everything that is signed, chained or logged, also while the server runs; exit 0 without problems',
    )
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(
        ['Audit a data directory, also while the service runs', 'countersign fsck ./data/trust'],
        ['Audit what a service publishes', 'countersign fsck https://trust.example'],
      ),
    )
    .argument(
      '[directory|url]',
      "a service's data directory (default: the configured one), a monitor's directory, or the URL of a service or of its /log",
    );
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--all', 'report every problem, not only the first; for a URL, at most 10,000')
    .option(...LOG_KEY, collected)
    .addOption(maxDownload('the maximum download from a URL, in MiB'))
    .addOption(maxSeconds('the time limit for the audit of a URL, in seconds'))
    .addHelpText(
      'after',
      `
What it checks:
  a data directory     every version of every receipt, every entry, tile and checkpoint of every log, the
                       key log, log.high-water, counts, indexes and triggers; it writes nothing
  a URL                what is public: every entry and tile, and all listed checkpoints
  a monitor directory  the copy of the logs, with the keys in that directory

Prints each problem as one JSON line on stdout, then a summary; a readable text on stderr.`,
    )
    .action((source: string | undefined, options: FsckOptions, self: Command) =>
      fsck(trust, source, options, self),
    );
}

async function fsck(
  modules: readonly TrustModule[],
  source: string | undefined,
  options: FsckOptions,
  command: Command,
): Promise<void> {
  if (source !== undefined && isUrl(source)) {
    const { fsckRemote } = await import('../tools/monitor/remote-fsck.ts');
    await fsckRemote(source, options);
    return;
  }
  const { config } = commandSettings(command, trustSettingsOf(modules));
  const data = resolve(source ?? trustSettings.data.in(config));
  if (isMonitorDirectory(data)) {
    const { fsckRemote } = await import('../tools/monitor/remote-fsck.ts');
    await fsckRemote(data, options, data);
  } else {
    const { fsckTrust } = await import('../trust/audit/directory.ts');
    await fsckTrust(data, options.all === true);
  }
}

/** Returns whether a directory is a monitor's copy and not a service's data directory. */
function isMonitorDirectory(directory: string): boolean {
  return (
    existsSync(join(directory, 'keys', 'checkpoint')) && !existsSync(join(directory, trustDatabase.name))
  );
}
