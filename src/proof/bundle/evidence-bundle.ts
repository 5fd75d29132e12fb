import { subjectCommitment } from '../agent/commitment.ts';
import { DocumentReader } from '../document/document-reader.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { isLogVerdict, LOG_VERDICTS } from '../log/log-keys.ts';
import type { LogProof } from '../log/log-proof.ts';
import { isMet } from '../log/quorum.ts';
import { type EvidenceItem, PUBLIC_MEMBERS, readAnchored } from '../log-documents/evidence-item.ts';
import {
  checkLogged,
  type EvidenceResult,
  eventProblems,
  type LoggedItem,
} from '../log-documents/evidence-verdict.ts';
import { judgeLogProof, type ProofOptions } from '../log-documents/proof-verdict.ts';
import type { Primitives } from '../primitives.ts';
import { readBundledProof } from './bundled-proof.ts';

/** The value of `type` of a bundle of evidence. Nothing signs a bundle, so it is no signed type. */
const EVIDENCE_BUNDLE_TYPE = 'evidence-bundle';

/** The verdicts on a bundle of evidence with their descriptions. The first one that applies is the result. */
export const EVIDENCE_BUNDLE_VERDICTS = {
  malformed: 'This is not a well-formed bundle of evidence.',
  inconsistent: 'The item names another agent than the one that has the public key.',
  hash_mismatch: 'The hash of the item is not that of its members.',
  not_proven: 'The bundle has no proof that the log of evidence has the item.',
  bad_proof: 'The proof does not show that the log of evidence has an entry.',
  ...LOG_VERDICTS,
  misdated: 'The log of evidence has the item, but the item is dated more than 60 s after the checkpoint.',
  future: 'The proof or the item is dated more than 60 s after the clock of this machine.',
  mismatch: 'The proof is of another entry of the log.',
  valid: 'The log of evidence has this item of the agent.',
} as const;

export type EvidenceBundleVerdict = keyof typeof EVIDENCE_BUNDLE_VERDICTS;

/** An item without what only those see who may read the payload. */
export interface BundledItem extends LoggedItem, Pick<EvidenceItem, 'public_key' | 'context'> {
  /** What the service concluded from the payload. Nothing signs it. Null if the bundle does not say it. */
  outcome: EvidenceItem['outcome'] | null;
}

export interface EvidenceBundleResult {
  verdict: EvidenceBundleVerdict;
  checks: Pick<EvidenceResult['checks'], 'agent' | 'hashes' | 'quorum'> & {
    /** Whether the log of evidence has the entry of this item; `missing` if the bundle has no proof. */
    proof: Exclude<EvidenceResult['checks']['proof'], undefined> | 'missing';
  };
  /** One sentence for each problem. */
  problems: string[];
  /** The item; null unless the log has it. */
  item: BundledItem | null;
  /** The tree of the proof; empty unless a trusted key signed it. */
  trees: EvidenceResult['trees'];
  /** Only with a policy. */
  cosignatures?: EvidenceResult['cosignatures'];
}

interface EvidenceBundle {
  item: BundledItem;
  proof: LogProof | null;
  /** Why there is no proof, as the service said. */
  reason: string | null;
}

const MEMBERS = ['type', 'item', 'proof', 'inclusion_reason'];
/** The most characters of `inclusion_reason`. */
const REASON = {
  fits: (reason: string) => reason.length <= 1024,
  words: 'a text of at most 1,024 characters',
};

/** Returns whether an object is a bundle of evidence, whatever its form. */
export function isEvidenceBundle(object: JsonObject): boolean {
  return Object.hasOwn(object, 'type') && object.type === EVIDENCE_BUNDLE_TYPE;
}

/** Returns the note of the checkpoint in a bundle of evidence; null for none. */
export function noteInEvidenceBundle(primitives: Primitives, document: JsonValue): string | null {
  const read = readEvidenceBundle(primitives, document);
  return 'bundle' in read ? (read.bundle.proof?.checkpoint ?? null) : null;
}

/**
 * Verifies a bundle of an item of evidence offline: that the agent is that of the public key, the hash of the
 * four members, and that the log has the item. Whether the agent signed the payload, only the item with its
 * payload and its signature shows. Never throws for any document.
 */
export function judgeEvidenceBundle(
  primitives: Primitives,
  document: JsonValue,
  options: ProofOptions,
): EvidenceBundleResult {
  const read = readEvidenceBundle(primitives, document);
  if ('problems' in read) return malformed(read.problems, options);
  const { item, proof, reason } = read.bundle;
  const isOwn = subjectCommitment(primitives, item.public_key, item.context) === item.subject_commitment;
  const wrong = eventProblems(primitives, item);
  const result = proof === null ? null : judgeLogProof(primitives, proof, options);
  const found =
    result === null
      ? {
          check: 'missing' as const,
          problems: [`proof: the bundle has none (${reason ?? 'it does not say why'}): get it again`],
        }
      : checkLogged(item, result);
  const checks: EvidenceBundleResult['checks'] = {
    agent: isOwn ? 'ok' : 'mismatch',
    hashes: wrong.length === 0 ? 'ok' : 'mismatch',
    proof: found.check,
    ...(options.policy !== undefined && { quorum: result?.checks.quorum ?? 'unchecked' }),
  };
  const verdict = firstOf(checks);
  const isValid = verdict === 'valid';
  return {
    verdict,
    checks,
    problems: [
      ...(isOwn ? [] : ['subject_commitment is not that of public_key and context']),
      ...wrong,
      ...found.problems,
    ],
    item: isValid ? item : null,
    trees: result?.trees ?? [],
    ...(result?.cosignatures && { cosignatures: result.cosignatures }),
  };
}

/** Returns whether a bundle is valid and the cosignatures of its proof meet the policy, if there is one. */
export function isEvidenceBundleAsAsked({
  verdict,
  checks: { quorum = 'ok' },
}: EvidenceBundleResult): boolean {
  return verdict === 'valid' && isMet(quorum);
}

/**
 * Reads the parts of a bundle. Neither it nor its proof has other members: nothing would sign them.
 * @returns the problems of anything else, one sentence each
 */
function readEvidenceBundle(
  primitives: Primitives,
  document: JsonValue,
): { bundle: EvidenceBundle } | { problems: string[] } {
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  const only = (reader: DocumentReader, name: string, members: readonly string[]): void => {
    if (reader.members().some(([member]) => !members.includes(member)))
      problems.push(`${name} has other members than ${members.join(', ')}`);
  };
  value.member('type').only(EVIDENCE_BUNDLE_TYPE);
  only(value, 'the bundle', MEMBERS);
  only(value.member('item'), 'item', PUBLIC_MEMBERS);
  const item = readItem(value.member('item'));
  const reason = value.member('inclusion_reason');
  if (!value.member('proof').isPresent()) problems.push('proof is missing');
  const proof = value.member('proof').nullable((one) => {
    if (reason.isPresent()) problems.push('inclusion_reason is there although there is a proof');
    return one.isPresent() ? readBundledProof(primitives, one.value(), 'proof', problems) : null;
  });
  const said = reason.isPresent() ? reason.text(REASON) : null;
  return problems.length === 0 ? { bundle: { item, proof, reason: said } } : { problems };
}

function readItem(value: DocumentReader): BundledItem {
  const outcome = value.member('outcome');
  return {
    ...readAnchored(value),
    outcome: outcome.isPresent() ? outcome.oneOf<'success' | 'failure'>(['success', 'failure']) : null,
  };
}

function firstOf({ agent, hashes, proof }: EvidenceBundleResult['checks']): EvidenceBundleVerdict {
  if (agent !== 'ok') return 'inconsistent';
  if (hashes !== 'ok') return 'hash_mismatch';
  if (proof === 'missing') return 'not_proven';
  if (proof === 'mismatch' || proof === 'misdated' || proof === 'future' || isLogVerdict(proof)) return proof;
  return proof === 'ok' ? 'valid' : 'bad_proof';
}

function malformed(problems: string[], { policy }: ProofOptions): EvidenceBundleResult {
  return {
    verdict: 'malformed',
    checks: {
      agent: 'unchecked',
      hashes: 'unchecked',
      proof: 'unchecked',
      ...(policy !== undefined && { quorum: 'unchecked' as const }),
    },
    problems,
    item: null,
    trees: [],
  };
}
