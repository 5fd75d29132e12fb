import { parseTimestamp } from '../encoding/timestamp.ts';
import { judgeCoseReceipt } from '../log/cose-verdict.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { KnownNotes } from '../log/known-notes.ts';
import { type ReceiptEntry, readReceiptEntry } from '../log/log-entry.ts';
import {
  checkpointProblem,
  isLogVerdict,
  type LogKey,
  type LogVerdict,
  openTrusted,
  type SignedTree,
  signedTree,
  type TrustedCheckpoint,
} from '../log/log-keys.ts';
import { isOriginOf } from '../log/log-names.ts';
import type { LogProof } from '../log/log-proof.ts';
import { leafHash, verifyInclusion } from '../log/merkle.ts';
import { aheadOf, misdated, type StatedDate } from '../log/misdated.ts';
import type { Primitives } from '../primitives.ts';
import { contentHash, type Receipt } from './receipt.ts';
import type { LeafPosition } from './signature.ts';

/** A COSE receipt of an entry, which is not in it. Neither is verified. */
export interface CoseLogProof {
  /** The bytes of the entry. */
  entry: Uint8Array;
  cose: Uint8Array;
}

/** What was given as a proof, and has not the form of one. */
export interface UnreadableProof {
  /** Why. */
  unreadable: string;
}

const toUtf8 = new TextEncoder();

/** The result of checking a proof against a receipt. */
export interface InclusionCheck {
  /**
   * `mismatch`: the proof is valid, but for another receipt or another version. `bad`: the proof is invalid.
   * `misdated`: the proof is valid and for this version, but its dates contradict each other. `future`: they
   * do not, but they are after the clock of the verifier. `wrong_log`, `log_not_named`: a trusted key signed
   * it, but for a log that does not count.
   */
  check: 'ok' | 'mismatch' | 'misdated' | 'future' | 'bad' | LogVerdict;
  /** The reason why `check` is not ok; null when it is. */
  problem: string | null;
  /**
   * The position of this version's signature in the log; null unless the proof is valid and for this version.
   */
  position: LeafPosition | null;
  /** The tree that a trusted key signed; null if none did. */
  tree: SignedTree | null;
  /** When this version was issued and finalized; empty unless the proof is valid and for it. */
  dates: readonly StatedDate[];
}

/**
 * Checks whether a log of `keys` contains a receipt. The checkpoint must be signed, the path must lead to its
 * root, and the leaf must have the receipt's receipt_id, content_hash, signature and, if the receipt has one,
 * kid.
 *
 * The log contains the version that was finalized. Revoking a receipt creates a newly signed version without
 * a leaf in this log. For that version the proof is ok when the leaf is the receipt before its revocation:
 * only revocation_status changed, so its content_hash can be computed. The proof does not show when the
 * revoked version was signed, so there is no position. Never throws.
 * @param notes what was found of checkpoints before, with the same keys
 */
export function checkInclusion(
  primitives: Primitives,
  receipt: Receipt,
  proof: LogProof | CoseLogProof | UnreadableProof,
  keys: readonly LogKey[],
  notes: KnownNotes = new KnownNotes(),
): InclusionCheck {
  if ('unreadable' in proof) return bad(proof.unreadable);
  if ('cose' in proof) return checkCose(primitives, receipt, proof, keys);
  let checkpoint: TrustedCheckpoint | null = null;
  let entry: ReceiptEntry;
  try {
    const { origin } = notes.checkpoint(proof.checkpoint);
    // The keys of the other logs of the installation are trusted too, but not for receipts.
    if (!isOriginOf(origin, 'receipts'))
      return bad(`the checkpoint belongs to ${origin}, which is not a log of receipts`);
    checkpoint = notes.opened(proof.checkpoint, (note) => openTrusted(primitives, note, keys));
    entry = readReceiptEntry(proof.entry);
  } catch (error) {
    if (error instanceof LogEntryError)
      return bad(`the leaf is not a receipt entry: ${error.message}`, checkpoint && signedTree(checkpoint));
    const found = checkpointProblem(error);
    if (found === null) throw error;
    const { check, message, checkpoint: other } = found;
    return { check, problem: message, position: null, tree: other && signedTree(other), dates: [] };
  }
  const { index, path } = proof;
  const leaf = leafHash(primitives, toUtf8.encode(proof.entry));
  const tree = signedTree(checkpoint);
  if (!verifyInclusion(primitives, { leaf, index, path, size: checkpoint.size, root: checkpoint.root }))
    return bad('the hashes do not lead from the leaf to the root of the checkpoint', tree);
  const found = compare(primitives, receipt, entry, { log: checkpoint.origin, index });
  return dated({ ...found, tree }, checkpoint.time);
}

/**
 * Returns the check with `misdated` if the dates contradict each other, or are after a time at which the tree
 * was signed. The position stays: the log has this version there, whatever it says of its dates.
 * @param signed in milliseconds since 1970; null if nothing says it
 */
export function dated(found: InclusionCheck, signed: number | null): InclusionCheck {
  const wrong = found.check === 'ok' ? misdated(found.dates, signed) : null;
  return wrong === null ? found : { ...found, check: 'misdated', problem: `misdated: ${wrong}` };
}

/**
 * Returns the check with `future` if the tree, or what happened to this version, is dated after the clock of
 * the verifier. The position stays, as in `dated`.
 * @param now what the clock says, in milliseconds since 1970
 */
export function notAhead(found: InclusionCheck, now: number): InclusionCheck {
  if (found.check !== 'ok') return found;
  const signed = found.tree?.signed_at ?? null;
  const problems = [
    aheadOf('the checkpoint is dated', signed === null ? null : Date.parse(signed), now),
    ...found.dates.map(({ event, at }) => aheadOf(`it was ${event} at`, parseTimestamp(at), now)),
  ];
  const problem = problems.find((one) => one !== null) ?? null;
  return problem === null ? found : { ...found, check: 'future', problem: `future: ${problem}` };
}

/**
 * Checks a COSE receipt. Since nothing signs its index, it shows no position, and cannot make the signature
 * of an ended key count.
 */
function checkCose(
  primitives: Primitives,
  receipt: Receipt,
  { entry, cose }: CoseLogProof,
  logKeys: readonly LogKey[],
): InclusionCheck {
  const { verdict, problems, proven, trees } = judgeCoseReceipt(primitives, cose, { entry, logKeys });
  const [tree = null] = trees;
  if (proven === null) {
    return { ...bad(problems[0] ?? verdict, tree), ...(isLogVerdict(verdict) && { check: verdict }) };
  }
  const found = compare(primitives, receipt, readReceiptEntry(proven.entry), { log: proven.log, index: 0 });
  return dated({ ...found, position: null, tree }, null);
}

function compare(
  primitives: Primitives,
  receipt: Receipt,
  entry: ReceiptEntry,
  position: LeafPosition,
): Omit<InclusionCheck, 'tree'> {
  if (entry.receipt_id !== receipt.receipt_id) return mismatch('it is a proof for another receipt');
  const dates = [
    { event: 'issued', at: receipt.issued_at },
    { event: 'finalized', at: entry.finalized_at },
  ];
  if (receipt.revocation_status === 'revoked') {
    const before = contentHash(primitives, { ...receipt, revocation_status: 'active' });
    if (entry.content_hash !== before) return mismatch('the log has another version of the receipt');
    return { check: 'ok', problem: null, position: null, dates };
  }
  const isThis =
    entry.content_hash === receipt.content_hash &&
    entry.signature === receipt.signature &&
    (receipt.kid === undefined || entry.kid === receipt.kid);
  if (!isThis) return mismatch('the log has another version of the receipt');
  return { check: 'ok', problem: null, position, dates };
}

function mismatch(problem: string): Omit<InclusionCheck, 'tree'> {
  return { check: 'mismatch', problem, position: null, dates: [] };
}

function bad(problem: string, tree: SignedTree | null = null): InclusionCheck {
  return { check: 'bad', problem, position: null, tree, dates: [] };
}
