import { nativePrimitives } from '../../platform/crypto.ts';
import { type Checkpoint, checkpointText } from '../../proof/checkpoint.ts';
import { bytesToHex, hexToBytes } from '../../proof/hex.ts';
import {
  formatNote,
  keyIdOf,
  type NoteSignature,
  SIGNATURE_TYPES,
  type VerifierKey,
} from '../../proof/note.ts';
import { cosignatureBytes, signedMessage } from '../../proof/note-signature.ts';
import { type Signer, type SigningKey, signBy } from '../keys/signer.ts';

/** A signed checkpoint: the note, and of the first signature, which is Ed25519, what a row says of it. */
export interface SignedCheckpoint {
  note: string;
  keySeq: number;
  kid: string;
  /** 128 lower-case hexadecimal characters. */
  signature: string;
}

/**
 * Signs a tree (C2SP tlog-checkpoint): plain Ed25519 by every Ed25519 key of the log, and ML-DSA-44 in the form of a cosignature
 * (C2SP tlog-cosignature), which verifiers that do not know it pass over.
 *
 * @param now milliseconds since 1970
 */
export function signCheckpoint(
  signer: Signer,
  tree: Omit<Checkpoint, 'extensions'>,
  now: number,
): SignedCheckpoint {
  const text = checkpointText(tree);
  const signatures = signer
    .logKeys(now)
    .map((key) => noteSignature(key, text, tree.origin, Math.floor(now / 1000)));
  const { keySeq, kid } = signer.activeKey('log');
  const [first] = signatures;
  if (first === undefined) throw new Error('no key signs the log');
  return { note: formatNote({ text, signatures }), keySeq, kid, signature: bytesToHex(first.signature) };
}

/** @param seconds since 1970 */
function noteSignature(key: SigningKey, text: string, origin: string, seconds: number): NoteSignature {
  const { type, name, keyId } = verifierKeyOf(key, origin);
  const signature = signBy(key, signedMessage(type, text, name, seconds));
  const isTimed = type !== SIGNATURE_TYPES.ed25519;
  return { name, keyId, signature: isTimed ? cosignatureBytes(seconds, signature) : signature };
}

/** The log's keys, as those know them who verify its notes. */
export function verifierKeyOf(
  { algorithm, publicKey }: Pick<SigningKey, 'algorithm' | 'publicKey'>,
  origin: string,
): VerifierKey {
  const type = algorithm === 'Ed25519' ? SIGNATURE_TYPES.ed25519 : SIGNATURE_TYPES.mlDsa44;
  const raw = hexToBytes(publicKey);
  return { name: origin, keyId: keyIdOf(nativePrimitives, origin, type, raw), type, publicKey: raw };
}
