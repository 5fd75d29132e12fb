import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { KnownNotes } from '../log/known-notes.ts';
import { accountOf } from '../log/linked-account.ts';
import {
  checkpointProblem,
  isLogVerdict,
  LOG_VERDICTS,
  openTrusted,
  type SignedTree,
  signedTree,
} from '../log/log-keys.ts';
import { isOriginOf } from '../log/log-names.ts';
import { type LogProof, LogProofError, readProofObject } from '../log/log-proof.ts';
import { leafHash, verifyInclusion } from '../log/merkle.ts';
import { aheadOf } from '../log/misdated.ts';
import { type Cosignatures, describeCosignatures, isMet } from '../log/quorum.ts';
import type { ProofOptions } from '../log-documents/proof-verdict.ts';
import type { Primitives } from '../primitives.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { checkWitnesses } from '../receipt/witnessed.ts';
import { readLeaf } from './account-leaf.ts';
import { listedReceipt } from './listed-receipt.ts';

const utf8 = new TextEncoder();

/** The results of checking the leaves of a receipt, the worst first, with their descriptions. */
export const LINKED_CHECKS = {
  bad: 'a proof of a leaf is invalid',
  ...LOG_VERDICTS,
  future: 'a checkpoint is dated more than 60 s after the clock of this machine',
  mismatch: 'a leaf is of another receipt, account, agent, version or time, or there are two of an act',
  missing: 'the proof of a leaf is missing',
  issue_unproven: 'the receipt was issued while the account was not linked',
  ok: 'the log of accounts has a leaf for each act on the receipt',
} as const;

export type LinkedCheck = keyof typeof LINKED_CHECKS;

/**
 * Parses the proofs in `account_leaves` of a public manifest; none if it has no such member. @throws
 * LogProofError
 */
export function readAccountLeaves(primitives: Primitives, manifest: Uint8Array): LogProof[] {
  let document: JsonValue;
  try {
    document = parseJsonBytes(manifest);
  } catch (error) {
    throw error instanceof JsonError ? new LogProofError(error.message) : error;
  }
  const leaves = isJsonObject(document) ? (document.account_leaves ?? []) : null;
  if (!Array.isArray(leaves)) throw new LogProofError('it is no public manifest');
  return leaves.map((leaf) => {
    const path = isJsonObject(leaf) ? (leaf.inclusion_path ?? null) : null;
    return readProofObject(primitives, path, 'the inclusion_path of a leaf');
  });
}

/**
 * Checks that the log of accounts has a leaf for each act on a receipt: its issue and, if it is final or
 * revoked, that too. Never throws.
 * @param options.logKeys the trusted keys of logs
 * @param options.notes what was found of checkpoints before, with the same keys
 * @param asked is called with the tree of each leaf in a log of accounts that a trusted key signed, even of
 * one that does not count
 */
export function checkLinked(
  primitives: Primitives,
  receipt: Receipt,
  proofs: readonly LogProof[],
  options: Pick<ProofOptions, 'logKeys' | 'notes'>,
  asked: (tree: SignedTree) => void = () => undefined,
): { check: LinkedCheck; problem: string | null } {
  const { receipt_id, operator_id } = receipt;
  const listed = listedReceipt(primitives, receipt);
  const account = accountOf(primitives, operator_id);
  const found = new Map<string, string>();
  const leaves = proofs.map((proof) => provenLeaf(primitives, proof, options, asked));
  for (const leaf of leaves) {
    if ('check' in leaf) return result(leaf.check, leaf.message);
    if (leaf.receipt_id !== receipt_id || leaf.account !== account || leaf.agent !== listed.agent)
      return result('mismatch', `leaf ${leaf.sequence} is of another receipt, account or agent`);
    if (found.has(leaf.event)) return result('mismatch', `there are two leaves ${leaf.event}`);
    if (leaf.event === 'issued' && parseTimestamp(leaf.at) !== listed.issuedAt)
      return result('mismatch', `issued_at is not ${leaf.at}, the time of its leaf`);
    found.set(leaf.event, leaf.content_hash);
  }
  const acts = { finalized: listed.finalized, revoked: listed.revoked, issued: listed.issued };
  for (const [event, hash] of Object.entries(acts)) {
    const logged = found.get(event);
    if (hash !== null && logged !== undefined && logged !== hash)
      return result('mismatch', `the leaf ${event} is of another version`);
    if (hash === null && logged !== undefined)
      return result('mismatch', `the receipt is older than its leaf ${event}`);
    if (hash !== null && logged === undefined && (event !== 'issued' || proofs.length === 0))
      return result('missing', `the leaf ${event} is missing`);
  }
  return found.has('issued')
    ? { check: 'ok', problem: null }
    : result('issue_unproven', LINKED_CHECKS.issue_unproven);
}

/** What the log of accounts shows of a receipt. */
export interface LinkedResult {
  check: LinkedCheck;
  /** Null if the check is ok. */
  problem: string | null;
  /** The tree of each leaf, as far as a trusted key signed it. */
  trees: SignedTree[];
  /** Of each leaf; empty without a policy. */
  cosignatures: Cosignatures[];
}

/**
 * Checks the leaves of a receipt like `checkLinked`, and with a policy that witnesses cosigned each of their
 * checkpoints, none of which is dated after `now`.
 * @param options.now Unix time in milliseconds
 */
export function judgeLinked(
  primitives: Primitives,
  receipt: Receipt,
  leaves: readonly LogProof[],
  options: ProofOptions,
): LinkedResult {
  const { policy, now, notes = new KnownNotes() } = options;
  const trees: SignedTree[] = [];
  const found = checkLinked(primitives, receipt, leaves, { ...options, notes }, (tree) => trees.push(tree));
  const ahead = trees.flatMap(({ log, signed_at }) =>
    signed_at === null
      ? []
      : (aheadOf(`the checkpoint of ${log} is dated`, Date.parse(signed_at), now) ?? []),
  );
  const isProven = found.check === 'ok' || found.check === 'issue_unproven';
  const linked = isProven && ahead[0] !== undefined ? result('future', `future: ${ahead[0]}`) : found;
  // Without trusted signatures, cosignatures say nothing.
  if (policy === undefined || linked.check === 'bad' || isLogVerdict(linked.check))
    return { ...linked, trees, cosignatures: [] };
  const cosignatures = leaves.map(({ checkpoint }) =>
    notes.cosignatures(checkpoint, (note) => checkWitnesses(primitives, note, policy, now)),
  );
  const missing = cosignatures.find(({ check }) => !isMet(check));
  return missing === undefined
    ? { ...linked, trees, cosignatures }
    : { ...result('bad', `quorum: ${describeCosignatures(missing)}`), trees, cosignatures };
}

function result(check: LinkedCheck, problem: string): { check: LinkedCheck; problem: string } {
  return { check, problem };
}

/** Returns the leaf of a proof; the reason if it is not proven. */
function provenLeaf(
  primitives: Primitives,
  proof: LogProof,
  { logKeys, notes = new KnownNotes() }: Pick<ProofOptions, 'logKeys' | 'notes'>,
  asked: (tree: SignedTree) => void,
) {
  const bad = (message: string) => ({ check: 'bad' as const, message });
  try {
    const { origin } = notes.checkpoint(proof.checkpoint);
    if (!isOriginOf(origin, 'accounts'))
      return bad(`the checkpoint belongs to ${origin}, which is not a log of accounts`);
    const opened = notes.opened(proof.checkpoint, (note) => openTrusted(primitives, note, logKeys));
    asked(signedTree(opened));
    const { size, root } = opened;
    const entry = utf8.encode(proof.entry);
    const { index, path } = proof;
    if (!verifyInclusion(primitives, { leaf: leafHash(primitives, entry), index, path, size, root }))
      return bad('the hashes do not lead from the leaf to the root of the checkpoint');
    const leaf = readLeaf(entry);
    return leaf.receipt_id === null ? bad('the leaf is of no receipt') : leaf;
  } catch (error) {
    if (error instanceof LogEntryError) return bad(error.message);
    const found = checkpointProblem(error);
    if (found === null) throw error;
    if (found.checkpoint !== null) asked(signedTree(found.checkpoint));
    return found;
  }
}
