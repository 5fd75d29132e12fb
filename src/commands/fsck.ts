import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, commandSettings } from '../platform/config/command-line.ts';
import { isUrl } from '../platform/network/fetch.ts';
import { collected, LOG_KEY, maxDownload, maxSeconds } from '../tools/monitor/options.ts';
import type { FsckOptions } from '../tools/monitor/remote-fsck.ts';
import { trustDatabase } from '../trust/database.ts';
import type { TrustModule } from '../trust/module.ts';
import { trustSettings, trustSettingsOf } from '../trust/settings.ts';
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
      '[place]',
      'a data directory (the configured one if none is named), the directory of a monitor, or the URL of a service or of its /log',
    );
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--all', 'report every problem, not only the first; for a URL, at most 10,000')
    .option(...LOG_KEY, collected)
    .addOption(maxDownload('how much to download from a URL at most, in MiB'))
    .addOption(maxSeconds('how many seconds the audit of a URL may take'))
    .addHelpText(
      'after',
      `
Of a data directory it reads the database as it is, on all cores, and writes nothing: every version
of every receipt, every leaf, tile and checkpoint of every log, the key log, the mark of what was
published, counts, indexes and triggers. Of a URL, what anybody can see: every entry and tile, and all
checkpoints that are listed. Of a monitor's directory, the copy, by the keys that are kept in it.
What differs is on stdout, a line of JSON each, and last a summary; in words on stderr.`,
    )
    .action((place: string | undefined, options: FsckOptions, self: Command) =>
      fsck(trust, place, options, self),
    );
}

async function fsck(
  modules: readonly TrustModule[],
  place: string | undefined,
  options: FsckOptions,
  command: Command,
): Promise<void> {
  if (place !== undefined && isUrl(place)) {
    const { fsckRemote: fsckFromOutside } = await import('../tools/monitor/remote-fsck.ts');
    await fsckFromOutside(place, options);
    return;
  }
  const { config } = commandSettings(command, trustSettingsOf(modules));
  const data = resolve(place ?? trustSettings.data.in(config));
  if (isCopy(data)) {
    const { fsckRemote: fsckFromOutside } = await import('../tools/monitor/remote-fsck.ts');
    await fsckFromOutside(data, options, data);
  } else {
    const { fsckTrust } = await import('../trust/audit/directory.ts');
    await fsckTrust(data, options.all === true);
  }
}

/** Returns whether a directory is a monitor's copy and not a service's data directory. */
function isCopy(directory: string): boolean {
  return (
    existsSync(join(directory, 'keys', 'checkpoint')) && !existsSync(join(directory, trustDatabase.name))
  );
}
