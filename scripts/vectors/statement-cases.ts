import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { signedObjectDigest } from '../../src/proof/keys/signed-object.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { packageKeys } from '../../test/support/compliance-package.ts';
import {
  beyondOrder,
  NEUTRAL,
  NEUTRAL_BEYOND_PRIME,
  signedWithNeutral,
} from '../../test/support/lax-signatures.ts';
import { signedStatement } from '../../test/support/signed-statement.ts';
import { testKey } from '../../test/support/small-log.ts';

/** A document with a change, and what a verifier must say of it. */
export interface StatementCase {
  name: string;
  /** The genuine document, without its ending. */
  file: string;
  document: JsonObject;
  keys?: JsonObject;
  at: string;
  verdict: string;
  problem: string | null;
}

export type Place = (string | number)[];
type Change = [
  name: string,
  place: Place,
  to: JsonValue | undefined,
  verdict: string,
  problem: string | null,
];

const CREDENTIALS = testKey(3);
const RECEIPTS = testKey(1);

export const later = (time: JsonValue | undefined, ms: number): string =>
  new Date(Date.parse(String(time)) + ms).toISOString();

/** Returns the keys with the one for credentials changed. */
export function keysWith(change: JsonObject): JsonObject {
  const rows: JsonObject[] = JSON.parse(JSON.stringify(packageKeys.keys));
  const keys = rows.map((row) => (row.purpose === 'credentials' ? { ...row, ...change } : row));
  return { ...packageKeys, keys };
}

/** Returns agents of a leaderboard by their ranks, the bytes of their commitments and their items of evidence. */
const ranked = (...agents: readonly [rank: number, byte: string, evidence: number][]): JsonObject[] =>
  agents.map(([rank, byte, evidence_count]) => ({
    ...{ rank, subject_commitment: byte.repeat(32), evidence_count, score: 1 },
  }));

/** The longest time that a statement of a kind is valid, in milliseconds, where there is one. */
const LIFETIMES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['receipt-status', 'gate-decision', 'agent-profile', 'leaderboard'].map((kind) => [kind, 600_000]),
  ),
  passport: 86_400_000,
};

/** Changes of statements that are signed again, so that only their content is wrong. */
const SIGNED_CHANGES: Readonly<Record<string, Change[]>> = {
  'receipt-status': [
    ['a revoked receipt', ['revocation_status'], 'revoked', 'revoked', 'it says that its subject'],
    ['an unknown status', ['status'], 'done', 'malformed', 'status is not one of'],
    ['an upper-case hash', ['content_hash'], 'AB'.repeat(32), 'malformed', 'content_hash is not'],
    ['a time without milliseconds', ['checked_at'], '2026-06-01T12:00:00Z', 'malformed', 'checked_at is not'],
  ],
  'gate-decision': [
    ['a refusal for a good reason', ['allow_invocation'], false, 'inconsistent', 'allow_invocation'],
    ['permission for a bad reason', ['reason'], 'OPERATOR_UNKNOWN', 'inconsistent', 'allow_invocation'],
    ['an unknown domain', ['domain'], 'GARDENING', 'malformed', 'domain is not one of'],
    ['text in place of a boolean', ['allow_invocation'], 'false', 'malformed', 'allow_invocation is not'],
  ],
  'agent-profile': [
    ['a revoked agent', ['state'], 'REVOKED', 'revoked', 'it says that its subject'],
    ['a score with a fraction', ['score'], 0.5, 'malformed', 'score is not a whole number'],
    ['no name', ['name'], null, 'valid', null],
    ['names beyond U+FFFF, which sort by UTF-16', ['added'], { '\ufb33': 1, '\u{1f600}': 2 }, 'valid', null],
    ['numbers with an exponent', ['added'], [1e21, 1e20, 1e-7, 1e-6, -0], 'valid', null],
    ['the 30th of February', ['as_of'], '2026-02-30T12:00:00.000Z', 'malformed', 'as_of is not'],
    ['the second 60', ['as_of'], '2026-05-31T23:59:60.000Z', 'malformed', 'as_of is not'],
    ['a day that begins at 24 h', ['as_of'], '2026-05-31T24:00:00.000Z', 'malformed', 'as_of is not'],
  ],
  leaderboard: [
    ['an agent that is left out', ['agents', 0], undefined, 'valid', null],
    ['a first page that begins with rank 2', ['agents', 0, 'rank'], 2, 'inconsistent', 'the first page'],
    ['ranks that skip one', ['agents'], ranked([1, 'ab', 1], [3, 'cd', 1]), 'inconsistent', 'the ranks of'],
    [
      'an agent with two ranks',
      ['agents'],
      ranked([1, 'ab', 2], [2, 'ab', 1]),
      'inconsistent',
      'an agent has two',
    ],
    [
      'more evidence at a worse rank',
      ['agents'],
      ranked([1, 'ab', 1], [2, 'cd', 2]),
      'inconsistent',
      'an agent has more evidence',
    ],
    ['two agents with as much evidence', ['agents'], ranked([1, 'ab', 1], [2, 'cd', 1]), 'valid', null],
    ['a page with more agents than asked for', ['page', 'limit'], 0, 'inconsistent', 'agents has more'],
    ['a page that is not the first', ['page', 'cursor'], 'abc', 'valid', null],
    ['no page', ['page'], undefined, 'malformed', 'page is missing'],
  ],
  'agent-attestation': [
    ['a revoked agent', ['state'], 'REVOKED', 'revoked', 'it says that its subject'],
    ['a negative score', ['score'], -1, 'malformed', 'score is not a whole number'],
  ],
  'artifact-attestation': [
    ['a revoked agent', ['state'], 'REVOKED', 'revoked', 'it says that its subject'],
    ['an artifact of 41 characters', ['artifact'], 'a'.repeat(41), 'malformed', 'artifact is not'],
    ['a commit', ['artifact'], 'a'.repeat(40), 'valid', null],
    [
      'evidence from after the statement',
      ['anchored_at'],
      '2026-06-01T12:00:00.001Z',
      'inconsistent',
      'anchored_at',
    ],
  ],
  passport: [
    ['a revoked agent', ['state'], 'REVOKED', 'revoked', 'it says that its subject'],
    [
      'the did of another key',
      ['did'],
      'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      'inconsistent',
      'did is not',
    ],
    ['another context', ['context'], 'other', 'inconsistent', 'subject_commitment is not'],
    ['evidence without its end', ['evidence', 'head'], null, 'inconsistent', 'evidence.head'],
    [
      'the did:key of another issuer',
      ['issuer'],
      'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      'inconsistent',
      'issuer is not',
    ],
    ['a did:web as issuer', ['issuer'], 'did:web:trust.example', 'valid', null],
    ['an unknown state', ['state'], 'NEW', 'malformed', 'state is not one of'],
  ],
  'account-statement': [
    [
      'another closing balance',
      ['closing', 'paid', 'available'],
      1,
      'inconsistent',
      'the available paid credits',
    ],
    ['another opening balance', ['opening', 'paid', 'locked'], 1, 'inconsistent', 'the locked paid credits'],
    ['another sum', ['movements', 0, 'amount'], 1000, 'inconsistent', 'the available'],
    ['no sums', ['movements'], [], 'inconsistent', 'the available'],
    ['another turnover', ['turnover', 'paid', 'granted'], 1, 'inconsistent', 'turnover.paid.granted'],
    ['another month', ['month'], '2026-07', 'inconsistent', 'from and until are not in the month'],
    [
      'a month that does not exist',
      ['month'],
      '2026-13',
      'inconsistent',
      'from and until are not in the month',
    ],
    [
      'an end before the month is over',
      ['until'],
      '2026-06-30T00:00:00.000Z',
      'inconsistent',
      'the month was not over',
    ],
    ['an interim statement', ['interim'], true, 'malformed', 'interim is not false'],
    [
      'a date before the end',
      ['issued_at'],
      '2026-06-30T00:00:00.000Z',
      'inconsistent',
      'it was issued before',
    ],
    [
      'a balance below zero',
      ['closing', 'paid', 'available'],
      -1,
      'malformed',
      'closing.paid.available is not',
    ],
    ['no journal', ['journal'], undefined, 'malformed', 'journal is missing'],
    ['a head that is no hash', ['journal', 'head'], 'x', 'malformed', 'journal.head is not'],
  ],
  meter: [
    [
      'a member of a payment without the others',
      ['nonce'],
      'order-2026-06-01-0001',
      'malformed',
      'merchant is missing',
    ],
    ['sandbox that is false', ['sandbox'], false, 'malformed', 'sandbox is not true'],
    ['half a credit', ['credits_charged'], 0.5, 'malformed', 'credits_charged is not'],
  ],
};

/** Returns the cases of a kind of statement that the service signs. */
export function statementCases(kind: string, genuine: ReadonlyMap<string, JsonObject>): StatementCase[] {
  const document = genuine.get('genuine') ?? {};
  const dated =
    document.as_of ??
    document.checked_at ??
    document.measured_at ??
    document.charged_at ??
    document.issued_at;
  const until = document.valid_until;
  const at = later(dated, 1000);
  const one = (
    name: string,
    changes: Partial<StatementCase>,
    verdict: string,
    problem: string | null,
  ): StatementCase => ({ name, file: 'genuine', document, at, verdict, problem, ...changes });
  const resigned = (place: Place, to: JsonValue | undefined) => ({
    document: signedStatement(replaced(document, place, to)),
  });
  const other = kind === 'gate-decision' ? 'leaderboard' : 'gate-decision';
  return [
    ...[...genuine].map(([file, own]) => one(file, { file, document: own }, 'valid', null)),
    one('another member', { document: { ...document, another: 1 } }, 'bad_signature', 'signature'),
    one('another member, signed', { document: signedStatement({ ...document, another: 1 }) }, 'valid', null),
    one(
      'another signature',
      { document: { ...document, signature: '00'.repeat(64) } },
      'bad_signature',
      'signature',
    ),
    one(
      'a signature in upper case',
      { document: { ...document, signature: 'AB'.repeat(64) } },
      'malformed',
      'signature is not',
    ),
    one(
      'the kid of a key for receipts',
      { document: { ...document, kid: RECEIPTS.kid } },
      'key_unknown',
      'kid',
    ),
    one(
      'signed by a key for receipts',
      { document: signedStatement(document, RECEIPTS) },
      'key_unknown',
      'kid',
    ),
    one(
      'signed by a key for receipts in the name of the right one',
      { document: { ...signedStatement(document, RECEIPTS), kid: CREDENTIALS.kid } },
      'bad_signature',
      'signature',
    ),
    one('another type', { document: { ...document, type: other } }, 'malformed', null),
    one('another type, signed', resigned(['type'], other), 'malformed', null),
    one('the type of a package, signed', resigned(['type'], 'compliance-package'), 'malformed', null),
    one('no type, signed', resigned(['type'], undefined), 'malformed', null),
    one('a number as kid', { document: { ...document, kid: 7 } }, 'malformed', 'kid is not'),
    one('a stolen key', { keys: keysWith({ status: 'compromised' }) }, 'key_compromised', 'kid'),
    one(
      'a key that was retired before',
      { keys: keysWith({ status: 'retired', valid_until: later(dated, -1) }) },
      'key_retired',
      'kid',
    ),
    one(
      'a key that was retired at that time',
      { keys: keysWith({ status: 'retired', valid_until: String(dated) }) },
      'valid',
      null,
    ),
    one('a key that signs something else', { keys: keysWith({ purpose: 'receipts' }) }, 'key_unknown', 'kid'),
    one('60 seconds before its date', { at: later(dated, -60_000) }, 'valid', null),
    one('more than 60 seconds before its date', { at: later(dated, -60_001) }, 'future', 'its date is'),
    ...(['artifact-attestation', 'meter', 'account-statement'].includes(kind)
      ? [one('years later', { at: later(dated, 1e11) }, 'valid', null)]
      : [
          one('at the end of its validity', { at: String(until) }, 'valid', null),
          one('after its validity', { at: later(until, 1) }, 'expired', 'valid_until is'),
          ...(LIFETIMES[kind] === undefined
            ? [one('a century, signed', resigned(['valid_until'], later(dated, 1e12)), 'valid', null)]
            : [
                one(
                  ...(['60 seconds longer than its kind, signed'] as const),
                  ...([resigned(['valid_until'], later(dated, (LIFETIMES[kind] ?? 0) + 60_000))] as const),
                  ...(['valid', null] as const),
                ),
                one(
                  ...(['longer than its kind, signed'] as const),
                  ...([resigned(['valid_until'], later(dated, (LIFETIMES[kind] ?? 0) + 60_001))] as const),
                  ...(['misdated', 'valid_until is'] as const),
                ),
              ]),
          one('no end, signed', resigned(['valid_until'], undefined), 'malformed', 'valid_until is missing'),
        ]),
    ...(SIGNED_CHANGES[kind] ?? []).map(([name, place, to, verdict, problem]) =>
      one(`${name}, signed`, resigned(place, to), verdict, problem),
    ),
    ...more(kind, genuine, one, dated),
  ];
}

/** Returns the cases that only some kinds have. */
function more(
  kind: string,
  genuine: ReadonlyMap<string, JsonObject>,
  one: (
    name: string,
    changes: Partial<StatementCase>,
    verdict: string,
    problem: string | null,
  ) => StatementCase,
  dated: JsonValue | undefined,
): StatementCase[] {
  const document = genuine.get('genuine') ?? {};
  if (kind === 'gate-decision') {
    const denied = { ...document, allow_invocation: false, reason: 'OPERATOR_UNKNOWN' };
    return [
      one('a refusal', { document: signedStatement(denied) }, 'denied', 'it denies'),
      one('a refusal that nobody signed', { document: denied }, 'bad_signature', 'signature'),
    ];
  }
  if (kind === 'agent-profile') {
    const lax = (name: string, signature: string) =>
      one(name, { document: { ...document, signature } }, 'bad_signature', 'signature');
    const hash = signedObjectDigest(nativePrimitives, document);
    return [
      lax('a signature with the order added to S', beyondOrder(String(document.signature))),
      lax('a signature with an R of small order', signedWithNeutral(CREDENTIALS, hash, NEUTRAL)),
      lax(
        'a signature with an R beyond the prime',
        signedWithNeutral(CREDENTIALS, hash, NEUTRAL_BEYOND_PRIME),
      ),
    ];
  }
  if (kind === 'receipt-status') {
    const revoked = signedStatement({ ...document, revocation_status: 'revoked' });
    return [
      one(
        'a revocation, which has no end',
        { document: revoked, at: later(dated, 1e11) },
        'revoked',
        'it says',
      ),
      one(
        'a revocation from the future',
        { document: revoked, at: later(dated, -1e9) },
        'revoked',
        'it says',
      ),
    ];
  }
  const payment = genuine.get('payment');
  if (payment === undefined) return [];
  const paid = (name: string, place: Place, to: JsonValue | undefined, verdict: string, problem: string) =>
    one(name, { file: 'payment', document: signedStatement(replaced(payment, place, to)) }, verdict, problem);
  return [
    paid(
      'another merchant than in the digest',
      ['merchant'],
      'other.example',
      'inconsistent',
      'payment_digest',
    ),
    paid('another price than in the digest', ['credits_charged'], 1, 'inconsistent', 'payment_digest'),
    paid(
      'a payment without its digest',
      ['payment_digest'],
      undefined,
      'malformed',
      'payment_digest is missing',
    ),
  ];
}
