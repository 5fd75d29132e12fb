import type { Logger } from 'pino';
import { nativePrimitives, sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { emptyRoot, verifyConsistency } from '../../proof/log/merkle.ts';
import {
  formatNote,
  NoteError,
  type NoteSignature,
  signatureLine,
  type VerifierKey,
} from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import type { Identity } from '../identity/identity.ts';
import {
  AddCheckpointError,
  type AddCheckpointRequest,
  parseAddCheckpoint,
} from './add-checkpoint-request.ts';
import type { Forks } from './forks.ts';
import { noteOf, saveWitnessed, type WitnessedLog, witnessedLogOf } from './store.ts';

/** The services that cosigning uses. */
export interface CosigningServices {
  store: Store;
  /** True if the wall clock can be trusted. */
  clockWatch: ClockWatch;
  identity: Identity;
  /** The trusted keys of each witnessed log, by origin. */
  logs: ReadonlyMap<string, readonly VerifierKey[]>;
  forks: Forks;
  log: Logger;
}

/** The response to add-checkpoint. */
export interface AddCheckpointResponse {
  status: 200 | 400 | 403 | 404 | 409 | 422 | 503;
  body: string;
  /** Null for plain text. */
  contentType: string | null;
}

/** A request whose checkpoint the log has signed, with the verified signatures. */
interface Signed extends AddCheckpointRequest {
  text: string;
  signatures: NoteSignature[];
}

/**
 * The result of a request's transaction. `known`: the checkpoint that was cosigned before; null for none.
 * `undated`: the clock is wrong, and a cosignature states a time.
 */
type Outcome =
  | { is: 'cosigned'; lines: string }
  | { is: 'undated' }
  | { is: 'elsewhere'; known: WitnessedLog | null }
  | { is: 'inconsistent'; known: WitnessedLog | null; status: 409 | 422; reason: string };

/**
 * Cosigns a checkpoint that extends the last cosigned one (C2SP tlog-witness, add-checkpoint). One
 * transaction reads the last cosigned checkpoint and replaces it. The promise resolves once the transaction
 * is durable.
 *
 * @throws StorageUnavailable, Overloaded; in both cases nothing was cosigned
 */
export async function addCheckpoint(
  witness: CosigningServices,
  body: Uint8Array,
): Promise<AddCheckpointResponse> {
  const signed = opened(witness, body);
  if ('status' in signed) return signed;
  const outcome = await witness.store.writeAsService((tx) => cosignIn(tx, witness, signed));
  if (outcome.is === 'cosigned') return { status: 200, body: outcome.lines, contentType: null };
  if (outcome.is === 'undated') {
    return refusal(
      503,
      'the clock of this witness was changed by more than 60 s; send the request again later',
    );
  }
  const { known } = outcome;
  if (outcome.is === 'inconsistent' || contradicts(signed, known)) report(witness, signed, known);
  return outcome.is === 'inconsistent'
    ? refusal(outcome.status, outcome.reason)
    : { status: 409, body: `${known?.size ?? 0}\n`, contentType: 'text/x.tlog.size' };
}

/**
 * Returns the newest cosigned checkpoint of a log. `originHash`: SHA-256 of its origin, in hexadecimal. Null
 * when none was cosigned.
 */
export function newestNote(
  { store }: Pick<CosigningServices, 'store'>,
  originHash: string,
): Promise<string | null> {
  return store.read((snapshot) => noteOf(snapshot, originHash));
}

/**
 * Parses and verifies a request as far as the previously cosigned checkpoint is not needed. Returns the error
 * response on failure.
 */
function opened({ logs }: CosigningServices, body: Uint8Array): Signed | AddCheckpointResponse {
  let submission: AddCheckpointRequest;
  try {
    submission = parseAddCheckpoint(body);
  } catch (error) {
    if (error instanceof AddCheckpointError) return refusal(400, error.message);
    throw error;
  }
  const { checkpoint, oldSize, isSigned } = submission;
  const keys = logs.get(checkpoint.origin);
  if (keys === undefined) return refusal(404, 'this witness does not know the origin of the checkpoint');
  if (!isSigned) return refusal(403, 'the checkpoint has no signature');
  let signed: Signed;
  try {
    const { note, checks } = openCheckpoint(nativePrimitives, submission.note, keys);
    // Keeps one line per key: repeated lines could fill the note until the witness's cosignatures do not fit.
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
  return oldSize > checkpoint.size ? refusal(400, "the old size exceeds the checkpoint's size") : signed;
}

async function cosignIn(
  tx: Transaction,
  { identity, clockWatch }: CosigningServices,
  signed: Signed,
): Promise<Outcome> {
  const { checkpoint, oldSize, proof, text, signatures } = signed;
  const { origin, size, root } = checkpoint;
  const known = await witnessedLogOf(tx, origin);
  if (oldSize !== (known?.size ?? 0)) return { is: 'elsewhere', known };
  const problem = inconsistency(signed, known?.root ?? emptyRoot(nativePrimitives), proof);
  if (problem !== null) return { is: 'inconsistent', known, ...problem };
  const { wall, jump } = clockWatch.read();
  if (jump !== null) return { is: 'undated' };
  // A system clock that was set back must not make the log's cosignature times decrease.
  const cosignedAt = Math.max(Math.floor(wall / 1000), known?.cosignedAt ?? 1);
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

/**
 * Returns the reason why a checkpoint does not extend the tree of its old size with this root, with the
 * status that C2SP tlog-witness demands; null when it does. The 409 of another root has no size: a client
 * that reads one repeats its request.
 */
function inconsistency(
  { checkpoint: { size, root }, oldSize }: Signed,
  knownRoot: Uint8Array,
  proof: readonly Uint8Array[],
): { status: 409 | 422; reason: string } | null {
  if (size === 0 && !equalBytes(root, emptyRoot(nativePrimitives))) {
    return { status: 422, reason: 'the root of a tree of size 0 must be the hash of the empty string' };
  }
  if ((oldSize === 0 || oldSize === size) && proof.length > 0) {
    return {
      status: 422,
      reason: 'the proof must be empty when the old size is 0 or equals the size of the checkpoint',
    };
  }
  if (oldSize === size && !equalBytes(root, knownRoot)) {
    return { status: 409, reason: 'this witness has cosigned a different root for this size' };
  }
  const trees = { from: oldSize, to: size, fromRoot: knownRoot, toRoot: root, path: proof };
  if (verifyConsistency(nativePrimitives, trees)) return null;
  return {
    status: 422,
    reason: `the proof does not show that the tree extends the cosigned tree of ${oldSize} leaves`,
  };
}

/** Returns whether the log has signed two different trees of the same size. */
function contradicts({ checkpoint: { size, root } }: Signed, known: WitnessedLog | null): boolean {
  return known !== null && known.size === size && !equalBytes(known.root, root);
}

/** Saves and logs a request that may prove that a log misbehaves. */
function report({ log, forks }: CosigningServices, signed: Signed, known: WitnessedLog | null): void {
  const { origin, size } = signed.checkpoint;
  const isProof = contradicts(signed, known);
  const evidence = {
    oldSize: signed.oldSize,
    proof: signed.proof,
    submitted: signed.note,
    known: known?.note ?? null,
  };
  const file = forks.keep(signed.checkpoint, evidence, isProof);
  // Evidence that is already on disk is logged at debug level: repeated requests must not fill the log. A
  // proven fork is an error. A suspicion is a warning only, because anyone can cause it by sending a wrong
  // proof.
  const level = isProof ? 'error' : 'warn';
  log[file === null ? 'debug' : level](
    { origin, size, cosigned: known?.size ?? 0, evidence: file },
    isProof
      ? 'the log has forked: it signed two different trees of the same size'
      : 'no valid consistency proof links the signed checkpoint to the last cosigned one',
  );
}

function refusal(status: 400 | 403 | 404 | 409 | 422 | 503, reason: string): AddCheckpointResponse {
  return { status, body: `${reason}\n`, contentType: null };
}
