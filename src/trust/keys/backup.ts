import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Failure } from '../../platform/failure.ts';
import { writeNewFile } from '../../platform/output.ts';
import { seal, unseal } from '../../platform/sealed.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { strictObject } from '../schema.ts';
import { hasKeyFile, readKeyPair, saveKeyPair } from './files.ts';
import { keySql } from './store.ts';

const FORMAT = 'countersign keys backup';
const Keys = strictObject({
  keys: Type.Array(strictObject({ kid: Type.String(), pem: Type.String() }), { minItems: 1 }),
});

/** Writes all signing keys of a data directory to a new file, sealed with a passphrase. @returns their kids. @throws Failure */
export async function backUpKeys(data: string, out: string, passphrase: string): Promise<string[]> {
  const directory = join(data, 'keys');
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.pem')) : [];
  if (names.length === 0) throw new Failure(`there are no signing keys in ${directory}`, 'see --data');
  const keys = names.sort().map((name) => {
    const kid = name.slice(0, -'.pem'.length);
    const pem = readFileSync(join(directory, name), 'utf8');
    if (readKeyPair(pem)?.kid !== kid) throw new Failure(`${join(directory, name)} is damaged`);
    return { kid, pem };
  });
  await writeNewFile(out, (write) => write(seal(FORMAT, { keys }, passphrase)));
  return keys.map(({ kid }) => kid);
}

/**
 * Puts the keys of a backup into a data directory, next to those that are there. Each is held against the kid that it is
 * named by, all before the first is written. @returns the kids of those that were not there. @throws Failure
 */
export function restoreKeys(data: string, file: string, passphrase: string): string[] {
  const pairs = unsealed(file, passphrase).keys.map(({ kid, pem }) => {
    const pair = readKeyPair(pem);
    if (pair?.kid !== kid) throw new Failure(`${file} has a damaged key`, 'take another backup');
    return pair;
  });
  const directory = join(data, 'keys');
  const absent = pairs.filter(({ kid }) => !hasKeyFile(directory, kid));
  for (const pair of absent) saveKeyPair(directory, pair);
  return absent.map(({ kid }) => kid);
}

/** The kids of signing keys that a data directory's database names and its keys directory lacks. */
export function missingKeys(data: string): string[] {
  const connection = openMigrated(join(data, trustDatabase.name), trustDatabase.schema);
  const rows = keySql({ connection }).all.all();
  connection.sqlite.close();
  return rows.map(({ kid }) => kid).filter((kid) => !hasKeyFile(join(data, 'keys'), kid));
}

function unsealed(file: string, passphrase: string) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return unseal(FORMAT, Keys, text, passphrase);
  } catch (error) {
    if (error instanceof Failure) throw new Failure(`${file}: ${error.message}`, error.hint);
    throw error;
  }
}
