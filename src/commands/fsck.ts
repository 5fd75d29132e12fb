import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, commandSettings, flagValue } from '../platform/config/command-line.ts';
import { Failure } from '../platform/failure.ts';
import { isUrl } from '../platform/network/fetch.ts';
import { collected, LOG_KEY, maxDownload, maxSeconds } from '../tools/monitor/options.ts';
import type { FsckOptions } from '../tools/monitor/remote-fsck.ts';
import { trustDatabase } from '../trust/service/database.ts';
import type { TrustModule } from '../trust/service/module.ts';
import { trustSettings, trustSettingsOf } from '../trust/service/settings.ts';
import type { Services } from './services.ts';

/** The options on the command line. */
interface CommandOptions extends FsckOptions {
  only?: string;
  repair?: true;
  with?: string;
}

const AUDITABLE =
  'specify the data directory of a service, the directory of a monitor whose first check succeeded, or a URL';

/** Returns the command `fsck`. */
export function fsckCommand({ capabilities: { trust } }: Services): Command {
  const command = new Command('fsck')
    .description(
      'audit everything that is signed, chained or logged, even while the server runs; exit 0 without problems',
    )
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(
        ['Audit a data directory, even while the service runs', 'countersign fsck ./data/trust'],
        ['Audit what a service publishes', 'countersign fsck https://trust.example'],
        ['Compare the copies of two monitors', 'countersign fsck ./watched --with ./watched-by-another'],
      ),
    )
    .argument(
      '[directory|url]',
      "a service's data directory (default: the configured one), a monitor's directory, or the URL of a service or of its /log",
    );
  addFlags(command, [trustSettings.data, trustSettings.config]);
  return addFlags(command, [trustSettings.allowSharedData], { listed: false })
    .option('--all', 'report every problem, not only the first; for a URL, at most 10,000')
    .option(
      '--only <names>',
      'audit only these parts of a data directory, separated by commas, such as ledger,agora; an unknown name lists all parts',
    )
    .option(
      '--repair',
      'make derived tables that are wrong again: only of a stopped service, after a backup into backups/',
    )
    .option(
      '--with <directory|url>',
      "compare a monitor's directory with another copy of the same logs, or with a URL, instead of auditing it",
    )
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

--with finds a fork between two monitors' copies, from their checkpoints and few tiles. Exit 2 when both
signed checkpoints contradict each other; both notes are then in the first directory.

--only ledger checks that no credit or cent was created, lost or changed: every movement, journal,
balance and escrow. --only agora checks the agreements of agents: the signature and the hash of every
step, and that it was allowed. The result names the parts; nothing is said of the others, nor of the
database file.

--repair makes counts, sums and indexes again that follow from other tables, and never what is signed,
logged or booked. It changes nothing if anything else has problems.

Prints each problem as one JSON line on stdout, then a summary; a readable text on stderr.`,
    )
    .action((source: string | undefined, options: CommandOptions, self: Command) =>
      fsck(trust, source, options, self),
    );
}

async function fsck(
  modules: readonly TrustModule[],
  source: string | undefined,
  { only, repair, with: other, ...options }: CommandOptions,
  command: Command,
): Promise<void> {
  if (other !== undefined) {
    await compare(source, other, { only, repair, ...options });
    return;
  }
  if (source !== undefined && isUrl(source)) {
    refuse({ only, repair }, 'a URL');
    const { fsckRemote } = await import('../tools/monitor/remote-fsck.ts');
    await fsckRemote(source, options);
    return;
  }
  const { config } = commandSettings(command, trustSettingsOf(modules));
  const configured = resolve(trustSettings.data.in(config));
  const data = source === undefined ? configured : resolve(source);
  if (data !== configured && flagValue(command, trustSettings.data) !== undefined)
    throw new Failure(`both ${data} and --data ${configured} name what to audit`, 'specify one of them', 2);
  requireAuditable(data);
  if (isMonitorDirectory(data)) {
    refuse({ only, repair }, "a monitor's directory");
    const { fsckRemote } = await import('../tools/monitor/remote-fsck.ts');
    await fsckRemote(data, options, data);
  } else if (repair === true) {
    if (only !== undefined) throw new Failure('--repair audits everything', 'omit --only', 2);
    const { repairTrust } = await import('../trust/audit/directory.ts');
    await repairTrust(data, { allowShared: trustSettings.allowSharedData.in(config) === 'on' });
  } else if (only !== undefined) {
    const { fsckParts } = await import('../trust/audit/parts.ts');
    const names = only.split(',').map((name) => name.trim());
    await fsckParts(modules, data, names, { all: options.all === true, output: 'json', namesParts: true });
  } else {
    const { fsckTrust } = await import('../trust/audit/directory.ts');
    await fsckTrust(data, options.all === true);
  }
}

/** Compares a monitor's directory with another copy. @throws Failure */
async function compare(
  source: string | undefined,
  other: string,
  {
    logKey = [],
    all,
    only,
    repair,
  }: Pick<FsckOptions, 'logKey' | 'all'> & { only: string | undefined; repair: true | undefined },
): Promise<void> {
  const directory = source === undefined || isUrl(source) ? null : resolve(source);
  if (directory === null || !isMonitorDirectory(directory))
    throw new Failure(
      "--with compares a monitor's directory with another copy, and the first argument is none",
      'pass the directory that countersign monitor keeps first, and the other copy or the URL with --with',
      2,
    );
  if (!isUrl(other) && isSameDirectory(directory, other))
    throw new Failure(
      `${other} is the first directory itself: nothing would be compared`,
      'pass another copy',
      2,
    );
  for (const [name, value] of Object.entries({ all, only, repair }))
    if (value !== undefined)
      throw new Failure(`--${name} audits, and --with compares two copies`, `omit --${name}`, 2);
  const { compareCopies } = await import('../tools/monitor/compare.ts');
  await compareCopies(directory, other, logKey);
}

/** Returns whether both paths lead to one directory. */
function isSameDirectory(one: string, other: string): boolean {
  return existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** Refuses what is neither a service's nor a monitor's directory. @throws Failure */
function requireAuditable(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Failure(`${path} does not exist`, AUDITABLE);
  if (!stats.isDirectory()) throw new Failure(`${path} is a file, not a directory`, AUDITABLE);
  if (existsSync(join(path, trustDatabase.name)) || isMonitorDirectory(path) || !isReadable(path)) return;
  throw new Failure(
    `there is no ${trustDatabase.name} of a service in ${path}, and no keys/checkpoint of a monitor`,
    AUDITABLE,
  );
}

/** Returns whether this user may list a directory. */
function isReadable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Refuses what is only for data directories. @throws Failure */
function refuse(options: { only: string | undefined; repair: true | undefined }, source: string): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined)
      throw new Failure(`--${name} is for a data directory, but this is ${source}`, `omit --${name}`, 2);
}

/** Returns whether a directory is a monitor's copy and not a service's data directory. */
function isMonitorDirectory(directory: string): boolean {
  return (
    existsSync(join(directory, 'keys', 'checkpoint')) && !existsSync(join(directory, trustDatabase.name))
  );
}
