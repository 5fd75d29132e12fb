import { Command, InvalidArgumentError } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { collected, LOG_KEY, maxDownload, maxSeconds } from './options.ts';
import type { MonitorOptions } from './run.ts';

/** Watches a service's logs from outside. */
export function monitorCommand(): Command {
  return new Command('monitor')
    .description(
      "watch a service's logs, keep a copy of them, and tell when they contradict what they said before",
    )
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(
        [
          'Watch a service, and check it every 60 seconds',
          'countersign monitor https://trust.example --state ./watched',
        ],
        ['Check it once', 'countersign monitor https://trust.example --state ./watched --once'],
      ),
    )
    .argument('<url>', 'the service, or where /log lies')
    .requiredOption('--state <directory>', 'where the copy is kept')
    .option('--once', 'one round; exit 0 when all is well')
    .option('--interval <seconds>', 'from one round to the next', seconds, 60)
    .option(...LOG_KEY, collected)
    .addOption(maxDownload('what is fetched in 24 hours at most, in MiB; the copy takes about as much disk'))
    .addOption(maxSeconds('how long a round may take'))
    .addHelpText(
      'after',
      `
Every round is a line of JSON on stdout. Exit 2 when the log has told two stories: both notes are then
in the directory. An entry that is wrong is read once: what is wrong with it stands in problems.jsonl in
the directory, and is told of (told_before) with exit 1 until you have looked into it and removed the file.
Without --log-key the first run takes the log's keys from the service; they are held from then on, and
change only as the key log says. The copy is what countersign recover --from-tiles takes, and what
countersign fsck DIRECTORY reads again from end to end.`,
    )
    .action(async (url: string, options: MonitorOptions) => {
      const { runMonitor } = await import('./run.ts');
      await runMonitor(url, options);
    });
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('An interval is whole seconds, 1 or more.');
}
