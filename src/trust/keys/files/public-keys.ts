import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyPair, readKeyPair } from '../../../platform/crypto/key-files.ts';
import { readText } from '../../../platform/files/read.ts';

export type { KeyPair };

/** The public halves of all signing keys that lie in a directory, whether or not the database knows them. */
export function publicKeysIn(directory: string): Pick<KeyPair, 'algorithm' | 'publicKey'>[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pem'))
    .flatMap((name) => readKeyPair(readText(join(directory, name))) ?? []);
}
