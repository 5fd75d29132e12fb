import { lstatSync, rmSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { writeNewFile } from '../../platform/terminal/output.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import { KINDS, type Kind, nameOf, partsOf } from '../nppes/generate/files.ts';
import { MIXES, type Mix } from '../nppes/generate/made-up-rows.ts';

/** The rows of a full file: as many as the clinicians of the United States, without students. */
const FULL_ROWS = 3_390_000;
/** The rows of a weekly file of CMS. */
const WEEKLY_ROWS = 34_000;
/** Every row has an NPI of its own up to this number. */
const MOST_ROWS = 50_000_000;
const MOST_WEEKS = 520;

interface GenerateOptions {
  kind: Kind;
  mix: Mix;
  rows?: number;
  of: number;
  week: number;
  seed: number;
  out?: string;
  force?: true;
}

/** Returns the commands of NPPES files. */
export const commands = (): readonly ModuleCommand[] => [{ command: generateCommand() }];

/** Returns the command `generate`, which writes files to try the import with. */
function generateCommand(): Command {
  return new Command('generate')
    .description('staffing: write a file of fictitious clinicians as CMS publishes the real ones (NPPES)')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(
        ['Write a full file of 100,000 rows', 'countersign generate --rows 100000'],
        ['Write changes of a week to it', 'countersign generate --kind weekly --of 100000 --rows 1000'],
        ['Write a list of its deactivated NPIs', 'countersign generate --kind deactivated --of 100000'],
      ),
    )
    .addOption(
      new Option('--kind <kind>', 'a full file, the changes of a week, or the list of deactivated NPIs')
        .choices(KINDS)
        .default('full'),
    )
    .option(
      '--rows <n>',
      `the rows of the file (default: ${FULL_ROWS}; of a weekly one ${WEEKLY_ROWS})`,
      atMost(MOST_ROWS),
    )
    .option('--of <n>', 'the rows of the full file, for the other kinds', atMost(MOST_ROWS), FULL_ROWS)
    .addOption(
      new Option(
        '--mix <mix>',
        'what the full file has: mostly clinicians, or as many others as a file of CMS',
      )
        .choices(MIXES)
        .default('clinicians'),
    )
    .option('--week <n>', 'which week after the full file', atMost(MOST_WEEKS), 1)
    .option('--seed <n>', 'the same seed gives the same file', atMost(2 ** 31 - 1), 1)
    .option('--out <file>', 'a new file (default: named as CMS names it, in this directory)')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
Of 100 rows, about 2 are organizations and 1 is a deactivated NPI; with --mix cms,
22 and 4. Give the same --mix for each kind. Made-up NPIs begin with 2, and real
ones with 1. A row has about 1.2 kB.`,
    )
    .action(generate);
}

async function generate({ kind, mix, rows, of, week, seed, out, force }: GenerateOptions): Promise<void> {
  if (kind === 'deactivated' && rows !== undefined) {
    throw new Failure('--rows is not for a list of deactivated NPIs', 'specify --of', 2);
  }
  const plan = { kind, rows: rows ?? defaultRows(kind, of), of, week, seed, mix };
  const path = out ?? nameOf(plan);
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && force !== true) {
    throw new Failure(
      `${path} already exists`,
      'replace it with --force, or specify another file with --out',
    );
  }
  if (existing?.isFile() === true) rmSync(path);
  const progress = new Progress(process.stderr, 'rows');
  try {
    const written = await writeNewFile(path, async (write) => {
      let last = 0;
      for (const part of partsOf(plan)) {
        await write(part.text);
        last = part.rows;
        progress.at(last, kind === 'deactivated' ? null : last / plan.rows);
      }
      return last;
    });
    progress.end(`${path}: ${groupDigits(written)} rows`);
  } finally {
    progress.clear();
  }
}

function defaultRows(kind: Kind, of: number): number {
  if (kind === 'full') return FULL_ROWS;
  return kind === 'weekly' ? Math.min(WEEKLY_ROWS, of) : of;
}

/** Returns a parser of whole numbers from 1 to a maximum. */
function atMost(most: number): (text: string) => number {
  return (text) => {
    const number = positiveInteger(text);
    if (number > most) throw new InvalidArgumentError(`It must be at most ${most}.`);
    return number;
  };
}
