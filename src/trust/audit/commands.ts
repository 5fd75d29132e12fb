import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import { requireService } from '../../platform/control/perform.ts';
import { writeOut } from '../../platform/output.ts';
import { grouped, Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { ExaminerCrew } from './examiners.ts';
import { fsck, type Telling } from './fsck.ts';

interface FsckOptions {
  all?: boolean;
}

/** Audits what is stored. */
export function fsckCommand(): Command {
  const command = new Command('fsck')
    .description(
      'audit all that is signed, chained or logged, beside a running server or without one; exit 0 when whole',
    )
    .argument('[directory]', 'a data directory; the configured one if none is named');
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--all', 'tell every difference, not the first alone')
    .addHelpText(
      'after',
      `
It reads the database as it is, on all cores, and writes nothing: every version of every receipt,
every leaf, tile and checkpoint of every log, the key log, and the mark of what was published.
What differs is on stdout, a line of JSON each, and last a summary; in words on stderr.`,
    )
    .action(runFsck);
}

async function runFsck(place: string | undefined, { all }: FsckOptions, command: Command): Promise<void> {
  const { config } = settled(command, trustSettingsTable);
  const data = resolve(place ?? trustSettings.data.in(config));
  requireService(data, trustDatabase.name);
  // Whoever is being served goes first. Threads that are started later inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  const file = join(data, trustDatabase.name);
  const connection = openMigrated(file, trustDatabase.schema);
  const examiner = new ExaminerCrew(file, Math.max(navigator.hardwareConcurrency, 1));
  const structure = new ExaminerCrew(file, 1);
  const progress = new Progress(process.stderr, 'signatures');
  const telling: Telling = {
    all: all === true,
    async difference(difference) {
      progress.clear();
      await writeOut(`${JSON.stringify(difference)}\n`);
      process.stderr.write(`${difference.sentence}\n`);
    },
    progress: ({ signatures }, share) => progress.at(signatures, share),
  };
  try {
    const outcome = await fsck(connection, data, { examiner, structure }, telling);
    progress.clear();
    await writeOut(`${JSON.stringify(outcome)}\n`);
    const { receipts, leaves, checkpoints } = outcome.examined;
    const looked = `${grouped(receipts)} receipts, ${grouped(leaves)} leaves, ${grouped(checkpoints)} checkpoints`;
    progress.end(
      outcome.whole
        ? `whole: ${looked}.`
        : `not whole: ${grouped(outcome.differences)} ${outcome.differences === 1 ? 'difference' : 'differences'}.`,
    );
    if (!outcome.whole) process.exitCode = 1;
  } finally {
    progress.clear();
    examiner.end();
    structure.end();
    connection.sqlite.close();
  }
}
