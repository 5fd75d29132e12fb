import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { conclude, writeFinding } from '../../platform/audit-output.ts';
import { requireService } from '../../platform/control/perform.ts';
import { jsonLine, writeOut } from '../../platform/output.ts';
import { grouped, Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { ExaminerCrew } from './examiners.ts';
import { type Difference, fsck } from './fsck.ts';

/**
 * Audits a data directory on all cores, and writes what differs.
 * @param all tell every difference, not the first alone
 * @throws Failure where there is no database of the service
 */
export async function fsckDirectory(data: string, all: boolean): Promise<void> {
  requireService(data, trustDatabase.name);
  // Whoever is being served goes first. Threads that are started later inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  const file = join(data, trustDatabase.name);
  const connection = openMigrated(file, trustDatabase.schema);
  const examiner = new ExaminerCrew(file, Math.max(navigator.hardwareConcurrency, 1));
  const structure = new ExaminerCrew(file, 1);
  const progress = new Progress(process.stderr, 'signatures');
  const telling = {
    all,
    difference: (difference: Difference) => writeFinding(difference, progress),
    progress: ({ signatures }: { signatures: number }, share: number) => progress.at(signatures, share),
  };
  try {
    const outcome = await fsck(connection, data, { examiner, structure }, telling);
    progress.clear();
    await writeOut(jsonLine(outcome));
    const { receipts, leaves, checkpoints, evidence } = outcome.examined;
    const looked = `${grouped(receipts)} receipts, ${grouped(leaves)} leaves, ${grouped(checkpoints)} checkpoints, ${grouped(evidence)} items of evidence`;
    conclude(progress, outcome.differences, looked);
  } finally {
    progress.clear();
    examiner.end();
    structure.end();
    connection.sqlite.close();
  }
}
