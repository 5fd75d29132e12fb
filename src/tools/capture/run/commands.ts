import { Command } from 'commander';
import { examples, GROUPS } from '../../../platform/command-help.ts';
import { captureOptions } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import type { RunOptions } from './run.ts';

/**
 * Returns the command `run`, which runs any command with a receipt.
 * @param openLocal opens the service of --local
 */
export function runCommand(openLocal: OpenLocal): Command {
  const several = (value: string, before: string[] = []): string[] => [...before, value];
  const command = new Command('run')
    .description('run a command with a receipt that is issued before it starts; its exit code passes')
    .helpGroup(GROUPS.capture)
    .usage('[options] -- <command> [argument...]')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--name <name>', 'the name of the work in the receipt (default: the name of the command)')
    .option('--in <file>', 'a file that it reads, whose digest the receipt covers; can be repeated', several)
    .option(
      '--out <file>',
      'a file that it writes, whose digest the receipt covers; can be repeated',
      several,
    )
    .option('--capture-output', 'cover its standard output and standard error, too, which become pipes')
    .option('--require', 'do not start it without a receipt; by default its entry in the spool is enough');
  for (const option of captureOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples(
        ['Record a build', 'countersign run --in src.tar --out app.bin -- make release'],
        [
          'Record a job that must not run unrecorded',
          'countersign run --require --name nightly -- ./nightly.sh',
        ],
      ),
    )
    .action(async (argv: string[], options: RunOptions) => {
      const { runRecorded } = await import('./run.ts');
      process.exitCode = await runRecorded(argv, options, openLocal);
    });
}
