import { readBundledProof } from '../bundle/bundled-proof.ts';
import { DocumentReader, type TextForm } from '../document/document-reader.ts';
import { decodeBase64 } from '../encoding/base64.ts';
import { hexToBytes, isHex } from '../encoding/hex.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { isDate, readAnyAccountsEntry } from '../log/journal-heads-entry.ts';
import { isLogVerdict, LOG_VERDICTS } from '../log/log-keys.ts';
import { isOriginOf } from '../log/log-names.ts';
import type { LogProof } from '../log/log-proof.ts';
import { HASH_BYTES, verifyInclusion } from '../log/merkle.ts';
import { isMet } from '../log/quorum.ts';
import { judgeLogProof, type ProofOptions, type ProofResult } from '../log-documents/proof-verdict.ts';
import type { Primitives } from '../primitives.ts';
import { OPERATOR_ID } from '../receipt/receipt-shape.ts';
import { HEAD_PROOF_TYPE } from './head-proof.ts';
import { type JournalHead, journalHeadHash } from './journal-head.ts';

/** The verdicts on a proof of a journal's head. The first one that applies is the result. */
export const HEAD_PROOF_VERDICTS = {
  malformed: 'This is not a well-formed proof of the head of a journal.',
  not_proven: 'It has no proof that the log of accounts has the root of the heads.',
  bad_proof: 'The proof does not show that the log of accounts has an entry.',
  ...LOG_VERDICTS,
  misdated: 'The log of accounts has the entry, but its day ended more than 60 s after the checkpoint.',
  future: 'The checkpoint or the end of the day is more than 60 s after the clock of this machine.',
  mismatch: 'The log of accounts has no heads of this day with this head.',
  journal_cut:
    'The journal does not have this head: entries were removed, changed or replaced, or it is not the whole journal of the account.',
  valid: 'The log of accounts has this head of the journal.',
} as const;

export type HeadProofVerdict = keyof typeof HEAD_PROOF_VERDICTS;

/** What a journal says of a head. */
export interface JournalCheck {
  check: 'ok' | 'missing' | 'bad';
  problems: readonly string[];
}

export interface HeadProofResult {
  verdict: HeadProofVerdict;
  checks: {
    /** Whether the tree of the day has the head. */
    head: 'ok' | 'mismatch' | 'unchecked';
    /** Whether the log of accounts has the root of the day; `missing` if there is no proof. */
    proof: 'ok' | 'bad' | 'missing' | 'mismatch' | 'misdated' | 'future' | 'unchecked' | string;
    /** Only with a journal: whether it has the head. */
    journal?: 'ok' | 'missing' | 'bad' | 'unchecked';
    /** Only with a policy. */
    quorum?: ProofResult['checks']['quorum'];
  };
  problems: string[];
  /** The head and its day; null unless the log has them. */
  head: (JournalHead & { date: string }) | null;
  trees: ProofResult['trees'];
  /** Only with a policy. */
  cosignatures?: ProofResult['cosignatures'];
}

interface HeadProof {
  date: string;
  leaf: JournalHead & { salt: string };
  index: number;
  path: Uint8Array[];
  proof: LogProof | null;
}

const MEMBERS = ['type', 'date', 'leaf', 'leaf_index', 'hashes', 'proof'];
const LEAF_MEMBERS = ['account', 'entries', 'head', 'salt', 'v'];
/** A path of a tree with at most 2^63 leaves has no more. */
const HASHES_MAX = 63;

const hexOf = (bytes: number): TextForm => ({
  fits: (text) => isHex(text, bytes),
  words: `${2 * bytes} lower-case hexadecimal characters`,
});
const DATE = { fits: isDate, words: 'a date' };
const ACCOUNT = {
  fits: (text: string) => isHex(text, 32) || OPERATOR_ID.test(text),
  words: 'a subject commitment or an operator id',
};

/** Returns whether an object is a proof of a journal's head, whatever its form. */
export function isHeadProof(object: JsonObject): boolean {
  return Object.hasOwn(object, 'type') && object.type === HEAD_PROOF_TYPE;
}

/** Returns the note of the checkpoint in a proof of a head; null for none. */
export function noteInHeadProof(primitives: Primitives, document: JsonValue): string | null {
  const read = readHeadProof(primitives, document);
  return 'proven' in read ? (read.proven.proof?.checkpoint ?? null) : null;
}

/**
 * Verifies a proof of the head of a journal offline: that the tree of the day has the head, and that the log
 * of accounts has the root of the tree. Never throws for any document.
 * @param journalOf returns what a downloaded journal says of the head; null without a journal
 */
export function judgeHeadProof(
  primitives: Primitives,
  document: JsonValue,
  options: ProofOptions,
  journalOf: ((head: JournalHead) => JournalCheck) | null = null,
): HeadProofResult {
  const read = readHeadProof(primitives, document);
  if ('problems' in read) return unread(read.problems, options, journalOf !== null);
  const { date, leaf, index, path, proof } = read.proven;
  const { salt, ...head } = leaf;
  const result = proof === null ? null : judgeLogProof(primitives, proof, options);
  const logged = loggedHeads(result);
  const isOwn =
    logged.heads !== null &&
    logged.heads.date === date &&
    verifyInclusion(primitives, {
      leaf: journalHeadHash(primitives, head, salt),
      index,
      size: logged.heads.accounts,
      path,
      root: hexToBytes(logged.heads.root),
    });
  const journal = journalOf === null ? null : journalOf(head);
  const checks: HeadProofResult['checks'] = {
    head: logged.heads === null ? 'unchecked' : isOwn ? 'ok' : 'mismatch',
    proof: logged.check,
    ...(journal !== null && { journal: journal.check }),
    ...(options.policy !== undefined && { quorum: result?.checks.quorum ?? 'unchecked' }),
  };
  const verdict = firstOf(checks);
  return {
    verdict,
    checks,
    problems: [
      ...logged.problems,
      ...(checks.head === 'mismatch'
        ? [`the root of the heads of ${logged.heads?.date} does not have this head of ${date}`]
        : []),
      ...(journal?.problems ?? []),
    ],
    head: verdict === 'valid' || verdict === 'journal_cut' ? { ...head, date } : null,
    trees: result?.trees ?? [],
    ...(result?.cosignatures && { cosignatures: result.cosignatures }),
  };
}

/** Returns whether a proof is valid and its cosignatures meet the policy, if there is one. */
export function isHeadProofAsAsked({ verdict, checks: { quorum = 'ok' } }: HeadProofResult): boolean {
  return verdict === 'valid' && isMet(quorum);
}

/** Returns the heads that the log of accounts has by a proof. */
function loggedHeads(result: ProofResult | null) {
  if (result === null)
    return {
      check: 'missing',
      heads: null,
      problems: ['proof: there is none yet: get it again after a second'],
    };
  const problems = result.problems.map((problem) => `proof: ${problem}`);
  const { proven = null, verdict } = result;
  const [tree] = result.trees;
  if (tree !== undefined && !isOriginOf(tree.log, 'accounts'))
    return {
      check: 'bad',
      heads: null,
      problems: [...problems, `proof: ${tree.log} is not a log of accounts`],
    };
  if (isLogVerdict(verdict) || verdict === 'misdated' || verdict === 'future')
    return { check: verdict, heads: null, problems };
  if (verdict !== 'valid' || proven === null) return { check: 'bad', heads: null, problems };
  const entry = readAnyAccountsEntry(proven.entry);
  if ('heads' in entry) return { check: 'ok', heads: entry.heads, problems };
  return {
    check: 'mismatch',
    heads: null,
    problems: [...problems, 'proof: the entry is not of heads of journals'],
  };
}

function firstOf({ head, proof, journal = 'ok' }: HeadProofResult['checks']): HeadProofVerdict {
  if (proof === 'missing') return 'not_proven';
  if (proof === 'mismatch' || proof === 'misdated' || proof === 'future' || isLogVerdict(proof)) return proof;
  if (proof !== 'ok') return 'bad_proof';
  if (head !== 'ok') return 'mismatch';
  return journal === 'ok' ? 'valid' : 'journal_cut';
}

/** Reads a proof. Nothing signs it, so it has no other members. @returns the problems of anything else */
function readHeadProof(
  primitives: Primitives,
  document: JsonValue,
): { proven: HeadProof } | { problems: string[] } {
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  const only = (reader: DocumentReader, name: string, members: readonly string[]): void => {
    if (reader.members().some(([member]) => !members.includes(member)))
      problems.push(`${name} has other members than ${members.join(', ')}`);
  };
  value.member('type').only(HEAD_PROOF_TYPE);
  only(value, 'the proof', MEMBERS);
  const leaf = value.member('leaf');
  only(leaf, 'leaf', LEAF_MEMBERS);
  leaf.member('v').only(1);
  const entries = leaf.member('entries').count();
  if (entries === 0) problems.push('leaf.entries is 0');
  const path = value
    .member('hashes')
    .items(HASHES_MAX)
    .flatMap((item) => {
      const hash = decodeBase64(item.text({ fits: isHash, words: 'base64 of 32 bytes' }));
      return hash === null ? [] : [hash];
    });
  if (!value.member('proof').isPresent()) problems.push('proof is missing');
  const proof = value
    .member('proof')
    .nullable((one) =>
      one.isPresent() ? readBundledProof(primitives, one.value(), 'proof', problems) : null,
    );
  const read = {
    date: value.member('date').text(DATE),
    leaf: {
      account: leaf.member('account').text(ACCOUNT),
      entries,
      head: leaf.member('head').text(hexOf(HASH_BYTES)),
      salt: leaf.member('salt').text(hexOf(16)),
    },
    index: value.member('leaf_index').count(),
    path,
    proof,
  };
  return problems.length === 0 ? { proven: read } : { problems };
}

const isHash = (text: string): boolean => decodeBase64(text)?.length === HASH_BYTES;

function unread(problems: string[], { policy }: ProofOptions, hasJournal: boolean): HeadProofResult {
  return {
    verdict: 'malformed',
    checks: {
      head: 'unchecked',
      proof: 'unchecked',
      ...(hasJournal && { journal: 'unchecked' as const }),
      ...(policy !== undefined && { quorum: 'unchecked' as const }),
    },
    problems,
    head: null,
    trees: [],
  };
}
