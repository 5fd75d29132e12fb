import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { presentedCredential } from '../../../../src/proof/credential/credential-shape.ts';
import { statusInList } from '../../../../src/proof/credential/status-list.ts';
import {
  type CredentialOptions,
  credentialKeys,
  judgeCredential,
  type PublishedKey,
  withStatus,
} from '../../../../src/proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS, type CredentialVerdict } from '../../../../src/proof/credential/verdicts.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import {
  CREDENTIALS_KEY,
  didKeyIssuer,
  NOW,
  SERVICE,
  signedCredential,
  unsignedCredential,
  unsignedList,
  WEB_ISSUER,
  webIssuer,
} from '../../../support/signed-credential.ts';
import { type TestKey, testKey } from '../../../support/small-log.ts';
import { tampered } from '../../../support/statements.ts';

const published = ({ kid, public_key }: TestKey, more: Partial<PublishedKey> = {}): PublishedKey => ({
  kid,
  public_key,
  purpose: 'credentials',
  status: 'active',
  valid_until: null,
  ...more,
});
const RECEIPTS_KEY = testKey(1);
const STRANGER = testKey(7);
const KEYS = [published(CREDENTIALS_KEY), published(RECEIPTS_KEY, { purpose: 'receipts' })];
const options = (more: Partial<CredentialOptions> = {}): CredentialOptions => ({
  keys: credentialKeys(KEYS),
  issuers: [WEB_ISSUER, didKeyIssuer(CREDENTIALS_KEY).issuer],
  baseUrl: SERVICE,
  now: NOW,
  ...more,
});
const judge = (document: JsonValue, more: Partial<CredentialOptions> = {}) => {
  const result = judgeCredential(nativePrimitives, document, options(more));
  // Both implementations of Ed25519 must agree about every document of this file.
  expect(judgeCredential(noblePrimitives, document, options(more))).toEqual(result);
  return result;
};
const GOOD = signedCredential(unsignedCredential());
const withProof = (changes: Record<string, JsonValue>): JsonObject => ({
  ...GOOD,
  proof: { ...GOOD.proof, ...changes },
});

test('a credential of the service is valid, and its status is not known yet', () => {
  expect(judge(GOOD)).toMatchObject({
    verdict: 'valid',
    checks: { shape: true, issuer: true, proof: true, validity: true, status: null },
    problem: null,
    credential: {
      issuer: WEB_ISSUER,
      subject: didKeyIssuer(testKey(4)).issuer,
      status: { list: `${SERVICE}/api/v1/credentials/status/1`, index: 9 },
    },
  });
});

test.each(tampered(GOOD))('a credential with %s changed is not valid', (_, changed) => {
  const { verdict, credential } = judge(JSON.parse(JSON.stringify(changed)));
  expect(['malformed', 'issuer_unknown', 'key_unknown', 'bad_proof']).toContain(verdict);
  expect(credential).toBeNull();
});

const [V2 = null, OURS = null] = Array.isArray(GOOD['@context']) ? GOOD['@context'] : [];
const signedWith = (contexts: JsonValue) => signedCredential(unsignedCredential({ '@context': contexts }));

describe('a malformed credential is refused in words', () => {
  test.each<[string, JsonValue, string]>([
    ['that is an array', [GOOD], 'the credential is not a JSON object'],
    [
      'that is valid for longer than a day, even where a key signed that',
      signedCredential(unsignedCredential({ validUntil: '2026-05-02T12:00:00.001Z' })),
      'it is valid for longer than a day',
    ],
    ['with the contexts in another order', signedWith([OURS, V2]), 'the order of @context was changed'],
    [
      'with a context of somebody else',
      signedWith([V2, OURS, 'https://evil.example/v1']),
      '@context has "https://evil.example/v1", which is not a context of this type',
    ],
    ['with a context that is an object', signedWith([V2, { score: 'x' }]), '@context has {"score":"x"}'],
    [
      'with the context of another service',
      signedWith([V2, 'https://other.example/contexts/reputation/v1']),
      'which is not a context',
    ],
    ['with a context twice', signedWith([V2, OURS, OURS]), 'and nothing else'],
    ['without the second context', signedWith([V2]), 'and nothing else'],
    ['with a single context', signedWith(V2), '@context is missing or not an array'],
    ['with an array of proofs', { ...GOOD, proof: [GOOD.proof] }, 'proof is an array'],
    ['with no proof', unsignedCredential(), 'proof is missing: the credential is not signed'],
    ['with a proof that is a string', { ...GOOD, proof: 'z1' }, 'proof is not a JSON object'],
    ['of another suite', withProof({ cryptosuite: 'eddsa-rdfc-2022' }), 'only eddsa-jcs-2022 is accepted'],
    ['of another type of proof', withProof({ type: 'Ed25519Signature2020' }), 'only DataIntegrityProof'],
    [
      'for another purpose',
      withProof({ proofPurpose: 'authentication' }),
      'only assertionMethod is accepted',
    ],
    [
      'with a proof that expires',
      withProof({ expires: '2027-01-01T00:00:00Z' }),
      '"expires", which is not supported',
    ],
    ['whose proof has other contexts', withProof({ '@context': [V2] }), 'proof.@context is not the @context'],
    [
      'with a date that does not exist',
      withProof({ created: '2026-02-30T00:00:00Z' }),
      'proof.created is not',
    ],
    [
      'of an unknown type',
      signedCredential(unsignedCredential({ type: ['VerifiableCredential', 'Diploma'] })),
      'type has "Diploma"',
    ],
    [
      'with one type',
      signedCredential(unsignedCredential({ type: ['VerifiableCredential'] })),
      'type is wrong: it must be',
    ],
    [
      'whose issuer is an object',
      signedCredential(unsignedCredential({ issuer: { id: WEB_ISSUER } })),
      'issuer is missing or not a string',
    ],
    [
      'that ends before it begins',
      signedCredential(unsignedCredential({ validUntil: '2026-04-01T00:00:00Z' })),
      'validUntil is before validFrom',
    ],
    [
      'with a status for another purpose',
      signedCredential(
        unsignedCredential({
          credentialStatus: { ...Object(GOOD.credentialStatus), statusPurpose: 'suspension' },
        }),
      ),
      'for revocation',
    ],
    [
      'with an index beyond the list',
      signedCredential(
        unsignedCredential({
          credentialStatus: { ...Object(GOOD.credentialStatus), statusListIndex: '131072' },
        }),
      ),
      'a number below 131072',
    ],
    [
      'with several subjects',
      signedCredential(unsignedCredential({ credentialSubject: [] })),
      'credentialSubject is missing',
    ],
  ])('%s', (_, document, words) => {
    const { verdict, problem, checks } = judge(document);
    expect(verdict).toBe('malformed');
    expect(problem).toContain(words);
    expect(checks).toEqual({ shape: false, issuer: null, proof: null, validity: null, status: null });
  });
});

test('a credential of another service, with its context, is of an unknown issuer; with its context only, malformed', () => {
  const context = ['https://www.w3.org/ns/credentials/v2', 'https://other.example/contexts/reputation/v1'];
  const key = testKey(7);
  const { issuer, method } = webIssuer(key, 'did:web:other.example');
  const foreign = signedCredential(unsignedCredential({ '@context': context, issuer }), { key, method });
  expect(judge(foreign)).toEqual({
    verdict: 'issuer_unknown',
    checks: { shape: true, issuer: false, proof: null, validity: null, status: null },
    problem: 'its issuer is "did:web:other.example", which is not trusted',
    credential: null,
  });
  const ours = signedCredential(unsignedCredential({ '@context': context }));
  expect(judge(ours)).toMatchObject({ verdict: 'malformed', checks: { shape: false, issuer: null } });
});

describe('the key', () => {
  const by = (key: TestKey, of = webIssuer(key)) =>
    signedCredential(unsignedCredential({ issuer: of.issuer }), { key, method: of.method });
  test.each<[string, JsonValue, CredentialVerdict]>([
    ['of a stranger, as did:key of the document', by(STRANGER, didKeyIssuer(STRANGER)), 'issuer_unknown'],
    ['of a stranger, under the name of the service', by(STRANGER), 'key_unknown'],
    [
      'of a stranger, who names the key of the service',
      by(STRANGER, webIssuer(CREDENTIALS_KEY)),
      'bad_proof',
    ],
    ['of the service for receipts', by(RECEIPTS_KEY), 'key_unknown'],
    [
      'of the service for receipts, as did:key',
      by(RECEIPTS_KEY, didKeyIssuer(RECEIPTS_KEY)),
      'issuer_unknown',
    ],
    [
      'of the service, for another issuer',
      by(CREDENTIALS_KEY, webIssuer(CREDENTIALS_KEY, 'did:web:evil.example')),
      'issuer_unknown',
    ],
    [
      'of the service, for an issuer of another method',
      by(CREDENTIALS_KEY, {
        issuer: 'https://trust.example',
        method: `https://trust.example#${CREDENTIALS_KEY.kid}`,
      }),
      'issuer_unknown',
    ],
    [
      'of the service, under a method of another issuer',
      by(CREDENTIALS_KEY, { ...webIssuer(CREDENTIALS_KEY), method: didKeyIssuer(CREDENTIALS_KEY).method }),
      'key_unknown',
    ],
    ['of the service, as did:key', by(CREDENTIALS_KEY, didKeyIssuer(CREDENTIALS_KEY)), 'valid'],
    [
      'of the service, as did:key with another fragment',
      by(CREDENTIALS_KEY, {
        ...didKeyIssuer(CREDENTIALS_KEY),
        method: `${didKeyIssuer(CREDENTIALS_KEY).issuer}#key-1`,
      }),
      'key_unknown',
    ],
  ])('%s', (_, document, verdict) => expect(judge(document).verdict).toBe(verdict));

  test('that vouches in the document is ignored', () => {
    const jwk = { verificationMethod: { id: webIssuer(STRANGER).method, publicKeyMultibase: 'z6Mk' } };
    expect(judge(withProof(jwk)).problem).toContain('proof.verificationMethod is missing or not a string');
    const beside = signedCredential(unsignedCredential({ issuer: { id: WEB_ISSUER, publicKey: 'z6Mk' } }));
    expect(judge(beside).verdict).toBe('malformed');
  });

  test('of the service is accepted for every did:web if no issuer is given', () => {
    const document = by(CREDENTIALS_KEY, webIssuer(CREDENTIALS_KEY, 'did:web:old.example'));
    expect(judge(document, { issuers: null, baseUrl: null }).verdict).toBe('valid');
  });

  test.each<[string, Partial<PublishedKey>, CredentialVerdict]>([
    ['next', { status: 'next' }, 'valid'],
    ['retired after the credential', { status: 'retired', valid_until: '2026-05-01T12:00:00Z' }, 'valid'],
    [
      'retired before the credential',
      { status: 'retired', valid_until: '2026-05-01T11:58:59Z' },
      'key_retired',
    ],
    ['retired at an unknown time', { status: 'retired', valid_until: null }, 'key_retired'],
    ['compromised', { status: 'compromised', valid_until: '2026-05-03T00:00:00Z' }, 'key_compromised'],
  ])('that is %s', (_, state, verdict) => {
    const { checks, ...result } = judge(GOOD, { keys: credentialKeys([published(CREDENTIALS_KEY, state)]) });
    expect([result.verdict, checks.proof]).toEqual([verdict, verdict === 'valid']);
  });

  test('that one of two rows calls compromised or retired does not count', () => {
    const states: [Partial<PublishedKey>, CredentialVerdict][] = [
      [{ status: 'compromised' }, 'key_compromised'],
      [{ status: 'retired', valid_until: '2026-04-01T00:00:00Z' }, 'key_retired'],
    ];
    for (const [state, verdict] of states) {
      const rows = [published(CREDENTIALS_KEY, {}), published(CREDENTIALS_KEY, state)];
      expect(judge(GOOD, { keys: credentialKeys(rows) }).verdict).toBe(verdict);
      expect(judge(GOOD, { keys: credentialKeys(rows.toReversed()) }).verdict).toBe(verdict);
    }
  });

  test('that is retired goes on signing its status lists', () => {
    const keys = credentialKeys([
      published(CREDENTIALS_KEY, { status: 'retired', valid_until: '2026-04-01T00:00:00Z' }),
    ]);
    expect(judge(signedCredential(unsignedList([])), { keys }).verdict).toBe('valid');
  });
});

describe('time', () => {
  test.each<[string, string, CredentialVerdict]>([
    ['61 s before its beginning', '2026-05-01T11:58:59Z', 'not_yet_valid'],
    ['60 s before its beginning', '2026-05-01T11:59:00Z', 'valid'],
    ['1 ms before its end', '2026-05-02T11:59:59.999Z', 'valid'],
    ['at its end', '2026-05-02T12:00:00Z', 'expired'],
  ])('%s', (_, at, verdict) => {
    const { checks, ...result } = judge(GOOD, { now: Date.parse(at) });
    expect([result.verdict, checks.validity]).toEqual([verdict, verdict === 'valid']);
  });

  test('an invalid clock makes no credential valid', () => {
    expect(judge(GOOD, { now: Number.NaN }).verdict).toBe('not_yet_valid');
  });
});

describe('the status', () => {
  const entry = judge(GOOD);
  if (entry.credential === null) throw new Error('the credential is valid');
  const { credential } = entry;
  const look = (list: JsonValue, more: Partial<CredentialOptions> = {}) =>
    statusInList(nativePrimitives, credential, list, options(more));
  const later = { now: Date.parse('2027-01-01T00:00:00Z') };
  const at = (url: string) => unsignedList([], { id: url });

  test.each<[string, JsonValue, 'active' | 'revoked' | 'unknown', Partial<CredentialOptions>]>([
    ['of a list without revocations', signedCredential(unsignedList([])), 'active', {}],
    ['of a list in which the neighbours are revoked', signedCredential(unsignedList([8, 10])), 'active', {}],
    ['of a list in which it is revoked', signedCredential(unsignedList([9])), 'revoked', {}],
    ['of an expired list in which it is revoked', signedCredential(unsignedList([9])), 'revoked', later],
    ['of an expired list without revocations', signedCredential(unsignedList([])), 'unknown', later],
    ['of a list that is not signed', unsignedList([]), 'unknown', {}],
    ['of a list of a stranger', signedCredential(unsignedList([]), { key: STRANGER }), 'unknown', {}],
    [
      'of a list that was changed',
      {
        ...signedCredential(unsignedList([9])),
        credentialSubject: Object(unsignedList([])).credentialSubject,
      },
      'unknown',
      {},
    ],
    ['of another list', signedCredential(at(`${SERVICE}/api/v1/credentials/status/2`)), 'unknown', {}],
    ['of the credential instead of a list', GOOD, 'unknown', {}],
    [
      'of a list of another issuer',
      signedCredential(unsignedList([], { issuer: didKeyIssuer(CREDENTIALS_KEY).issuer }), {
        method: didKeyIssuer(CREDENTIALS_KEY).method,
      }),
      'unknown',
      {},
    ],
    [
      'of a list for suspensions',
      signedCredential(
        unsignedList([], {
          credentialSubject: { ...Object(unsignedList([]).credentialSubject), statusPurpose: 'suspension' },
        }),
      ),
      'unknown',
      {},
    ],
    [
      'of a list that is not gzip',
      signedCredential(
        unsignedList([], {
          credentialSubject: { ...Object(unsignedList([]).credentialSubject), encodedList: 'uAAAA' },
        }),
      ),
      'unknown',
      {},
    ],
  ])('%s', (_, list, status, more) => {
    const found = look(list, more);
    expect(found.status).toBe(status);
    expect(typeof found.problem).toBe(status === 'unknown' ? 'string' : 'object');
  });

  test.each<['active' | 'revoked' | 'unknown', CredentialVerdict, boolean | null]>([
    ['active', 'valid', true],
    ['revoked', 'revoked', false],
    ['unknown', 'status_unknown', null],
  ])('%s decides about a valid credential', (status, verdict, check) => {
    const { checks, ...result } = withStatus(entry, status);
    expect([result.verdict, checks.status]).toEqual([verdict, check]);
  });

  test('does not hide that a credential has expired', () => {
    const expired = judge(GOOD, later);
    expect(withStatus(expired, 'revoked')).toMatchObject({ verdict: 'expired', checks: { status: false } });
  });

  test.each<[string, JsonValue]>([
    ['a changed credential', { ...GOOD, id: 'urn:uuid:0' }],
    ['a status list', signedCredential(unsignedList([]))],
  ])('does not matter for %s', (_, document) => {
    const result = judge(document);
    expect(withStatus(result, 'revoked')).toEqual(result);
  });
});

describe('a credential is found in a document', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['that is the credential', GOOD, GOOD],
    ['as credential', { credential: GOOD, note: 'x' }, GOOD],
    ['as verifiableCredential', { options: {}, verifiableCredential: GOOD }, GOOD],
    ['as credential, if it is none', { credential: 'x' }, 'x'],
    [
      'with two of them, which is none',
      { credential: GOOD, verifiableCredential: GOOD },
      { credential: GOOD, verifiableCredential: GOOD },
    ],
    ['that has a credential as a claim', { ...GOOD, credential: 1 }, { ...GOOD, credential: 1 }],
    ['with neither', { '': 1 }, { '': 1 }],
    ['that is an array', [GOOD], [GOOD]],
  ])('%s', (_, document, found) => expect(presentedCredential(document)).toEqual(found));
});

test('every verdict has a sentence', () => {
  for (const sentence of Object.values(CREDENTIAL_VERDICTS)) expect(sentence).toMatch(/^[A-Z].*\.$/);
});
