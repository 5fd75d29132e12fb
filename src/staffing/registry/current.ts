import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { readText } from '../../platform/files/read.ts';
import { writeSecretFile } from '../../platform/files/write.ts';

const NAME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-z]+\.db$/;

/**
 * Returns the name of the served registry file in `directory`; null when there is none.
 * @throws Failure when `current` does not contain a registry's file name
 */
export function currentRegistry(directory: string): string | null {
  const file = join(directory, 'current');
  if (!existsSync(file)) return null;
  const name = readText(file).trim();
  if (!NAME.test(name)) {
    throw new Failure(
      `${file} names no registry file`,
      'write the name of a registry file from its directory into it',
    );
  }
  return name;
}

/** Selects the registry file that the next opening serves. @throws Failure when `current` cannot be written */
export function makeCurrent(directory: string, name: string): void {
  writeSecretFile(join(directory, 'current'), `${name}\n`);
}
