import { DocumentReader } from '../document/document-reader.ts';
import { did, hex, thumbprint, time } from '../document/forms.ts';
import type { JsonValue } from '../encoding/json.ts';
import type { SignedType } from '../keys/signed-types.ts';
import { otherIssuer, type TrustedIssuer } from '../keys/trusted-issuer.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import { aheadOf } from '../log/misdated.ts';
import type { Primitives } from '../primitives.ts';
import { clusterId } from './shape.ts';
import {
  checkKey,
  issuerProblems,
  type KeyChecks,
  namedKeys,
  openDocument,
  type SignedDocument,
  signedProblems,
} from './signed-document.ts';

export const SCORECARD_TYPE = 'datacenter-scorecard' satisfies SignedType;

/** The verdicts on a scorecard with their descriptions. The first one that applies is the result. */
export const SCORECARD_VERDICTS = {
  malformed: 'This is not a well-formed scorecard.',
  hash_mismatch:
    'The scorecard was changed after it was signed: its content does not match its content_hash.',
  key_unknown: 'The key that signed the scorecard is not among the trusted keys for credentials.',
  bad_signature: 'The scorecard was changed after it was signed, or the trusted key did not sign it.',
  key_compromised: 'The key that signed the scorecard has been reported as compromised.',
  key_retired: 'The scorecard is dated after the key that signed it was retired.',
  issuer_unknown: 'The scorecard names another issuer than the trusted one.',
  future: 'The scorecard is dated more than 60 s after the clock of this machine.',
  inconsistent: 'The scorecard names another issuer than the key that signed it.',
  valid: 'The scorecard is authentic and unchanged.',
} as const;

type ScorecardVerdict = keyof typeof SCORECARD_VERDICTS;

/** What a scorecard is about. */
interface ScorecardFacts {
  cluster_id: string;
  period: { from: string; to: string };
  generated_at: string;
  issuer: string;
}

export interface ScorecardResult {
  verdict: ScorecardVerdict;
  /** True if the scorecard is unchanged and signed by a trusted key. */
  authentic: boolean;
  checks: KeyChecks & {
    /** Compares the content with content_hash; only of a scorecard of an earlier version, which has it. */
    hash?: 'ok' | 'mismatch';
    /** Only if the scorecard names another issuer than the trusted one. */
    issuer?: 'unknown';
    /** Whether the scorecard is not dated in the future. */
    date: 'ok' | 'future' | 'unchecked';
    /** Whether an issuer that is a did:key is the key that signed. */
    consistency: 'ok' | 'bad' | 'unchecked';
  };
  /** One sentence for each problem. */
  problems: string[];
  /** The key that the scorecard names; null for a malformed one. */
  kid: string | null;
  /** Null unless the scorecard is authentic. */
  scorecard: ScorecardFacts | null;
}

type Read = ScorecardFacts & SignedDocument;

/**
 * Verifies the scorecard of a cluster offline. Its metrics are what the service computed: no verification
 * repeats them. Bytes that are not JSON are malformed. Never throws for any document or key.
 *
 * @param options.keys the keys that the verifier trusts @param options.now Unix time in milliseconds
 * @param options.issuer the only issuer that counts; null for every issuer of a trusted key
 */
export function judgeScorecard(
  primitives: Primitives,
  bytes: Uint8Array,
  {
    keys,
    now,
    issuer: trusted,
  }: { keys: readonly TrustedKey[]; now: number; issuer?: TrustedIssuer | null | undefined },
): ScorecardResult {
  const opened = openDocument(primitives, bytes, readScorecard);
  if ('problems' in opened) return malformed(opened.problems);
  const { read, content } = opened;
  const { digest, ...hash } = content;
  const named = namedKeys(keys, read);
  const contradictions = issuerProblems(read, named);
  const wrongIssuer = otherIssuer(read.issuer, trusted);
  const ahead = aheadOf('generated_at is', Date.parse(read.generated_at), now);
  const checks: ScorecardResult['checks'] = {
    ...hash,
    ...checkKey(primitives, { ...read, digest }, named),
    ...(wrongIssuer !== null && { issuer: 'unknown' }),
    date: ahead === null ? 'ok' : 'future',
    consistency: contradictions.length === 0 ? 'ok' : 'bad',
  };
  const isSigned = checks.hash !== 'mismatch' && checks.signature === 'ok' && checks.key === 'trusted';
  const authentic = isSigned && wrongIssuer === null;
  const { cluster_id, period, generated_at, issuer } = read;
  return {
    verdict: firstOf(checks),
    authentic,
    checks,
    problems: [
      ...signedProblems(checks),
      ...(wrongIssuer === null ? [] : [wrongIssuer]),
      ...(ahead === null ? [] : [ahead]),
      ...contradictions,
    ],
    kid: read.kid,
    scorecard: authentic ? { cluster_id, period, generated_at, issuer } : null,
  };
}

/** Reads the members that a verifier uses. The others are signed too. */
function readScorecard(document: JsonValue): { read: Read } | { problems: string[] } {
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  value.member('type').only(SCORECARD_TYPE);
  value.member('v').only(1);
  const cluster_id = value.member('cluster_id').text(clusterId);
  value.member('id').only(`urn:countersign:cluster:${cluster_id}`);
  const period = value.member('period').object();
  const from = period.member('from').text(time);
  const to = period.member('to').text(time);
  const read = {
    cluster_id,
    period: { from, to },
    issuer: value.member('issuer').text(did),
    generated_at: value.member('generated_at').text(time),
    signature: value.member('signature').text(hex(64)),
    kid: value.member('kid').text(thumbprint),
  };
  return problems.length === 0 ? { read } : { problems };
}

function malformed(problems: string[]): ScorecardResult {
  const checks: ScorecardResult['checks'] = {
    signature: 'unchecked',
    key: 'unchecked',
    date: 'unchecked',
    consistency: 'unchecked',
  };
  return { verdict: 'malformed', authentic: false, checks, problems, kid: null, scorecard: null };
}

function firstOf(checks: ScorecardResult['checks']): ScorecardVerdict {
  if (checks.hash === 'mismatch') return 'hash_mismatch';
  if (checks.key === 'unknown') return 'key_unknown';
  if (checks.signature !== 'ok') return 'bad_signature';
  if (checks.key === 'compromised') return 'key_compromised';
  if (checks.key === 'retired') return 'key_retired';
  if (checks.issuer === 'unknown') return 'issuer_unknown';
  if (checks.date !== 'ok') return 'future';
  return checks.consistency === 'ok' ? 'valid' : 'inconsistent';
}
