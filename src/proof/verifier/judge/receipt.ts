import { isJsonObject, jsonOrNull } from '../../encoding/json.ts';
import { entryIn } from '../../log/cose-verdict.ts';
import { type LogProof, LogProofError, readLogProof } from '../../log/log-proof.ts';
import { isCoseReceipt } from '../../log/read-cose-receipt.ts';
import type { Primitives } from '../../primitives.ts';
import type { CoseLogProof, UnreadableProof } from '../../receipt/inclusion.ts';
import { isAsAsked, judgeBytes, type VerdictOptions, type VerdictResult } from '../../receipt/verdict.ts';
import type { VerifierContext } from '../values/context.ts';
import type { Judge } from '../values/judgement.ts';
import { domainProblems } from './chunk.ts';
import { quorumsMet } from './sentences.ts';

/** Judges one receipt, with its proof, its status and the log of revocations. */
export const judgeReceiptKind: Judge = (primitives, document, context) => {
  const result = judgeBytes(primitives, document, receiptOptions(context));
  return {
    isValid: isAsAsked(result),
    result,
    kind: 'receipt',
    remarks: [...domainProblems(result, context.additional?.domain), ...adviceOn(result, document)],
    facts: [...(result.notes ?? []), ...quorumsMet(result.cosignatures)],
  };
};

/** Returns what to do about a verdict that another input could change, in at most one sentence. */
function adviceOn({ verdict, kid, checks }: VerdictResult, document: Uint8Array): string[] {
  if (verdict === 'malformed') return adviceOnOther(document);
  if (verdict === 'key_unknown') {
    const named = kid === null ? '' : `It names the key ${kid}. `;
    return [`${named}The list of keys may be older than the key, or of another service.`];
  }
  const hasEnded = verdict === 'key_compromised' || verdict === 'key_retired';
  if (hasEnded && checks.proof === undefined)
    return ['With --proof, its position in the log can show that it was signed before that.'];
  return [];
}

/** Returns what to do with a document that is no receipt: a public manifest, or an unsigned response. */
function adviceOnOther(document: Uint8Array): string[] {
  const value = jsonOrNull(document);
  if (!isJsonObject(value)) return [];
  if (value.inclusion_path !== undefined)
    return ['A public manifest is a proof of its receipt: verify the receipt, with this file as --proof.'];
  return value.signed === false
    ? ['It has "signed": false, as responses without a signature have. Request it with ?signed=1.']
    : [];
}

/**
 * Reads a proof that a log has a receipt: C2SP tlog-proof text, a public manifest or a bundle, or a COSE
 * receipt with the file that has its entry.
 */
export function receiptProofIn(
  primitives: Primitives,
  proof: Uint8Array,
  entry: Uint8Array | undefined,
): LogProof | CoseLogProof | UnreadableProof {
  if (entry !== undefined && isCoseReceipt(proof)) return { cose: proof, entry: entryIn(entry) };
  try {
    return readLogProof(primitives, proof);
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    return { unreadable: error.message };
  }
}

/** Returns what receipts are judged with. */
export function receiptOptions({
  keys,
  logKeys,
  policy,
  at,
  now,
  additional = {},
}: VerifierContext): VerdictOptions {
  const { domain, logProof, status, revocations } = additional;
  const proof = logProof && { proof: logProof, keys: logKeys };
  return { keys, now: at, clock: now, policy, domain, proof, status, revocations };
}
