import { objectReading } from '../agent/agent-signature.ts';
import { subjectCommitment } from '../agent/commitment.ts';
import { hexToBytes } from '../encoding/hex.ts';
import { eventHash } from '../evidence/event.ts';
import { readEvidenceEntry } from '../log/log-entry.ts';
import { isLogVerdict, LOG_VERDICTS, type LogKey, type LogVerdict } from '../log/log-keys.ts';
import { isOriginOf } from '../log/log-names.ts';
import { type Cosignatures, isMet, type QuorumCheck } from '../log/quorum.ts';
import type { Primitives } from '../primitives.ts';
import type { WitnessPolicy } from '../receipt/witnessed.ts';
import { type EvidenceItem, readEvidenceItem } from './evidence-item.ts';
import { judgeProof, type ProofResult } from './proof-verdict.ts';

/** The verdicts on an item of evidence with their descriptions. The first one that applies is the result. */
export const EVIDENCE_VERDICTS = {
  malformed: 'This is not a well-formed item of evidence.',
  inconsistent: 'The item names another agent than the one that has the public key.',
  bad_signature: 'The agent did not sign this payload with the public key in this format.',
  hash_mismatch: 'The hashes of the item are not those of its payload and its members.',
  bad_proof: 'The proof does not show that the log of evidence has an entry.',
  ...LOG_VERDICTS,
  misdated: 'The log of evidence has the item, but the item is dated more than 60 s after the checkpoint.',
  future: 'The proof or the item is dated more than 60 s after the clock of this machine.',
  mismatch: 'The proof is of another entry of the log.',
  valid: 'The agent signed this payload, and the hashes of the item are right.',
} as const;

export type EvidenceVerdict = keyof typeof EVIDENCE_VERDICTS;

export interface EvidenceResult {
  verdict: EvidenceVerdict;
  checks: {
    /** Whether the agent that the item names is that of the public key. */
    agent: 'ok' | 'mismatch' | 'unchecked';
    signature: 'ok' | 'bad' | 'unchecked';
    /** The digest of the payload, and the hash of the four members. */
    hashes: 'ok' | 'mismatch' | 'unchecked';
    /** Only with a proof: whether the log of evidence has the entry of this item. */
    proof?: 'ok' | 'mismatch' | 'misdated' | 'future' | 'bad' | LogVerdict | 'unchecked';
    /** Only with a policy. */
    quorum?: QuorumCheck;
  };
  /** One sentence for each problem. */
  problems: string[];
  /** The item; null unless the agent signed its payload. */
  item: Omit<EvidenceItem, 'payload'> | null;
  /** The tree of the proof; empty unless a trusted key signed it. */
  trees: ProofResult['trees'];
  cosignatures?: Cosignatures[];
}

/** The results of comparing an item with what a proof shows. */
export type ProvenCheck = Exclude<EvidenceResult['checks']['proof'], 'unchecked' | undefined>;

/** What the log of evidence records of an item. */
export type LoggedItem = Pick<
  EvidenceItem,
  | 'subject_commitment'
  | 'index'
  | 'event_commitment_hash'
  | 'prev_event_hash'
  | 'source_type'
  | 'payload_digest'
  | 'created_at'
>;

export interface EvidenceOptions {
  /** The keys of logs that the verifier trusts. */
  logKeys: readonly LogKey[];
  /** The C2SP tlog-proof of the item. */
  proof?: Uint8Array | undefined;
  policy?: WitnessPolicy | undefined;
  /** Unix time in milliseconds. */
  now: number;
}

/**
 * Verifies an item of evidence: the agent's signature over the payload, the digest of the payload, the hash
 * of the four members, and with a proof that the log has the item. Without one, nothing shows its place in
 * the chain or its time. Never throws for any document or proof.
 */
export function judgeEvidence(
  primitives: Primitives,
  bytes: Uint8Array,
  options: EvidenceOptions,
): EvidenceResult {
  const read = readEvidenceItem(primitives, bytes);
  if ('problems' in read) return malformed(read.problems, options);
  const { payload, ...item } = read.item;
  const { public_key, context, subject_commitment, signature, reading } = item;
  const agentKey = hexToBytes(public_key);
  const isOwn = subjectCommitment(primitives, public_key, context) === subject_commitment;
  const isSigned = objectReading(primitives, hexToBytes(signature), payload, agentKey) === reading;
  const wrong = [
    ...(item.payload_digest === read.digest ? [] : ['payload_digest is not that of payload']),
    ...eventProblems(primitives, item),
  ];
  const proven = options.proof === undefined ? null : provenBy(primitives, item, options.proof, options);
  const checks: EvidenceResult['checks'] = {
    agent: isOwn ? 'ok' : 'mismatch',
    signature: isSigned ? 'ok' : 'bad',
    hashes: wrong.length === 0 ? 'ok' : 'mismatch',
    ...(proven !== null && { proof: proven.check }),
    ...(proven?.result.checks.quorum !== undefined && { quorum: proven.result.checks.quorum }),
  };
  return {
    verdict: firstOf(checks),
    checks,
    problems: [
      ...(isOwn ? [] : ['subject_commitment is not that of public_key and context']),
      ...(isSigned ? [] : [`signature is not by public_key over payload, read as ${reading}`]),
      ...wrong,
      ...(proven?.problems ?? []),
    ],
    item: isOwn && isSigned ? item : null,
    trees: proven?.result.trees ?? [],
    ...(proven?.result.cosignatures && { cosignatures: proven.result.cosignatures }),
  };
}

/** Returns whether an item is valid and the cosignatures of its proof meet the policy, if there is one. */
export function isEvidenceAsAsked({ verdict, checks: { quorum = 'ok' } }: EvidenceResult): boolean {
  return verdict === 'valid' && isMet(quorum);
}

/** Returns what is wrong with the hash of the four members of an item, and with its place in the chain. */
export function eventProblems(primitives: Primitives, item: LoggedItem): string[] {
  return [
    ...((item.index === 0) === (item.prev_event_hash === null)
      ? []
      : ['prev_event_hash is null exactly for the index 0']),
    ...(eventHash(primitives, item) === item.event_commitment_hash
      ? []
      : [
          'event_commitment_hash is not that of payload_digest, prev_event_hash, source_type and subject_commitment',
        ]),
  ];
}

/** Checks that a proof is valid, of the log of evidence, and of this item. */
function provenBy(
  primitives: Primitives,
  item: LoggedItem,
  proof: Uint8Array,
  options: EvidenceOptions,
): { check: ProvenCheck; problems: string[]; result: ProofResult } {
  const result = judgeProof(primitives, proof, options);
  return { ...checkLogged(item, result), result };
}

/** Checks that what was found of a proof is that the log of evidence has an item. */
export function checkLogged(
  item: LoggedItem,
  result: ProofResult,
): { check: ProvenCheck; problems: string[] } {
  const problems = result.problems.map((problem) => `proof: ${problem}`);
  const { proven = null, verdict } = result;
  const [tree] = result.trees;
  if (tree !== undefined && !isOriginOf(tree.log, 'evidence')) {
    const problem = `proof: ${tree.log} is not a log of evidence`;
    return { check: 'bad', problems: [...problems, problem] };
  }
  if (isLogVerdict(verdict) || verdict === 'misdated' || verdict === 'future')
    return { check: verdict, problems };
  if (verdict !== 'valid' || proven === null) return { check: 'bad', problems };
  const entry = readEvidenceEntry(proven.entry);
  const { subject_commitment, index, event_commitment_hash, prev_event_hash, source_type } = item;
  const own = { subject_commitment, index, event_commitment_hash, prev_event_hash, source_type };
  const said = { ...own, payload_digest: item.payload_digest, anchored_at: item.created_at };
  const others = Object.entries(said).filter(
    ([name, value]) => new Map<string, unknown>(Object.entries(entry)).get(name) !== value,
  );
  if (others.length === 0) return { check: 'ok', problems };
  const names = others.map(([name]) => (name === 'anchored_at' ? 'created_at' : name));
  const problem = `proof: the entry has another ${names.join(', ')}`;
  return { check: 'mismatch', problems: [...problems, problem] };
}

function firstOf({ agent, signature, hashes, proof = 'ok' }: EvidenceResult['checks']): EvidenceVerdict {
  if (agent !== 'ok') return 'inconsistent';
  if (signature !== 'ok') return 'bad_signature';
  if (hashes !== 'ok') return 'hash_mismatch';
  if (proof === 'mismatch' || proof === 'misdated' || proof === 'future' || isLogVerdict(proof)) return proof;
  return proof === 'ok' ? 'valid' : 'bad_proof';
}

function malformed(problems: string[], { proof, policy }: EvidenceOptions): EvidenceResult {
  const checks: EvidenceResult['checks'] = {
    agent: 'unchecked',
    signature: 'unchecked',
    hashes: 'unchecked',
    ...(proof !== undefined && { proof: 'unchecked' }),
    ...(proof !== undefined && policy !== undefined && { quorum: 'unchecked' }),
  };
  return {
    verdict: 'malformed',
    checks,
    problems,
    item: null,
    trees: [],
  };
}
