import { verifyStrict } from './ed25519.ts';
import { hexToBytes } from './hex.ts';
import { JsonError, type JsonValue, parseJson } from './json.ts';
import type { Primitives } from './primitives.ts';
import { contentHash, domainCommitment, type Receipt, signingMessage } from './receipt.ts';
import { isReceipt, receiptProblems } from './receipt-shape.ts';
import { parseTimestamp } from './timestamp.ts';
import type { TrustedKey } from './trusted-keys.ts';

/** Every verdict, in the order in which the first that applies is given, and the sentence for people. */
export const VERDICTS = {
  malformed: 'This is not a well-formed receipt.',
  revoked: 'The receipt has been revoked.',
  expired: 'The receipt has expired.',
  hash_mismatch: 'The receipt was changed after it was signed: its content_hash does not match its content.',
  key_unknown: 'The receipt was signed by a key that is not among the trusted keys.',
  bad_signature: 'The signature is not one that the trusted key made.',
  key_retired: 'The receipt is dated after its key was retired.',
  key_compromised: 'The receipt was signed by a key that has been reported as compromised.',
  valid: 'The receipt is authentic, unchanged, not revoked and not expired.',
} as const;

export type Verdict = keyof typeof VERDICTS;

export interface VerdictResult {
  verdict: Verdict;
  /** Unchanged and signed by a trusted key; says nothing of revocation and expiry. */
  authentic: boolean;
  checks: {
    hash: 'ok' | 'mismatch' | 'unchecked';
    signature: 'ok' | 'bad' | 'unchecked';
    key: 'trusted' | 'unknown' | 'retired' | 'compromised' | 'unchecked';
    /** Only when a domain was asked for; `unchecked` for a blind receipt whose salt is not there. */
    domain?: 'ok' | 'mismatch' | 'unchecked';
  };
  /** The trusted key that made the signature, or else the one that the receipt names. */
  kid: string | null;
  /** What is malformed, one sentence each. */
  problems: string[];
}

export interface VerdictOptions {
  /** Keys that the reader trusts. They are never taken from the document that is judged. */
  keys: readonly TrustedKey[];
  /** Milliseconds since 1970, against which expiry is judged. */
  now: number;
  /** An operational domain that the receipt is asked to be of. */
  domain?: string | undefined;
}

/**
 * Judges a receipt offline by the specification's section 2.3. All checks always run; the verdict is the first of
 * `VERDICTS` that applies.
 */
export function judge(primitives: Primitives, document: JsonValue, options: VerdictOptions): VerdictResult {
  return isReceipt(document)
    ? judgeReceipt(primitives, document, options)
    : malformed(receiptProblems(document));
}

/** Judges a receipt in JSON text; text that is no JSON, or names a member twice, is malformed. */
export function judgeText(primitives: Primitives, text: string, options: VerdictOptions): VerdictResult {
  let document: JsonValue;
  try {
    document = parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return malformed([error.message]);
    throw error;
  }
  return judge(primitives, document, options);
}

function malformed(problems: string[]): VerdictResult {
  const checks = { hash: 'unchecked', signature: 'unchecked', key: 'unchecked' } as const;
  return { verdict: 'malformed', authentic: false, checks, kid: null, problems };
}

function judgeReceipt(primitives: Primitives, receipt: Receipt, options: VerdictOptions): VerdictResult {
  const hash = contentHash(primitives, receipt) === receipt.content_hash ? 'ok' : 'mismatch';
  const candidates = options.keys.filter(
    (key) => key.purpose === 'receipts' && (receipt.kid === undefined || key.kid === receipt.kid),
  );
  const signer = candidates.find((key) => signed(primitives, receipt, key));
  const signature = signer !== undefined ? 'ok' : candidates.length > 0 ? 'bad' : 'unchecked';
  const judgedKey = signer ?? candidates[0];
  const key = judgedKey === undefined ? 'unknown' : keyStanding(judgedKey, receipt);
  const checks: VerdictResult['checks'] = { hash, signature, key };
  if (options.domain !== undefined) checks.domain = domainStanding(primitives, receipt, options.domain);
  return {
    verdict: firstOf(receipt, checks, options.now),
    authentic: hash === 'ok' && signature === 'ok' && key === 'trusted',
    checks,
    kid: signer?.kid ?? receipt.kid ?? null,
    problems: [],
  };
}

function firstOf(receipt: Receipt, checks: VerdictResult['checks'], now: number): Verdict {
  if (receipt.revocation_status === 'revoked') return 'revoked';
  if ((parseTimestamp(receipt.expiry) ?? 0) <= now) return 'expired';
  if (checks.hash !== 'ok') return 'hash_mismatch';
  if (checks.key === 'unknown') return 'key_unknown';
  if (checks.signature !== 'ok') return 'bad_signature';
  if (checks.key === 'retired') return 'key_retired';
  if (checks.key === 'compromised') return 'key_compromised';
  return 'valid';
}

function signed(primitives: Primitives, receipt: Receipt, key: TrustedKey): boolean {
  return verifyStrict(
    primitives,
    hexToBytes(receipt.signature),
    signingMessage(receipt.content_hash),
    hexToBytes(key.public_key),
  );
}

/** Without a proof from the log only the dates tell; a date before valid_from is no fault. */
function keyStanding(key: TrustedKey, receipt: Receipt): 'trusted' | 'retired' | 'compromised' {
  if (key.status === 'compromised') return 'compromised';
  const end = key.valid_until === null ? null : parseTimestamp(key.valid_until);
  const issued = parseTimestamp(receipt.issued_at);
  return end !== null && issued !== null && issued > end ? 'retired' : 'trusted';
}

function domainStanding(
  primitives: Primitives,
  receipt: Receipt,
  domain: string,
): 'ok' | 'mismatch' | 'unchecked' {
  if (receipt.domain_commitment === undefined) return receipt.domain === domain ? 'ok' : 'mismatch';
  if (receipt.blind_salt === undefined) return 'unchecked';
  return domainCommitment(primitives, domain, receipt.blind_salt) === receipt.domain_commitment
    ? 'ok'
    : 'mismatch';
}
