import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { writeSecretFile } from '../files/write.ts';

/** The file by which a data directory says that it holds a demonstration, and of which service. */
const MARK = 'demonstration';

/** The lock, which the process that asks holds, and what SQLite puts beside it. */
const LOCK = /^lock(?:-|$)/;

/** Returns the service whose demonstration a data directory holds; null for any other directory. */
function demonstrated(directory: string): string | null {
  const path = join(directory, MARK);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** @throws Failure (exit code 2) for a directory that has anything but a demonstration of this service */
export function refuseOtherData(directory: string, service: string): void {
  if (!existsSync(directory)) return;
  const known = demonstrated(directory);
  if (known === service) return;
  if (known !== null) {
    throw new Failure(
      `${directory} holds a demonstration of the ${known} service`,
      'name another directory with --data, or leave --data out',
      2,
    );
  }
  if (readdirSync(directory).every((name) => LOCK.test(name))) return;
  throw new Failure(
    `${directory} is not empty and holds no demonstration: --demo would replace what is in it`,
    'name a new directory with --data, or leave --data out',
    2,
  );
}

/** @throws Failure (exit code 2) for a demonstration's directory, whose API keys everybody knows */
export function refuseDemonstration(directory: string): void {
  if (demonstrated(directory) === null) return;
  throw new Failure(
    `${directory} holds a demonstration, whose API keys are public`,
    'add --demo, or name another directory with --data',
    2,
  );
}

/** A restored backup would not be marked, and be served to everybody. @throws Failure (exit code 2) for a demonstration's directory */
export function refuseBackupOfDemonstration(directory: string): void {
  if (demonstrated(directory) === null) return;
  throw new Failure(
    `${directory} holds a demonstration, whose API keys are public`,
    'a start with --demo makes its data anew: it needs no backup',
    2,
  );
}

/**
 * Marks a directory, whose lock the caller holds, as a demonstration of this service, and removes what a former start put into it.
 * The mark comes first: whatever ends the process now, the next start knows what the directory is.
 * @throws Failure as refuseOtherData
 */
export function clearForDemonstration(directory: string, service: string): void {
  refuseOtherData(directory, service);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeSecretFile(join(directory, MARK), `${service}\n`);
  for (const name of readdirSync(directory)) {
    if (name !== MARK && !LOCK.test(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
