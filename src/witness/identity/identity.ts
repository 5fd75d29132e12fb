import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import {
  generateKeyPair,
  type KeyAlgorithm,
  type KeyPair,
  loadKeyPair,
  saveKeyPair,
} from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { signNote } from '../../platform/tlog/note-signing.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { keyIdOf, type NoteSignature, SIGNATURE_TYPES, type VerifierKey } from '../../proof/log/note.ts';
import { cosigningKeys, insertIdentity, nameOf } from './store.ts';

/**
 * Every checkpoint gets one cosignature per algorithm: Ed25519 for existing verifiers, ML-DSA-44 as C2SP
 * recommends.
 */
const ALGORITHMS: readonly KeyAlgorithm[] = ['Ed25519', 'ML-DSA-44'];

const TYPES: Readonly<Record<KeyAlgorithm, number>> = {
  Ed25519: SIGNATURE_TYPES.cosignature,
  'ML-DSA-44': SIGNATURE_TYPES.mlDsa44,
};

interface CosigningKey {
  verifier: VerifierKey;
  privateKey: KeyObject;
}

/** The identity of a witness: its name and its signing keys. */
export class Identity {
  constructor(
    readonly name: string,
    private readonly keys: readonly CosigningKey[],
  ) {}

  /** The public keys for verifying its signatures. */
  get verifiers(): readonly VerifierKey[] {
    return this.keys.map(({ verifier }) => verifier);
  }

  /**
   * Signs a checkpoint's text with every key (C2SP tlog-cosignature). @param seconds the Unix time in seconds
   */
  cosign(text: string, seconds: number): NoteSignature[] {
    return this.keys.map(({ privateKey, verifier }) => signNote(privateKey, verifier, text, seconds));
  }
}

/**
 * Opens the witness's identity. The first start creates it. A key file is written before the row that names
 * it, so that every row has its key.
 *
 * @param given the name from the settings; the first start fixes it
 * @throws Failure (exit code 2) when the name differs from the stored one, or the first start has none;
 * KeyFileError
 */
export async function openIdentity(
  store: Store,
  directory: string,
  clock: Clock,
  given: string | null,
): Promise<Identity> {
  const keys = join(directory, 'keys');
  const known = await store.read(async (snapshot) => ({
    name: await nameOf(snapshot),
    keys: await cosigningKeys(snapshot),
  }));
  if (known.name !== null) {
    if (given !== null && given !== known.name) {
      throw new Failure(
        `the setting name is ${given}, but the witness in this data directory is called ${known.name}`,
        'a witness cannot be renamed: omit --name, or create another witness in a new directory',
        2,
      );
    }
    const pairs = known.keys.map(({ algorithm, kid }) => loadKeyPair(keys, algorithm, kid, WAY_BACK));
    return identityOf(known.name, pairs);
  }
  if (given === null) {
    throw new Failure(
      'the setting name is missing',
      'pass --name with a permanent name for the witness, such as witness.example/w1',
      2,
    );
  }
  const pairs = ALGORITHMS.map(generateKeyPair);
  for (const pair of pairs) saveKeyPair(keys, pair);
  await store.writeAsService((tx) => insertIdentity(tx, given, timestamp(clock), pairs));
  return identityOf(given, pairs);
}

const WAY_BACK = 'restore keys/ from your backup; if the keys are lost, create a witness with another name';

function identityOf(name: string, pairs: readonly KeyPair[]): Identity {
  const keys = pairs.map(({ algorithm, publicKey, privateKey }) => {
    const type = TYPES[algorithm];
    const raw = hexToBytes(publicKey);
    return {
      privateKey,
      verifier: { name, type, publicKey: raw, keyId: keyIdOf(nativePrimitives, name, type, raw) },
    };
  });
  return new Identity(name, keys);
}
