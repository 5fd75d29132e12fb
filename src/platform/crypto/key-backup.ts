import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Failure } from '../failure.ts';
import { readText, unreadable } from '../files/read.ts';
import { matchOwner, writeSecretFile } from '../files/write.ts';
import { writeNewFile } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { decryptDocument, encryptDocument } from './passphrase-encryption.ts';

const FORMAT = 'countersign keys backup';
const Keys = Type.Object(
  {
    service: Type.String(),
    keys: Type.Array(
      Type.Object({ name: Type.String(), text: Type.String() }, { additionalProperties: false }),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
);

/** The service that owns the keys, and the check of its key files. */
export interface KeyFormat {
  service: string;
  /** Returns whether `text` is the key that belongs into a file with this name. */
  isKey(name: string, text: string): boolean;
}

/**
 * Writes all keys of a data directory to a new file, encrypted with a passphrase. @returns the names of the
 * keys @throws Failure
 */
export async function backUpKeys(
  { service, isKey }: KeyFormat,
  data: string,
  out: string,
  passphrase: string,
): Promise<string[]> {
  const directory = join(data, 'keys');
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => !name.endsWith('.new')) : [];
  if (names.length === 0)
    throw new Failure(`there are no keys in ${directory}`, 'check --service and --data');
  const keys = names.sort().map((name) => {
    const text = readText(join(directory, name));
    if (!isKey(name, text))
      throw new Failure(
        `${join(directory, name)} is damaged, or is not a key`,
        'restore it from another backup with countersign keys restore',
      );
    return { name, text };
  });
  await writeNewFile(out, (write) => write(encryptDocument(FORMAT, { service, keys }, passphrase)));
  return names;
}

/** Returns whether a regular file begins like a backup of keys. */
export function isKeyBackup(file: string): boolean {
  const head = Buffer.alloc(256);
  const descriptor = openSync(file, 'r');
  try {
    return head.subarray(0, readSync(descriptor, head)).includes(`"${FORMAT}"`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Adds the keys of a backup to a data directory and leaves existing keys unchanged. Checks that every key
 * matches its name before it writes the first one, and refuses a directory with another key under the name of
 * one in the backup, which is a master key of another database.
 * @returns the names of the keys that were added @throws Failure
 */
export function restoreKeys(
  { service, isKey }: KeyFormat,
  data: string,
  file: string,
  passphrase: string,
): string[] {
  const backup = readBackup(file, passphrase);
  if (backup.service !== service) {
    throw new Failure(
      `${file} has the keys of the ${backup.service} service`,
      `use --service ${backup.service}`,
    );
  }
  for (const { name, text } of backup.keys) {
    if (name.includes('/') || !isKey(name, text)) {
      throw new Failure(`${file} has a damaged key`, 'use another backup');
    }
  }
  const directory = join(data, 'keys');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const absent = backup.keys.filter(({ name }) => !existsSync(join(directory, name)));
  const other = backup.keys.find(
    (key) => !absent.includes(key) && readText(join(directory, key.name)) !== key.text,
  );
  if (other !== undefined) {
    throw new Failure(
      `${join(directory, other.name)} is another key than ${other.name} in the backup; nothing was restored`,
      'if the database is of the same installation as the backup, move the file away and run the command again',
    );
  }
  for (const { name, text } of absent) writeSecretFile(join(directory, name), text);
  matchOwner(data, [directory, ...absent.map(({ name }) => join(directory, name))]);
  return absent.map(({ name }) => name);
}

/** Returns the command line that restores the keys of a data directory; capitals stand for files. */
export const restoreKeysCommand = (service: string, data: string): string =>
  `COUNTERSIGN_KEYS_PASSPHRASE_FILE=PASSPHRASE_FILE countersign keys restore KEYS_FILE --service ${service} --data ${shellWord(data)}`;

function readBackup(file: string, passphrase: string) {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    return decryptDocument(FORMAT, Keys, text, passphrase);
  } catch (error) {
    if (error instanceof Failure) throw new Failure(`${file}: ${error.message}`, error.hint);
    throw error;
  }
}
