import { DocumentReader } from '../document/document-reader.ts';
import { hex, thumbprint } from '../document/forms.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { AHEAD_MS } from '../encoding/timestamp.ts';
import { signedObjectDigest } from '../keys/signed-object.ts';
import { otherIssuer, type TrustedIssuer } from '../keys/trusted-issuer.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import {
  checkKey,
  contentOf,
  issuerProblems,
  type KeyChecks,
  namedKeys,
  openDocument,
  type SignedContent,
} from '../package/signed-document.ts';
import type { Primitives } from '../primitives.ts';
import type { StatementFacts, StatementKind } from './statement.ts';

/** The verdicts on a statement with their descriptions. The first one that applies is the result. */
export const STATEMENT_VERDICTS = {
  malformed: 'This is not well-formed.',
  hash_mismatch: 'It was changed after it was signed: its content does not match its content_hash.',
  key_unknown: 'The key that signed it is not among the trusted keys for credentials.',
  bad_signature: 'It was changed after it was signed, or the trusted key did not sign it.',
  key_compromised: 'The key that signed it has been reported as compromised.',
  key_retired: 'It is dated after the key that signed it was retired.',
  issuer_unknown: 'It names another issuer than the trusted one.',
  inconsistent: 'It contradicts itself.',
  revoked: 'It is authentic, and says that its subject has been revoked.',
  future: 'It is dated more than 60 s after the clock of this machine.',
  misdated: 'It says that it is valid for longer than the service lets it be.',
  expired: 'It is no longer valid: get a new one.',
  denied: 'It is authentic, and denies what was asked.',
  valid: 'It is authentic, unchanged and not expired.',
} as const;

export type StatementVerdict = keyof typeof STATEMENT_VERDICTS;

export interface StatementResult {
  verdict: StatementVerdict;
  /** True if the statement is unchanged and signed by a trusted key. */
  authentic: boolean;
  checks: KeyChecks & {
    /** Compares the content with content_hash, which only meter receipts of earlier versions have. */
    hash?: 'ok' | 'mismatch';
    /** Only if it names another issuer than the trusted one. */
    issuer?: 'unknown';
    consistency: 'ok' | 'bad' | 'unchecked';
    /** Whether the service stands for the subject. */
    subject: StatementFacts['subject'] | 'unchecked';
    date: 'ok' | 'future' | 'misdated' | 'expired' | 'unchecked';
  };
  /** One sentence for each problem. */
  problems: string[];
  /** The key that the statement names; null for a malformed one. */
  kid: string | null;
  /** What an authentic statement says; null for any other. */
  statement: {
    type: string;
    about: StatementFacts['about'];
    dated: string;
    valid_until: string | null;
  } | null;
}

interface Read extends StatementFacts {
  signature: string;
  kid: string;
}

/** What a verifier of statements goes by. */
export interface StatementOptions {
  keys: readonly TrustedKey[];
  /** The only issuer that counts; absent or null for every issuer of a trusted key. */
  issuer?: TrustedIssuer | null | undefined;
  /** The time at which the statement must be valid, in milliseconds since 1970. */
  at: number;
  /** The time after which no statement can be dated; the present, if `at` is in the past. */
  now: number;
}

/**
 * Verifies a statement of one kind. Bytes that are not JSON are malformed. Never throws for any document or
 * key.
 */
export function judgeStatement(
  primitives: Primitives,
  kind: StatementKind,
  bytes: Uint8Array,
  { keys, at, now, issuer }: StatementOptions,
): StatementResult {
  const opened = openDocument(
    primitives,
    bytes,
    (document) => readStatement(primitives, kind, document),
    kind.hadContentHash ? contentOf : allContent,
  );
  if ('problems' in opened) return malformed(opened.problems);
  const { read, content } = opened;
  const { digest, ...hash } = content;
  const named = namedKeys(keys, read);
  const { signature, dated } = read;
  const contradictions = [
    ...read.contradictions,
    ...(read.issuer === null ? [] : issuerProblems({ issuer: read.issuer }, named)),
  ];
  const wrongIssuer = read.issuer === null ? null : otherIssuer(read.issuer, issuer);
  const checks: StatementResult['checks'] = {
    ...hash,
    ...checkKey(primitives, { digest, signature, generated_at: dated }, named),
    ...(wrongIssuer !== null && { issuer: 'unknown' }),
    consistency: contradictions.length === 0 ? 'ok' : 'bad',
    subject: read.subject,
    date: dateOf(kind, read, at, now),
  };
  const isSigned = checks.hash !== 'mismatch' && checks.signature === 'ok' && checks.key === 'trusted';
  const authentic = isSigned && wrongIssuer === null;
  return {
    verdict: firstOf(checks),
    authentic,
    checks,
    problems: [
      ...problemsOf(checks, read),
      ...(wrongIssuer === null ? [] : [wrongIssuer]),
      ...contradictions,
    ],
    kid: read.kid,
    statement: authentic ? { type: kind.type, about: read.about, dated, valid_until: read.until } : null,
  };
}

/** Returns the content of a statement that never had a content_hash of its own. @throws CanonicalJsonError */
function allContent(primitives: Primitives, document: JsonObject): SignedContent {
  return { digest: signedObjectDigest(primitives, document) };
}

function readStatement(
  primitives: Primitives,
  kind: StatementKind,
  document: JsonValue,
): { read: Read } | { problems: string[] } {
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  value.member('type').only(kind.type);
  const read: Read = {
    ...kind.read(value, primitives),
    signature: value.member('signature').text(hex(64)),
    kid: value.member('kid').text(thumbprint),
  };
  return problems.length === 0 ? { read } : { problems };
}

/** Negated comparisons, so that NaN from an invalid clock refuses. */
function dateOf(
  { lifetimeMs }: StatementKind,
  { dated, until }: StatementFacts,
  at: number,
  now: number,
): 'ok' | 'future' | 'misdated' | 'expired' {
  if (!(Date.parse(dated) <= now + AHEAD_MS)) return 'future';
  const lifetime = until === null ? 0 : Date.parse(until) - Date.parse(dated);
  if (lifetimeMs !== null && lifetime > lifetimeMs + AHEAD_MS) return 'misdated';
  return until === null || at <= Date.parse(until) ? 'ok' : 'expired';
}

function problemsOf(
  { hash, signature, key, date, subject }: StatementResult['checks'],
  read: Read,
): string[] {
  return [
    ...(hash === 'mismatch' ? ['content_hash is not that of the content'] : []),
    ...(signature === 'bad' ? ['signature is not by the key that kid names over this content'] : []),
    ...(key === 'unknown' ? ['kid names none of the trusted keys for credentials'] : []),
    ...(key === 'compromised' ? ['kid names a key that has been reported as compromised'] : []),
    ...(key === 'retired' ? [`kid names a key that had ended at ${read.dated}`] : []),
    ...(subject === 'revoked' ? ['it says that its subject has been revoked'] : []),
    ...(date === 'future'
      ? [`its date is ${read.dated}, more than 60 s after the clock of this machine`]
      : []),
    ...(date === 'misdated'
      ? [`valid_until is ${read.until}, longer after ${read.dated} than the service lets it be`]
      : []),
    ...(date === 'expired' ? [`valid_until is ${read.until}, which has passed`] : []),
    ...(subject === 'denied' ? ['it denies what was asked'] : []),
  ];
}

function malformed(problems: string[]): StatementResult {
  const checks: StatementResult['checks'] = {
    signature: 'unchecked',
    key: 'unchecked',
    consistency: 'unchecked',
    subject: 'unchecked',
    date: 'unchecked',
  };
  return { verdict: 'malformed', authentic: false, checks, problems, kid: null, statement: null };
}

function firstOf({
  hash,
  signature,
  key,
  issuer,
  consistency,
  subject,
  date,
}: StatementResult['checks']): StatementVerdict {
  if (hash === 'mismatch') return 'hash_mismatch';
  if (key === 'unknown') return 'key_unknown';
  if (signature !== 'ok') return 'bad_signature';
  if (key === 'compromised') return 'key_compromised';
  if (key === 'retired') return 'key_retired';
  if (issuer === 'unknown') return 'issuer_unknown';
  if (consistency !== 'ok') return 'inconsistent';
  if (subject === 'revoked') return 'revoked';
  if (date === 'future' || date === 'misdated' || date === 'expired') return date;
  return subject === 'denied' ? 'denied' : 'valid';
}
