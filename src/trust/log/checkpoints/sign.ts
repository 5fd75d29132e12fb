import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { signNote } from '../../../platform/tlog/note-signing.ts';
import { verifierKeyOf } from '../../../platform/tlog/verifier-key.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { type Checkpoint, checkpointText } from '../../../proof/log/checkpoint.ts';
import { logPurposeOf } from '../../../proof/log/key-purposes.ts';
import { formatNote, formatVerifierKey, parseNote, type VerifierKey } from '../../../proof/log/note.ts';
import { type OpenedCheckpoint, openCheckpoint } from '../../../proof/log/note-signature.ts';
import type { LogRow } from '../store.ts';
import type { LogKey, LogSigner } from './signer.ts';

/** A signed checkpoint: the note, and the columns of its first signature, which is Ed25519. */
export interface SignedCheckpoint {
  note: string;
  keySeq: number;
  kid: string;
  /** 128 lower-case hexadecimal characters. */
  signature: string;
}

/**
 * Signs a tree of a log (C2SP tlog-checkpoint): plain Ed25519 by every Ed25519 key of this log, and ML-DSA-44
 * as a cosignature (C2SP tlog-cosignature). Verifiers that do not know it ignore it.
 *
 * @param now milliseconds since 1970
 */
export function signCheckpoint(
  signer: LogSigner,
  { name, origin }: Pick<LogRow, 'name' | 'origin'>,
  tree: Pick<Checkpoint, 'size' | 'root'>,
  now: number,
): SignedCheckpoint {
  const text = checkpointText({ origin, ...tree });
  const signatures = signer
    .logKeys(name, now)
    .map((key) => signNote(key.privateKey, verifierKeyOf(key, origin), text, Math.floor(now / 1000)));
  const { keySeq, kid } = signer.activeKey(logPurposeOf(name));
  const [first] = signatures;
  if (first === undefined) throw new Error('no key signs the log');
  return { note: formatNote({ text, signatures }), keySeq, kid, signature: bytesToHex(first.signature) };
}

/** The last result for the note of each log: every look at an idle log would parse the same note again. */
const examinedLast = new WeakMap<LogRow, { note: string; kids: string; isSigned: boolean }>();

/** Returns whether a note is signed by exactly the keys that would sign a log's checkpoint now. */
export function isSignedByPresentKeys(signer: LogSigner, log: LogRow, note: string, now: number): boolean {
  const keys = signer.logKeys(log.name, now);
  const kids = keys.map(({ kid }) => kid).join(' ');
  const last = examinedLast.get(log);
  if (last?.note === note && last.kids === kids) return last.isSigned;
  const present = new Set(keys.map((key) => verifierKeyOf(key, log.origin).keyId));
  const signed = new Set(parseNote(Buffer.from(note)).signatures.map(({ keyId }) => keyId));
  const isSigned = present.symmetricDifference(signed).size === 0;
  examinedLast.set(log, { note, kids, isSigned });
  return isSigned;
}

/**
 * Returns the verifier keys of all keys that ever signed a log. The keys of other logs are not among them.
 */
export function logVerifiers(
  keys: Iterable<Pick<LogKey, 'purpose' | 'algorithm' | 'publicKey'>>,
  { name, origin }: Pick<LogRow, 'name' | 'origin'>,
): VerifierKey[] {
  const ofLog = [...keys].filter(({ purpose }) => purpose === logPurposeOf(name));
  return ofLog.map((key) => verifierKeyOf(key, origin));
}

/** The last opened checkpoint of each log: the same one is not verified twice, which takes a millisecond. */
const openedLast = new WeakMap<LogRow, { note: string; opened: OpenedCheckpoint }>();

/**
 * Verifies and parses a checkpoint that this service signed.
 * @throws NoteError, CheckpointError as `openCheckpoint`
 */
export function openOwnCheckpoint(signer: LogSigner, log: LogRow, note: string): OpenedCheckpoint {
  const last = openedLast.get(log);
  if (last?.note === note) return last.opened;
  const opened = openCheckpoint(nativePrimitives, Buffer.from(note), logVerifiers(signer.all(), log));
  openedLast.set(log, { note, opened });
  return opened;
}

/** Returns the lines of a policy (C2SP tlog-policy) by which others know a log. */
export function policyLines(keys: readonly LogKey[], origin: string): string {
  return keys.map((key) => policyLine(key, origin)).join('');
}

/** Caches policy lines by key and origin: the request is public and unlimited, and a line never changes. */
const linesOfKeys = new WeakMap<LogKey, Map<string, string>>();

function policyLine(key: LogKey, origin: string): string {
  const lines = linesOfKeys.get(key) ?? new Map<string, string>();
  linesOfKeys.set(key, lines);
  const line = lines.get(origin) ?? `log ${formatVerifierKey(verifierKeyOf(key, origin))}\n`;
  lines.set(origin, line);
  return line;
}
