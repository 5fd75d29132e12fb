import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { readText } from '../../platform/files/read.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { randomBase62 } from '../../platform/ids.ts';

const NAME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-z]+\.db$/;

/** Returns a new name for a registry file. @param asOf the date of its data, YYYY-MM-DD */
export function newRegistryName(asOf: string): string {
  return `${asOf}-${randomBase62(8).toLowerCase()}.db`;
}

/** Returns whether a file name is that of a registry file. */
export function isRegistryName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Returns the name of the served registry file in `directory`; null when there is none.
 * @throws Failure when `current` does not contain a registry's file name
 */
export function currentRegistry(directory: string): string | null {
  return nameIn(join(directory, 'current'));
}

/**
 * Returns the name of the registry file that was served before the current one and is kept for a rollback;
 * null when there is none.
 * @throws Failure when `former` does not contain a registry's file name
 */
export function formerRegistry(directory: string): string | null {
  const name = nameIn(join(directory, 'former'));
  if (name === null || name === currentRegistry(directory)) return null;
  return existsSync(join(directory, name)) ? name : null;
}

/**
 * Selects the registry file that the next opening serves. @throws Failure when `current` cannot be written
 */
export function makeCurrent(directory: string, name: string): void {
  writeSecretFile(join(directory, 'current'), `${name}\n`);
}

/** Selects the registry file that is kept for a rollback. @throws Failure when `former` cannot be written */
export function makeFormer(directory: string, name: string): void {
  writeSecretFile(join(directory, 'former'), `${name}\n`);
}

function nameIn(file: string): string | null {
  if (!existsSync(file)) return null;
  const name = readText(file).trim();
  if (isRegistryName(name)) return name;
  throw new Failure(
    `${file} names no registry file`,
    'write the name of a registry file from its directory into it',
  );
}
