import { JsonError, type JsonValue, parseJson, parseJsonBytes } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import type { KnownNotes } from '../log/known-notes.ts';
import type { LogKey, SignedTree } from '../log/log-keys.ts';
import type { LogProof } from '../log/log-proof.ts';
import { aheadOf } from '../log/misdated.ts';
import {
  attestedBy,
  type Cosignatures,
  describeCosignatures,
  isMet,
  type QuorumCheck,
  worstQuorum,
} from '../log/quorum.ts';
import type { Primitives } from '../primitives.ts';
import {
  type CoseLogProof,
  checkInclusion,
  type InclusionCheck,
  notAhead,
  type UnreadableProof,
} from './inclusion.ts';
import { contentHash, DOMAINS, domainCommitment, type Receipt } from './receipt.ts';
import { receiptShape } from './receipt-shape.ts';
import { checkStatus, STATUS_CHECKS, type StatusCheck } from './receipt-status.ts';
import {
  checkRevocations,
  REVOCATION_CHECKS,
  type RevocationCheck,
  type Revocations,
} from './revocations.ts';
import { checkKey, type DatedTree, type KeyCheck, type LeafPosition } from './signature.ts';
import { type WitnessPolicy, witnessed } from './witnessed.ts';

/** The verdicts with their descriptions. The first one that applies is the result. */
export const VERDICTS = {
  malformed: 'This is not a well-formed receipt.',
  revoked: 'The receipt has been revoked.',
  expired: 'The receipt has expired.',
  hash_mismatch: 'The receipt was changed after it was signed: its content does not match its content_hash.',
  key_unknown: 'The key that signed the receipt is not among the trusted keys.',
  bad_signature: 'The signature was not made over this receipt by a trusted key.',
  key_retired: 'The receipt was dated or logged after the key that signed it was retired.',
  key_compromised: 'The key that signed the receipt has been reported as compromised.',
  future: 'The receipt is dated more than 60 s after the clock of the machine that verifies it.',
  valid: 'The receipt is authentic, unchanged and not expired.',
} as const;

export type Verdict = keyof typeof VERDICTS;

/**
 * What a verdict says of revocation: `ok` only if a status or a log of revocations that counts says that the
 * receipt is not revoked.
 */
export type RevocationVerdict = 'ok' | 'revoked' | 'not_checked';

export interface VerdictResult {
  verdict: Verdict;
  /** True if the receipt is unchanged and signed by a trusted key, regardless of revocation and expiry. */
  authentic: boolean;
  /** Whether the receipt is revoked. A receipt by itself only shows that it is. */
  revocation: RevocationVerdict;
  checks: {
    /**
     * Compares the content with content_hash and, for a blind receipt with its salt, the salt with the
     * commitment.
     */
    hash: 'ok' | 'mismatch' | 'unchecked';
    signature: KeyCheck['signature'];
    key: KeyCheck['key'];
    /** Only when a domain was given; `unchecked` for a blind receipt without its salt. */
    domain?: 'ok' | 'mismatch' | 'unchecked';
    /** Only when a proof was given: whether a log contains the receipt. */
    proof?: InclusionCheck['check'] | 'unchecked';
    /** Only when a signed status was given. */
    status?: StatusCheck | 'unchecked';
    /** Only when the revocations log was given. */
    revocation?: RevocationCheck | 'unchecked';
    /**
     * Only when a policy was given: the worst result for the checkpoints of the proof and of the revocations
     * log.
     */
    quorum?: QuorumCheck;
  };
  /**
   * The problems of a malformed receipt and of the given proof, status or revocations log: one sentence each.
   */
  problems: string[];
  /**
   * What contradicts what the list of keys says, one sentence each; absent for nothing. The receipt is judged
   * by what contradicts it.
   */
  notes?: string[];
  /** The trusted key that made the signature; if none did, the key that the receipt names. */
  kid: string | null;
  /**
   * Only when a proof was given: the proven position of this version in the log; null when it proves none.
   */
  position?: LeafPosition | null;
  /**
   * Only when a policy was given: the cosignatures of the checkpoints of the proof and of the revocations
   * log.
   */
  cosignatures?: Cosignatures[];
  /**
   * The trees of the proof and of the revocations log that trusted keys signed, even of a log that does not
   * count.
   */
  trees: SignedTree[];
}

export interface VerdictOptions {
  /** The keys that the verifier trusts. They are never taken from the verified document. */
  keys: readonly TrustedKey[];
  /** The Unix time in milliseconds for checking expiry. */
  now: number;
  /**
   * The present, if `now` is another time: a receipt, checkpoint or cosignature dated after both by more than
   * 60 s does not count.
   */
  clock?: number | undefined;
  /**
   * The domain that the receipt is expected to have. The result is a check; it does not change the verdict.
   */
  domain?: string | undefined;
  /** A proof that a log contains the receipt, and the keys of the trusted logs. */
  proof?: { proof: LogProof | CoseLogProof | UnreadableProof; keys: readonly LogKey[] } | undefined;
  /** The position of this version in the log, for callers that have the log and need no proof. */
  position?: LeafPosition | undefined;
  /** A signed status of the receipt, not yet verified. */
  status?: JsonValue | undefined;
  /** The time at which the status must be valid, if it is another than `now`. */
  statusAt?: number | undefined;
  /** The revocations from a trusted log. */
  revocations?: Revocations | undefined;
  /**
   * The witnesses that must have cosigned the checkpoints of the proof and of the revocations log; `log`
   * lines are not used.
   */
  policy?: WitnessPolicy | undefined;
  /** What was found of checkpoints before, with the same keys, policy and time. */
  notes?: KnownNotes | undefined;
}

/**
 * Verifies a parsed receipt offline by section 2.3. All checks run, unless the document is malformed; the
 * verdict is the first of `VERDICTS` that applies. Two additional inputs can change the verdict: a log
 * position decides whether the receipt is older than its key's end, and a revocation in the status or the log
 * makes the receipt revoked. Callers that pass a proof, a status or a domain must also look at its check
 * (`isAsAsked`).
 *
 * Never throws for any document, key, proof or status.
 */
export function judge(primitives: Primitives, document: JsonValue, options: VerdictOptions): VerdictResult {
  const shape = receiptShape(document);
  if ('problems' in shape) return malformed(shape.problems, options);
  const { receipt } = shape;
  const { keys, now, clock = now, domain, proof, status, notes } = options;
  const problems: string[] = [];
  const present = Math.max(now, clock);
  const found = witnessed(primitives, options.policy, present, {
    checkpoint: proof !== undefined && 'checkpoint' in proof.proof ? proof.proof.checkpoint : undefined,
    inclusion: proof && checkInclusion(primitives, receipt, proof.proof, proof.keys, notes),
    revocations: options.revocations,
    notes,
  });
  const { revocations, cosignatures } = found;
  const inclusion = found.inclusion && notAhead(found.inclusion, present);
  const ahead = aheadOf('issued_at is', parseTimestamp(receipt.issued_at), present);
  if (ahead !== null) problems.push(ahead);
  const { signature, key, kid, contradicted } = checkKey(
    primitives,
    receipt,
    keys,
    inclusion?.position ?? options.position,
    inclusion === undefined ? null : treeOf(inclusion, options.policy, cosignatures?.[0]),
  );
  const checks: VerdictResult['checks'] = { hash: checkHash(primitives, receipt), signature, key };
  if (domain !== undefined) checks.domain = checkDomain(primitives, receipt, domain);
  if (inclusion !== undefined) {
    checks.proof = inclusion.check;
    if (inclusion.problem !== null) problems.push(`proof: ${inclusion.problem}`);
  }
  if (status !== undefined) {
    checks.status = checkStatus(primitives, receipt, status, { keys, now: options.statusAt ?? now });
    if (checks.status !== 'ok') problems.push(`status: ${STATUS_CHECKS[checks.status]}`);
  }
  if (revocations !== undefined) {
    checks.revocation = checkRevocations(revocations, receipt.receipt_id, now, clock);
    if (checks.revocation !== 'ok') problems.push(`revocations: ${REVOCATION_CHECKS[checks.revocation]}`);
    if (checks.revocation === 'predecessor') problems.push(...(revocations.unread ?? []));
  }
  if (cosignatures !== undefined) {
    checks.quorum = worstQuorum(cosignatures);
    for (const one of cosignatures)
      if (!isMet(one.check)) problems.push(`quorum: ${describeCosignatures(one)}`);
  }
  const authentic = checks.hash === 'ok' && signature === 'ok' && key === 'trusted';
  return {
    verdict: firstOf(receipt, checks, now, ahead !== null),
    authentic,
    revocation: revocationOf(receipt, checks),
    checks,
    problems,
    ...(contradicted !== null && { notes: [`tree_size_contradicted: ${contradicted}`] }),
    kid,
    ...(inclusion && { position: inclusion.position }),
    ...(cosignatures && { cosignatures }),
    trees: [inclusion?.tree, revocations?.tree].filter((tree) => tree != null),
  };
}

/**
 * Returns the tree of a proof with its times; the cosignatures, if there are any, are those of the proof.
 * When a quorum attests that the tree was there, what the log's own key says of that does not count: whoever
 * stole it could date it.
 */
function treeOf(
  { tree, position }: InclusionCheck,
  asked: WitnessPolicy | undefined,
  ofProof: Cosignatures | undefined,
): DatedTree | null {
  if (tree === null || tree.tree_size === null || position === null) return null;
  const signed = tree.signed_at === null ? null : Date.parse(tree.signed_at);
  const attested = asked === undefined || ofProof === undefined ? null : attestedBy(asked.policy, ofProof);
  return { size: tree.tree_size, signed, earliest: attested ?? signed };
}

/** The checks that can be requested, of a receipt or of what has one. */
interface Asked {
  verdict: Verdict;
  checks: {
    domain?: string | undefined;
    proof?: string | undefined;
    status?: string | undefined;
    revocation?: string | undefined;
    quorum?: QuorumCheck | undefined;
  };
}

/** Returns whether a receipt is valid and every other requested check is ok. */
export function isAsAsked({ verdict, checks }: Asked): boolean {
  const { domain = 'ok', proof = 'ok', status = 'ok', revocation = 'ok', quorum = 'ok' } = checks;
  const isRestOk = [domain, proof, status, revocation].every((check) => check === 'ok');
  return verdict === 'valid' && isRestOk && isMet(quorum);
}

/**
 * Verifies a receipt in the bytes of a file. Bytes that are not UTF-8, and a byte order mark (RFC 8259, 8.1),
 * make it malformed.
 */
export function judgeBytes(
  primitives: Primitives,
  bytes: Uint8Array,
  options: VerdictOptions,
): VerdictResult {
  return judgeRead(primitives, () => parseJsonBytes(bytes), options);
}

/** Verifies a receipt in JSON text. Text that breaks a rule of `parseJson` is malformed. */
export function judgeText(primitives: Primitives, text: string, options: VerdictOptions): VerdictResult {
  return judgeRead(primitives, () => parseJson(text), options);
}

function judgeRead(primitives: Primitives, read: () => JsonValue, options: VerdictOptions): VerdictResult {
  let document: JsonValue;
  try {
    document = read();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return malformed([error.message], options);
  }
  return judge(primitives, document, options);
}

/**
 * Describes a verdict in English. It says "not revoked" only if that was checked.
 * @param hint what checks revocation, in parentheses after a space
 */
export function describeVerdict(
  { verdict, revocation }: Pick<VerdictResult, 'verdict' | 'revocation'>,
  hint = '',
): string {
  if (verdict !== 'valid') return VERDICTS[verdict];
  return revocation === 'ok'
    ? 'The receipt is authentic, unchanged, not revoked and not expired.'
    : `${VERDICTS.valid} Revocation was not checked${hint}.`;
}

function malformed(problems: string[], asked: Omit<VerdictOptions, 'keys' | 'now'>): VerdictResult {
  const checks: VerdictResult['checks'] = { hash: 'unchecked', signature: 'unchecked', key: 'unchecked' };
  if (asked.domain !== undefined) checks.domain = 'unchecked';
  if (asked.proof !== undefined) checks.proof = 'unchecked';
  if (asked.status !== undefined) checks.status = 'unchecked';
  if (asked.revocations !== undefined) checks.revocation = 'unchecked';
  if (asked.policy !== undefined) checks.quorum = 'unchecked';
  return {
    verdict: 'malformed',
    authentic: false,
    revocation: 'not_checked',
    checks,
    problems,
    kid: null,
    trees: [],
  };
}

/**
 * A log of revocations counts only with the quorum, if there is a policy: else it may be shown to nobody
 * else.
 */
function revocationOf(
  { revocation_status }: Receipt,
  { status, revocation, quorum = 'ok' }: VerdictResult['checks'],
): RevocationVerdict {
  if ([revocation_status, status, revocation].includes('revoked')) return 'revoked';
  return status === 'ok' || (revocation === 'ok' && isMet(quorum)) ? 'ok' : 'not_checked';
}

function firstOf(receipt: Receipt, checks: VerdictResult['checks'], now: number, isAhead: boolean): Verdict {
  if (revocationOf(receipt, checks) === 'revoked') return 'revoked';
  if (!isAfter(receipt.expiry, now)) return 'expired';
  if (checks.hash !== 'ok') return 'hash_mismatch';
  if (checks.key === 'unknown') return 'key_unknown';
  if (checks.signature !== 'ok') return 'bad_signature';
  if (checks.key === 'retired') return 'key_retired';
  if (checks.key === 'compromised') return 'key_compromised';
  return isAhead ? 'future' : 'valid';
}

function isAfter(timestamp: string, now: number): boolean {
  const at = parseTimestamp(timestamp);
  return at !== null && at > now;
}

/** Compares the content with content_hash, and the salt of a blind receipt, which nothing signs, with it. */
export function checkHash(primitives: Primitives, receipt: Receipt): 'ok' | 'mismatch' {
  const matches = contentHash(primitives, receipt) === receipt.content_hash;
  return matches && saltOpensSomeDomain(primitives, receipt) ? 'ok' : 'mismatch';
}

/**
 * Returns whether the salt fits the signed commitment for one of the four domains. The salt is not signed; a
 * changed one fits none.
 */
function saltOpensSomeDomain(primitives: Primitives, receipt: Receipt): boolean {
  return (
    typeof receipt.blind_salt !== 'string' ||
    DOMAINS.some((domain) => checkDomain(primitives, receipt, domain) === 'ok')
  );
}

function checkDomain(
  primitives: Primitives,
  receipt: Receipt,
  domain: string,
): 'ok' | 'mismatch' | 'unchecked' {
  const { domain_commitment, blind_salt } = receipt;
  if (domain_commitment === undefined) return receipt.domain === domain ? 'ok' : 'mismatch';
  if (typeof blind_salt !== 'string') return 'unchecked';
  return domainCommitment(primitives, domain, blind_salt) === domain_commitment ? 'ok' : 'mismatch';
}
