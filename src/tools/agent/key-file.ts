import { existsSync, statSync } from 'node:fs';
import { type KeyPair, readKeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { readText } from '../../platform/files/read.ts';

const KEY_HINT = 'create a key with countersign keygen --out agent.pem';

/**
 * Reads an agent's private key.
 * @throws Failure when the file is missing, is readable by others, or is not an Ed25519 private key
 */
export function agentKeyIn(file: string): KeyPair {
  if (!existsSync(file)) throw new Failure(`the key file ${file} does not exist`, KEY_HINT, 2);
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new Failure(`other users can read the key file ${file}`, `chmod 600 ${file}`);
  }
  const key = readKeyPair(readText(file));
  if (key?.algorithm === 'Ed25519') return key;
  throw new Failure(`${file} is not an Ed25519 private key in PEM`, KEY_HINT);
}
