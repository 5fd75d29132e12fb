import { jsonOrNull } from '../encoding/json.ts';
import { isCoseReceipt } from '../log/read-cose-receipt.ts';
import type { Primitives } from '../primitives.ts';
import { receiptShape } from '../receipt/receipt-shape.ts';
import { described } from './judge/described.ts';
import { linkedJudge, linkedProofsIn } from './judge/linked.ts';
import { receiptProofIn } from './judge/receipt.ts';
import type { DocumentKind, KindInputs } from './kinds/kind.ts';
import { documentKind, RECEIPT } from './kinds/kinds.ts';
import type { VerifierTrust } from './trust.ts';
import type { AdditionalInputs, VerifierContext } from './values/context.ts';
import type { Described } from './values/judgement.ts';

/** A document, and the files with which it is judged. */
export interface DocumentFiles {
  document: Uint8Array;
  /** Of a receipt or an item of evidence: the proof of its log. */
  proof?: Uint8Array | undefined;
  /** Of a receipt: its status. Of a credential: its status list. */
  status?: Uint8Array | undefined;
  /** Of a COSE receipt, or of a receipt with one: the file that has the entry. */
  entry?: Uint8Array | undefined;
  /** Of the statement of an account, or a proof of the head of its journal: the whole journal. */
  journal?: Uint8Array | undefined;
  /** Of a receipt of a linked account: its public manifest, if its leaves are to be judged. */
  manifest?: Uint8Array | undefined;
}

/** What is trusted. */
export interface Trusting {
  /** With the policy, if there is one. */
  withPolicy: VerifierTrust;
  /** The same, for documents that have no use for a policy. */
  withoutPolicy: VerifierTrust;
  /** Whether there is a list of keys. */
  hasKeys: boolean;
  /** Unix time in milliseconds. */
  now: number;
  /** Of a bundle: whether its status must be valid now. */
  isFresh?: boolean | undefined;
}

/** A document that was judged, and its kind in messages, such as "receipt". */
export interface JudgedDocument {
  name: string;
  described: Described;
}

/**
 * Judges a document with the files that belong to it, as `countersign verify` does with options for them: of
 * any kind but a list of keys, which needs a copy of its log. It reads nothing.
 * @throws LogProofError for a `manifest` without the proofs of leaves
 */
export async function judgeDocument(
  primitives: Primitives,
  files: DocumentFiles,
  trusting: Trusting,
): Promise<JudgedDocument> {
  const { document, manifest } = files;
  const kind = documentKind(document) ?? RECEIPT;
  const context = contextOf(primitives, kind, files, trusting);
  const receipt = kind === RECEIPT && manifest !== undefined ? receiptIn(document) : null;
  const judge =
    receipt === null || manifest === undefined
      ? await kind.load()
      : linkedJudge(linkedProofsIn(primitives, manifest, receipt));
  const judgement = judge(primitives, document, context);
  return { name: kind.name, described: described(judgement, document, context) };
}

/** Returns whether documents of a kind cannot be judged without trusted keys, and there are none. */
export function lacksKeys(inputs: KindInputs, { hasKeys, withPolicy }: Trusting): boolean {
  if (hasKeys || inputs === 'selfContained') return false;
  // The key events of a bundle name the keys, if a policy says which log of keys counts.
  return inputs !== 'bundle' || (withPolicy.policy?.policy.logs ?? []).length === 0;
}

/** Returns whether a policy says something about a document of a kind. @param proof that it has */
export function usesPolicy(inputs: KindInputs, proof: Uint8Array | undefined): boolean {
  switch (inputs) {
    case 'bundle':
    case 'citesLogs':
    case 'evidenceBundle':
    case 'headProof':
    case 'package':
      return true;
    case 'receipt':
      // A COSE receipt has no cosignatures.
      return proof !== undefined && !isCoseReceipt(proof);
    case 'evidence':
      return proof !== undefined;
    default:
      return false;
  }
}

function contextOf(
  primitives: Primitives,
  { inputs }: DocumentKind,
  files: DocumentFiles,
  { withPolicy, withoutPolicy, hasKeys, now, isFresh }: Trusting,
): VerifierContext {
  const proof = files.proof ?? files.manifest;
  const trust = usesPolicy(inputs, proof) ? withPolicy : withoutPolicy;
  const { closedLogs: _, ...trusted } = trust;
  const ofBundle = { trustsKeyLog: !hasKeys, ...(isFresh === true && { isFresh }) };
  const additional = inputs === 'bundle' ? ofBundle : additionalOf(primitives, inputs, files);
  return { ...trusted, at: now, now, additional };
}

function additionalOf(
  primitives: Primitives,
  inputs: KindInputs,
  { document, proof, status, entry, journal }: DocumentFiles,
): AdditionalInputs {
  switch (inputs) {
    case 'receipt':
      if (receiptIn(document) === null) return {};
      return {
        ...(proof !== undefined && { logProof: receiptProofIn(primitives, proof, entry) }),
        ...(status !== undefined && { status: jsonOrNull(status) }),
      };
    case 'evidence':
      return proof === undefined ? {} : { proof };
    case 'credential':
      return status === undefined ? {} : { statusList: jsonOrNull(status) };
    case 'cose':
      return entry === undefined ? {} : { entry };
    case 'accountStatement':
    case 'headProof':
      return journal === undefined ? {} : { journal };
    default:
      return {};
  }
}

/** Returns a well-formed receipt; null for anything else. */
export function receiptIn(document: Uint8Array) {
  const value = jsonOrNull(document);
  const shape = value === null ? null : receiptShape(value);
  return shape !== null && 'receipt' in shape ? shape.receipt : null;
}
