import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyPair, readKeyPair } from '../../../../platform/crypto/key-files.ts';
import { readText } from '../../../../platform/files/read.ts';

export type { KeyPair };

/** Returns the public keys of all signing keys in a directory, whether or not the database knows them. */
export function publicKeysIn(directory: string): Pick<KeyPair, 'algorithm' | 'publicKey'>[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pem'))
    .flatMap((name) => readKeyPair(readText(join(directory, name))) ?? []);
}
