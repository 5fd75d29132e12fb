import { Command } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { printJson } from '../../platform/control/verb.ts';
import type { ModuleCommand } from '../../platform/module.ts';
import type { TrustModule } from '../module.ts';
import { trustSettings } from '../settings.ts';

/**
 * The commands of the transparency log. Their work (`lifecycle/maintenance.ts`) is loaded when one is called, so that other commands start
 * without it.
 */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => [
  { command: logCommand(modules) },
  { command: recoverCommand(modules) },
];

/** Builds `log`, whose sub-commands work on the log of a data directory that no server uses. */
function logCommand(modules: readonly TrustModule[]): Command {
  const log = new Command('log')
    .description("work on a data directory's transparency log")
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples([
        'End a log that must not be signed on, and begin another',
        'countersign log restart --data ./data/trust',
      ]),
    )
    .helpCommand(false);
  const restart = log
    .command('restart')
    .description('end the log at its last checkpoint, and begin another under a name of its own')
    .addHelpText(
      'after',
      examples(['End the log at its last checkpoint', 'countersign log restart --data ./data/trust']),
    );
  addFlags(restart, [trustSettings.data, trustSettings.config])
    .addHelpText(
      'after',
      `
The way out when serve says that the log must not be signed on and nobody has a copy of what is
missing, or when a wrong clock has dated its newest checkpoint too far in the future. Proofs against the former log stay good; whoever watches it will see that it has ended.`,
    )
    .option('--force', 'also where nothing is wrong with the log')
    .action(async (options: { force?: true }, command: Command) => {
      const { restartLog } = await import('./lifecycle/maintenance.ts');
      printJson(await restartLog(command, modules, options.force === true));
    });
  return log;
}

/** Builds `recover`, which appends the leaves that a restored backup lacks. */
function recoverCommand(modules: readonly TrustModule[]): Command {
  const command = new Command('recover')
    .description('bring back, from a copy of the log, the leaves that a restored backup does not have')
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples([
        'Use the copy that a monitor keeps',
        'countersign recover --from-tiles ./watched --data ./data/trust',
      ]),
    );
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .requiredOption(
      '--from-tiles <url|directory>',
      'where receipts/, keys/ and revocations/ of a copy lie, such as a monitor keeps',
    )
    .addHelpText(
      'after',
      `
The receipts themselves are not in the log: of those that were lost it brings back that they were,
and their revocations.

With --trust-copy the copy may be used where log.high-water was lost with the disk. It is verified
by the log's own keys, from keys/, and must contain all that the database has published. What was
published after the copy was taken is then signed a second time, with other contents, and whoever
has seen it will call that a fork: use the newest copy that anybody has.`,
    )
    .option('--trust-copy', 'take the copy for all that was published, where log.high-water is lost')
    .action(async ({ fromTiles, trustCopy }: { fromTiles: string; trustCopy?: true }, command: Command) => {
      const { recoverLog } = await import('./lifecycle/maintenance.ts');
      printJson(await recoverLog(command, modules, fromTiles, trustCopy === true));
    });
}
