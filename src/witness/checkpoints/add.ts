import { nativePrimitives, sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { emptyRoot, verifyConsistency } from '../../proof/log/merkle.ts';
import { formatNote, NoteError, type NoteSignature, signatureLine } from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import type { WitnessContext } from '../context.ts';
import {
  AddCheckpointError,
  type AddCheckpointRequest,
  parseAddCheckpoint,
} from './add-checkpoint-request.ts';
import { noteOf, saveWitnessed, type WitnessedLog, witnessedLogOf } from './store.ts';

/** What add-checkpoint answers. */
export interface AddCheckpointResponse {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  body: string;
  /** Null for plain text. */
  contentType: string | null;
}

/** A submission that the log has signed, with those of its signatures that were verified. */
interface Signed extends AddCheckpointRequest {
  text: string;
  signatures: NoteSignature[];
}

/** What came of a submission in its transaction. `known`: what had been cosigned before. */
type Outcome =
  | { is: 'cosigned'; lines: string }
  | { is: 'elsewhere'; known: WitnessedLog | null }
  | { is: 'inconsistent'; known: WitnessedLog | null; reason: string };

/**
 * Cosigns a checkpoint that follows the one that was cosigned last (C2SP tlog-witness, add-checkpoint). Looking at what was
 * cosigned and replacing it is one transaction; the answer waits until that is durable.
 *
 * @throws StorageUnavailable, Overloaded: nothing was cosigned then
 */
export async function addCheckpoint(
  witness: WitnessContext,
  body: Uint8Array,
): Promise<AddCheckpointResponse> {
  const signed = opened(witness, body);
  if ('status' in signed) return signed;
  const outcome = await witness.store.writeAsService((tx) => cosignIn(tx, witness, signed));
  if (outcome.is === 'cosigned') return { status: 200, body: outcome.lines, contentType: null };
  const { known } = outcome;
  if (outcome.is === 'inconsistent' || contradicts(signed, known)) report(witness, signed, known);
  return outcome.is === 'inconsistent'
    ? refusal(422, outcome.reason)
    : { status: 409, body: `${known?.size ?? 0}\n`, contentType: 'text/x.tlog.size' };
}

/** The newest cosigned checkpoint of a log, by the SHA-256 of its origin; null for one that was never cosigned. */
export function newestNote({ store }: WitnessContext, originHash: string): Promise<string | null> {
  return store.read((snapshot) => noteOf(snapshot, originHash));
}

/** All that can be said of a submission without what was cosigned before. */
function opened({ logs }: WitnessContext, body: Uint8Array): Signed | AddCheckpointResponse {
  let submission: AddCheckpointRequest;
  try {
    submission = parseAddCheckpoint(body);
  } catch (error) {
    if (error instanceof AddCheckpointError) return refusal(400, error.message);
    throw error;
  }
  const { checkpoint, oldSize, isSigned } = submission;
  const keys = logs.get(checkpoint.origin);
  if (keys === undefined) return refusal(404, 'this witness does not know the log');
  if (!isSigned) return refusal(403, 'nobody has signed the checkpoint');
  let signed: Signed;
  try {
    const { note, checks } = openCheckpoint(nativePrimitives, submission.note, keys);
    // One line a key: somebody could repeat it until there is no room for the witness's own.
    const signatures = keys.flatMap((key) => {
      const isKnown = checks.some((check) => check.key === key);
      const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.keyId);
      return isKnown && line !== undefined ? [line] : [];
    });
    signed = { ...submission, text: note.text, signatures };
  } catch (error) {
    if (error instanceof NoteError) return refusal(403, error.message);
    throw error;
  }
  return oldSize > checkpoint.size ? refusal(400, 'the old size is above that of the checkpoint') : signed;
}

async function cosignIn(
  tx: Transaction,
  { identity, clock }: WitnessContext,
  signed: Signed,
): Promise<Outcome> {
  const { checkpoint, oldSize, proof, text, signatures } = signed;
  const { origin, size, root } = checkpoint;
  const known = await witnessedLogOf(tx, origin);
  if (oldSize !== (known?.size ?? 0)) return { is: 'elsewhere', known };
  const reason = inconsistency(signed, known?.root ?? emptyRoot(nativePrimitives), proof);
  if (reason !== null) return { is: 'inconsistent', known, reason };
  // A clock that was set back must not take the log back in time.
  const cosignedAt = Math.max(Math.floor(clock.now() / 1000), known?.cosignedAt ?? 1);
  const cosignatures = identity.cosign(text, cosignedAt);
  await saveWitnessed(tx, {
    origin,
    originHash: sha256Hex(origin),
    size,
    root,
    cosignedAt,
    note: formatNote({ text, signatures: [...signatures, ...cosignatures] }),
  });
  return { is: 'cosigned', lines: cosignatures.map(signatureLine).join('') };
}

/** Why a checkpoint does not follow a tree of its old size with this root; null when it does. */
function inconsistency(
  { checkpoint: { size, root }, oldSize }: Signed,
  knownRoot: Uint8Array,
  proof: readonly Uint8Array[],
): string | null {
  if (size === 0 && !equalBytes(root, emptyRoot(nativePrimitives))) {
    return 'a tree of size 0 has the hash of the empty string for its root';
  }
  if (oldSize === size && !equalBytes(root, knownRoot)) {
    return 'another root was cosigned for this size';
  }
  const trees = { from: oldSize, to: size, fromRoot: knownRoot, toRoot: root, path: proof };
  if (verifyConsistency(nativePrimitives, trees)) return null;
  return oldSize === 0 || oldSize === size
    ? 'the proof has to be empty: there is nothing to prove'
    : `the proof does not show that the tree begins with the ${oldSize} leaves that were cosigned`;
}

/** Whether the log itself has signed two trees of one size. */
function contradicts({ checkpoint: { size, root } }: Signed, known: WitnessedLog | null): boolean {
  return known !== null && known.size === size && !equalBytes(known.root, root);
}

/** Keeps what may be proof that a log misbehaves, and says so. */
function report({ log, forks }: WitnessContext, signed: Signed, known: WitnessedLog | null): void {
  const { origin, size } = signed.checkpoint;
  const isProof = contradicts(signed, known);
  const evidence = {
    oldSize: signed.oldSize,
    proof: signed.proof,
    submitted: signed.note,
    known: known?.note ?? null,
  };
  const file = forks.keep(signed.checkpoint, evidence, isProof);
  // What is known already could be submitted again and again to fill the log. A fork is what a witness is there to see; what only
  // may be one, somebody else can have brought about by a wrong proof.
  const level = isProof ? 'error' : 'warn';
  log[file === null ? 'debug' : level](
    { origin, size, cosigned: known?.size ?? 0, evidence: file },
    isProof
      ? 'a log has forked: it signed two trees of one size'
      : 'a log has signed a checkpoint that was not shown to follow the one that was cosigned',
  );
}

function refusal(status: 400 | 403 | 404 | 422, reason: string): AddCheckpointResponse {
  return { status, body: `${reason}\n`, contentType: null };
}
