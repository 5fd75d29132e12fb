import { Command } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { printJson } from '../../platform/control/run-action.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';

/**
 * The commands of the transparency log. Their work (`lifecycle/maintenance.ts`) is loaded when one is called,
 * so that other commands start without it.
 */
export const commands = ({ modules }: CommandSurroundings<TrustModule>): readonly ModuleCommand[] => [
  { command: logCommand(modules) },
  { command: recoverCommand(modules) },
];

/** What must follow a restart, because the logs have other names now. */
const AFTER_RESTART = [
  'start the service, and make a new backup (countersign backup; countersign keys backup if keys were added since the last)',
  'give each witness the lines of /log/<name>/vkeys of the new logs, in its file of --logs: it does not know their names',
  'ask verifiers to save GET /api/v1/transparency/keys again: older lists do not name the new logs',
  'start each monitor with another directory (--state), and keep the old one: it shows what the closed logs had',
];

/** Builds `log`, whose sub-commands work on the log of a data directory that no server uses. */
function logCommand(modules: LoadModules<TrustModule>): Command {
  const log = new Command('log')
    .description('manage the transparency log of a data directory')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples([
        'End a log that must not be continued, and start another',
        'countersign log restart --data ./data/trust',
      ]),
    )
    .helpCommand(false);
  const restart = log
    .command('restart')
    .description(
      'end the log at its last checkpoint and start a new log with another name, while no server uses the data directory',
    )
    .addHelpText(
      'after',
      examples(['End the log at its last checkpoint', 'countersign log restart --data ./data/trust']),
    );
  withData(restart)
    .addHelpText(
      'after',
      `
Use it when serve says that the log must not be continued and no copy has what is missing, or when a
wrong clock dated its newest checkpoint too far in the future. Proofs of the old log remain valid.
Monitors of the old log see that it has ended. Entries that are dated in the future are misdated in the
new log until then, so the command refuses while there are some. "closed" has the number of entries that
were published of each log, as closed_logs of /api/v1/transparency/keys has; "opened" those that the new
log has.`,
    )
    .option('--force', 'end even a log without a problem, or with entries dated in the future')
    .action(async (options: { force?: true }, command: Command) => {
      const { restartLog } = await import('./log-maintenance.ts');
      printJson(await restartLog(command, modules, options.force === true));
      for (const step of AFTER_RESTART) process.stderr.write(`next: ${step}\n`);
    });
  return log;
}

/** Builds `recover`, which appends the entries that a restored backup does not have. */
function recoverCommand(modules: LoadModules<TrustModule>): Command {
  const command = new Command('recover')
    .description(
      'recover, from a copy of the log, the entries that a restored backup does not have, while no server uses the data directory',
    )
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples([
        'Use the copy that a monitor keeps',
        'countersign recover --from-tiles ./watched --data ./data/trust',
      ]),
    );
  return withData(command)
    .requiredOption(
      '--from-tiles <url|directory>',
      'a copy of the logs with receipts/, keys/, revocations/, evidence/ and accounts/, such as the directory of a monitor',
    )
    .addHelpText(
      'after',
      `
The logs do not contain receipts and evidence themselves. Of lost ones the command recovers only the
fact that they existed; "not_recovered" lists the rest. Evidence is complete again when it is sent
again. Revocations of receipts and of agents are recovered.

Use --trust-copy if log.high-water was lost with the disk. The copy is verified with the log's own
keys, from keys/, and must contain everything that the database has published. Leaves that were
published after the copy was made are then signed a second time, with other contents, which monitors
report as a fork: use the newest copy that exists.`,
    )
    .option('--trust-copy', 'accept the copy as everything that was published, if log.high-water is lost')
    .action(async ({ fromTiles, trustCopy }: { fromTiles: string; trustCopy?: true }, command: Command) => {
      const { recoverLog } = await import('./log-maintenance.ts');
      printJson(await recoverLog(command, modules, fromTiles, trustCopy === true));
    });
}

/** Adds the flags that name the data directory. */
function withData(command: Command): Command {
  addFlags(command, [trustSettings.data, trustSettings.config]);
  return addFlags(command, [trustSettings.allowSharedData], { listed: false });
}
