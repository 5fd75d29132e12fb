import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { writeSecretFile } from '../files/write.ts';

/** The file that marks a data directory as a demonstration. It contains the name of the service. */
const MARK = 'demonstration';
/** The file that marks the data directory of a test service. */
export const TEST_MARK = 'test-service';

/** The lock of the calling process with its SQLite files, and an incomplete mark of a killed start. */
const LOCK = /^(?:lock(?:-|$)|demonstration\.[0-9a-f]{12}\.new$)/;

/** The suffixes of the additional files that SQLite and `writeSecretFile` create. */
const COMPANION = /(?:-wal|-shm|-journal|\.[0-9a-f]{12}\.new)$/;

/** A service, with the names of the files that it creates in its data directory. */
interface Demonstrated {
  name: string;
  dataFiles: readonly string[];
}

/** The hints for actions that a demonstration's directory does not allow. */
const HINTS = {
  serve: 'add --demo, or specify another directory with --data',
  backup: 'do not back it up: a start with --demo creates its data again',
  restore: 'the next start with --demo would delete what is restored: specify another directory with --data',
};

/**
 * Returns the service whose demonstration a data directory contains; null for any other directory.
 * @throws Failure when the mark cannot be read
 */
function demonstrated(directory: string): string | null {
  const path = join(directory, MARK);
  try {
    return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8').trim() : null;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Checks that a directory is empty or contains a demonstration of this service. @throws Failure (exit code 2)
 */
export function refuseOtherData(directory: string, service: string): void {
  const known = demonstrated(directory);
  if (known === service) return;
  if (known !== null) {
    throw new Failure(
      `${directory} contains a demonstration of the ${known} service`,
      'specify another directory with --data, or leave --data out',
      2,
    );
  }
  if (namesIn(directory).every((name) => LOCK.test(name))) return;
  throw new Failure(
    `${directory} is not empty and contains no demonstration: --demo would replace what is in it`,
    'specify a new directory with --data, or leave --data out',
    2,
  );
}

/**
 * Refuses to serve, back up or restore a demonstration's directory. A backup would lack the mark, and the
 * next start with --demo would delete restored data.
 * @throws Failure (exit code 2)
 */
export function refuseDemonstration(directory: string, act: keyof typeof HINTS): void {
  if (existsSync(join(directory, TEST_MARK)))
    throw new Failure(
      `${directory} contains a test service, whose data is made up`,
      'it is removed when the test service ends: specify another directory with --data',
      2,
    );
  if (demonstrated(directory) === null) return;
  throw new Failure(`${directory} contains a demonstration, whose API keys are public`, HINTS[act], 2);
}

/**
 * Marks a directory as a demonstration of this service and removes the files of earlier starts. The caller
 * must hold its lock. Other files stay, such as a log file. The mark is written first, so that the next start
 * recognizes the directory even if the process ends now.
 * @throws Failure as refuseOtherData
 */
export function clearForDemonstration(directory: string, { name: service, dataFiles }: Demonstrated): void {
  refuseOtherData(directory, service);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeSecretFile(join(directory, MARK), `${service}\n`);
  for (const name of namesIn(directory)) {
    if (dataFiles.includes(name.replace(COMPANION, ''))) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}

/** Returns the names in a directory; an empty list if it does not exist. @throws Failure */
function namesIn(directory: string): string[] {
  try {
    return existsSync(directory) ? readdirSync(directory) : [];
  } catch (error) {
    throw unreadable(directory, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(`${path} cannot be read: ${reason}`, 'specify another directory with --data', 2);
}
