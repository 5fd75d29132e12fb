import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { bytesToHex, hexToBytes } from '../../../proof/encoding/hex.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import { verifyStrict } from '../../../proof/keys/ed25519.ts';
import { parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { logPurposeOf } from '../../../proof/log/key-purposes.ts';
import { type Note, parseNote, SIGNATURE_TYPES, type VerifierKey } from '../../../proof/log/note.ts';
import { checkNote, signedMessage } from '../../../proof/log/note-signature.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import type { LogRow } from '../logs.ts';
import type { CheckpointRow, KeyRow } from './store.ts';

/** Returns the table and row of a checkpoint. */
export function checkpointLocation({
  checkpointSeq,
  checkpointId,
}: Pick<CheckpointRow, 'checkpointSeq' | 'checkpointId'>) {
  return { table: 'checkpoint', row: { checkpoint_seq: checkpointSeq }, id: checkpointId };
}

/** Verifies a checkpoint by itself: its row against its note, and every signature of the note. */
export function checkpointProblems(
  row: CheckpointRow,
  log: LogRow | null,
  keys: ReadonlyMap<number, KeyRow>,
  verifiersOf: (log: LogRow) => readonly VerifierKey[],
): { problems: Problem[]; signatures: number } {
  const location = checkpointLocation(row);
  if (log === null)
    return { problems: [{ ...location, what: `there is no log (log_seq ${row.logSeq})` }], signatures: 0 };
  const at = { ...location, log: log.origin };
  let note: Note;
  let claimed: ReturnType<typeof parseCheckpoint>;
  try {
    note = parseNote(Buffer.from(row.note));
    claimed = parseCheckpoint(note.text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [{ ...at, what: `its note is no checkpoint: ${reason}` }], signatures: 0 };
  }
  const problems: Problem[] = [];
  const compare = (column: string, expected: string, actual: string): void => {
    if (expected !== actual)
      problems.push({ ...at, what: `${column} is not what its note says`, expected, found: actual });
  };
  compare('origin of its log', claimed.origin, log.origin);
  compare('tree_size', String(claimed.size), String(row.treeSize));
  compare('root_hash', bytesToHex(claimed.root), bytesToHex(row.rootHash));
  if (claimed.extensions.length > 0)
    problems.push({ ...at, what: 'its note has lines that no checkpoint of this log has' });
  problems.push(...ownSignature(row, log, note, keys).map((problem) => ({ ...at, what: problem })));
  const lines = signatureLineProblems(row, note, verifiersOf(log));
  problems.push(...lines.map((problem) => ({ ...at, what: problem })));
  return { problems, signatures: 1 + note.signatures.length };
}

/** Verifies that the row's signature is the note's signature by the row's key. */
function ownSignature(
  { signature, keySeq, issuedAt }: CheckpointRow,
  { name }: LogRow,
  note: Note,
  keys: ReadonlyMap<number, KeyRow>,
): string[] {
  const key = keys.get(keySeq);
  if (key === undefined) return [`there is no signing_key (key_seq ${keySeq})`];
  if (key.purpose !== logPurposeOf(name) || key.algorithm !== 'Ed25519')
    return [`key_seq names key ${key.kid}, which is not an Ed25519 key of this log`];
  const message = signedMessage(SIGNATURE_TYPES.ed25519, note.text, '', 0);
  if (!verifyStrict(nativePrimitives, Buffer.from(signature, 'hex'), message, hexToBytes(key.publicKey))) {
    return [`signature was not made by key ${key.kid} over the note`];
  }
  if (!note.signatures.some((line) => bytesToHex(line.signature) === signature))
    return ['signature is not in its note'];
  return issuedAt < key.validFrom ? [`issued_at is ${issuedAt}, before valid_from of key ${key.kid}`] : [];
}

/**
 * Verifies the signature lines of a note: each by a different key of this log, one per algorithm, and with
 * the time of the row.
 */
function signatureLineProblems(
  { issuedAt }: CheckpointRow,
  note: Note,
  keys: readonly VerifierKey[],
): string[] {
  const checks = checkNote(nativePrimitives, note, keys);
  const problems = checks
    .filter(({ verified }) => !verified)
    .map(({ key }) => `the ${nameOf(key)} signature in its note does not verify`);
  if (checks.length < note.signatures.length) problems.push('its note has a signature by no key of the log');
  if (new Set(note.signatures.map(({ keyId }) => keyId)).size < note.signatures.length)
    problems.push('its note has two signatures by one key');
  for (const type of new Set(keys.map((key) => key.type))) {
    if (!checks.some(({ key }) => key.type === type))
      problems.push(`its note has no ${nameOf({ type })} signature`);
  }
  const issued = parseTimestamp(issuedAt);
  if (issued === null) return [...problems, `issued_at is no time: ${issuedAt}`];
  const seconds = Math.floor(issued / 1000);
  const other = checks.find(
    ({ verified, timestamp }) => verified && timestamp !== null && timestamp !== seconds,
  );
  if (other === undefined || other.timestamp === null) return problems;
  return [
    ...problems,
    `issued_at is ${issuedAt}, and the note was signed at ${timestampOf(other.timestamp * 1000)}`,
  ];
}

function nameOf({ type }: Pick<VerifierKey, 'type'>): string {
  return type === SIGNATURE_TYPES.mlDsa44 ? 'ML-DSA-44' : 'Ed25519';
}
