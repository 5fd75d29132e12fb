import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../platform/input.ts';
import { type KeyPair, readKeyPair } from '../../platform/key-files.ts';

export type { KeyPair };

/** The public halves of all signing keys that lie in a directory, whether or not the database knows them. */
export function publicKeysIn(directory: string): Pick<KeyPair, 'algorithm' | 'publicKey'>[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pem'))
    .flatMap((name) => readKeyPair(readText(join(directory, name))) ?? []);
}
