import { Command, InvalidArgumentError } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { collected, LOG_KEY, maxDownload, maxSeconds } from './options.ts';
import type { MonitorOptions } from './run-rounds.ts';

/** Returns the command `monitor`. */
export function monitorCommand(): Command {
  return new Command('monitor')
    .description(
      'watch the logs of a service, keep a copy of them, and report when they contradict an earlier checkpoint',
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
    .argument('<url>', 'the URL of the service, or of its /log')
    .requiredOption('--state <directory>', 'the directory of the copy')
    .option('--once', 'check once; exit 0 when there is no problem')
    .option('--interval <seconds>', 'seconds between two checks', seconds, 60)
    .option(...LOG_KEY, collected)
    .addOption(
      maxDownload(
        'how much to download in 24 hours at most, in MiB; the copy needs about as much disk space',
      ),
    )
    .addOption(maxSeconds('how many seconds one check may take'))
    .addHelpText(
      'after',
      `
Each check prints a line of JSON to stdout. Exit 2 when the log equivocates: it signed two checkpoints
that contradict each other. Both notes are then in the directory. A wrong entry is read only once: its
problem is stored in problems.jsonl in the directory and reported (as "known") with exit 1 until you
remove the file. Without --log-key the first run takes the log's keys from the service; later runs
use these keys, and change them only as the key log says. Use the copy for countersign recover
--from-tiles, for countersign verify --complete --log DIRECTORY and for comparing a checkpoint or a
proof (countersign verify FILE --log DIRECTORY), and audit it with countersign fsck DIRECTORY. To find
a fork without witnesses, compare it with another monitor's: countersign fsck DIRECTORY --with OTHER.`,
    )
    .action(async (url: string, options: MonitorOptions) => {
      const { runMonitor } = await import('./run-rounds.ts');
      await runMonitor(url, options);
    });
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('The interval must be a whole number of seconds, 1 or more.');
}
