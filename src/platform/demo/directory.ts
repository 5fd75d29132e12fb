import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { writeSecretFile } from '../files/write.ts';

/** The file by which a data directory says that it holds a demonstration, and of which service. */
const MARK = 'demonstration';

/** The lock, which the process that asks holds, and what SQLite puts beside it; and a mark that a killed start did not finish. */
const LOCK = /^(?:lock(?:-|$)|demonstration\.[0-9a-f]{12}\.new$)/;

/** What SQLite, and whoever writes a file anew, puts beside a file. */
const BESIDE = /(?:-wal|-shm|-journal|\.[0-9a-f]{12}\.new)$/;

/** A service, with the names of what it makes in its data directory. */
interface Demonstrated {
  name: string;
  dataFiles: readonly string[];
}

/** What cannot be done with a demonstration's directory, and what to do instead. */
const HINTS = {
  serve: 'add --demo, or name another directory with --data',
  backup: 'do not back it up: a start with --demo creates its data again',
  restore: 'the next start with --demo would delete what is restored: name another directory with --data',
};

/**
 * Returns the service whose demonstration a data directory holds; null for any other directory.
 * @throws Failure when that cannot be read
 */
function demonstrated(directory: string): string | null {
  const path = join(directory, MARK);
  try {
    return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8').trim() : null;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** @throws Failure (exit code 2) for a directory that has anything but a demonstration of this service */
export function refuseOtherData(directory: string, service: string): void {
  const known = demonstrated(directory);
  if (known === service) return;
  if (known !== null) {
    throw new Failure(
      `${directory} holds a demonstration of the ${known} service`,
      'name another directory with --data, or leave --data out',
      2,
    );
  }
  if (namesIn(directory).every((name) => LOCK.test(name))) return;
  throw new Failure(
    `${directory} is not empty and holds no demonstration: --demo would replace what is in it`,
    'name a new directory with --data, or leave --data out',
    2,
  );
}

/**
 * Refuses to serve, back up or restore to a demonstration's directory. A copy of it would not be marked, and what is restored to it
 * would be deleted.
 * @throws Failure (exit code 2)
 */
export function refuseDemonstration(directory: string, act: keyof typeof HINTS): void {
  if (demonstrated(directory) === null) return;
  throw new Failure(`${directory} holds a demonstration, whose API keys are public`, HINTS[act], 2);
}

/**
 * Marks a directory, whose lock the caller holds, as a demonstration of this service, and removes what a former start put into it.
 * What the service does not make, such as a log file, stays. The mark comes first: whatever ends the process now, the next start knows
 * what the directory is.
 * @throws Failure as refuseOtherData
 */
export function clearForDemonstration(directory: string, { name: service, dataFiles }: Demonstrated): void {
  refuseOtherData(directory, service);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeSecretFile(join(directory, MARK), `${service}\n`);
  for (const name of namesIn(directory)) {
    if (dataFiles.includes(name.replace(BESIDE, ''))) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}

/** Returns the names in a directory; none for one that is not there. @throws Failure */
function namesIn(directory: string): string[] {
  try {
    return existsSync(directory) ? readdirSync(directory) : [];
  } catch (error) {
    throw unreadable(directory, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(`${path} cannot be read: ${reason}`, 'name another directory with --data', 2);
}
