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

/** Each signs every checkpoint: the first for verifiers of today, the second for those of C2SP's recommendation. */
const ALGORITHMS: readonly KeyAlgorithm[] = ['Ed25519', 'ML-DSA-44'];

const TYPES: Readonly<Record<KeyAlgorithm, number>> = {
  Ed25519: SIGNATURE_TYPES.cosignature,
  'ML-DSA-44': SIGNATURE_TYPES.mlDsa44,
};

interface CosigningKey {
  verifier: VerifierKey;
  privateKey: KeyObject;
}

/** Who a witness is: its name, and the keys that sign under it. */
export class Identity {
  constructor(
    readonly name: string,
    private readonly keys: readonly CosigningKey[],
  ) {}

  /** What others verify its signatures with. */
  get verifiers(): readonly VerifierKey[] {
    return this.keys.map(({ verifier }) => verifier);
  }

  /** A cosignature of a checkpoint's text by every key (C2SP tlog-cosignature). @param seconds since 1970 */
  cosign(text: string, seconds: number): NoteSignature[] {
    return this.keys.map(({ privateKey, verifier }) => signNote(privateKey, verifier, text, seconds));
  }
}

/**
 * Opens the witness's identity, which a first start makes. A key file is written before the row that names it, so that no row
 * is ever without its key.
 *
 * @param given the name that somebody asks for; it is fixed at the first start
 * @throws Failure (exit code 2) for another name than that of the first start, and for none then; KeyFileError
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
        `the name is ${given}, but the witness of this data directory is ${known.name}, for ever`,
        'leave --name out, or begin another witness in another directory',
        2,
      );
    }
    const pairs = known.keys.map(({ algorithm, kid }) => loadKeyPair(keys, algorithm, kid, WAY_BACK));
    return identityOf(known.name, pairs);
  }
  if (given === null) {
    throw new Failure(
      'the witness has no name yet',
      'give it one for ever, such as witness.example/w1: --name',
      2,
    );
  }
  const pairs = ALGORITHMS.map(generateKeyPair);
  for (const pair of pairs) saveKeyPair(keys, pair);
  await store.writeAsService((tx) => insertIdentity(tx, given, timestamp(clock), pairs));
  return identityOf(given, pairs);
}

const WAY_BACK =
  'put back the copy of keys/ that you keep; a witness without its keys begins anew, under another name';

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
