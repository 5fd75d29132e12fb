import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { proofMessage } from '../../src/proof/credential/data-integrity.ts';
import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { inOneGo } from '../../src/proof/encoding/steps.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import {
  CREDENTIALS_KEY,
  didKeyIssuer,
  NOW,
  SERVICE,
  signedCredential,
  unsignedCredential,
  unsignedList,
} from '../../test/support/signed-credential.ts';
import { keyRow, testKey } from '../../test/support/small-log.ts';
import { DATED, FORMS, LISTS, WRAPPED } from './credential-forms.ts';

const AT = new Date(NOW).toISOString();
const LIST_URL = `${SERVICE}/api/v1/credentials/status/1`;
const { issuer, method } = didKeyIssuer(CREDENTIALS_KEY);

const reputation = signedCredential(unsignedCredential());

const replace = (path: string, value: JsonValue): Operation => ({ op: 'replace', path, value });
/** A key that is trusted only where a case says so. */
const OTHER = testKey(7);
/** Returns the patch of `keys.json` that adds this key. */
const withOther = (changes: JsonObject = {}, purpose = 'credentials'): object => ({
  keys_patch: [{ op: 'add', path: '/keys/2', value: keyRow(OTHER, purpose, changes) }],
});
/** Returns the patch of `keys.json` after the key of the credentials ended. */
const endedAt = (valid_until: string): object => ({
  keys_patch: [replace('/keys/1/status', 'retired'), replace('/keys/1/valid_until', valid_until)],
});

/** Returns a credential with another place in the list. */
const atIndex = (statusListIndex: string): JsonObject =>
  signedCredential(
    unsignedCredential({
      credentialStatus: {
        id: `${LIST_URL}#${statusListIndex}`,
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex,
        statusListCredential: LIST_URL,
      },
    }),
  );

/** Returns the patch of `keys.json` that names an issuer. */
const listOf = (value: string): object => ({ keys_patch: [{ op: 'add', path: '/issuer', value }] });

/** Returns a credential that counts so much, and cites trees of 40 items of evidence and 30 receipts. */
const counting = (evidence_count: number, receipts_count: number): JsonObject => {
  const root_hash = '00'.repeat(32);
  const unsigned = unsignedCredential();
  return signedCredential({
    ...unsigned,
    credentialSubject: {
      ...Object(unsigned.credentialSubject),
      totals: { evidence_count, artifact_count: 0, failure_count: 0 },
      receipts_count,
      checkpoint: { evidence: { tree_size: 40, root_hash }, receipts: { tree_size: 30, root_hash } },
    },
  });
};

const FILES: Readonly<Record<string, JsonObject>> = {
  'counts.json': counting(40, 30),
  'much-evidence.json': counting(41, 30),
  'many-receipts.json': counting(40, 31),
  'keys.json': { keys: [keyRow(testKey(1), 'receipts'), keyRow(CREDENTIALS_KEY, 'credentials')] },
  'reputation.json': reputation,
  'did-key.json': signedCredential(unsignedCredential({ issuer }), { method }),
  'status-list.json': signedCredential(unsignedList([9])),
  'other-key.json': signedCredential(unsignedCredential(), { key: testKey(7) }),
  'key-of-receipts.json': signedCredential(unsignedCredential(), { key: testKey(1) }),
  'forged.json': signedCredential(unsignedCredential(), {
    key: testKey(7),
    method: `did:web:trust.example#${CREDENTIALS_KEY.kid}`,
  }),
  'not-revoked.json': atIndex('10'),
  'other-list.json': signedCredential(unsignedList([9], { id: `${LIST_URL}1` })),
  'other-issuer-list.json': signedCredential(
    unsignedList([9], { issuer: didKeyIssuer(CREDENTIALS_KEY).issuer }),
    {
      method,
    },
  ),
  'forged-list.json': signedCredential(unsignedList([]), {
    key: testKey(7),
    method: `did:web:trust.example#${CREDENTIALS_KEY.kid}`,
  }),
  'other-key-list.json': signedCredential(unsignedList([9]), { key: OTHER }),
  'expired-list.json': signedCredential(
    unsignedList([9], { validFrom: '2026-05-01T12:00:00.000Z', validUntil: '2026-05-01T14:00:00.000Z' }),
  ),
  'early-list.json': signedCredential(unsignedList([9], { validFrom: '2026-05-01T14:01:00.001Z' })),
  'no-bits.json': signedCredential(
    unsignedList([], {
      credentialSubject: {
        id: `${LIST_URL}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: 'uAAAA',
      },
    }),
  ),
  'other-purpose.json': signedCredential(
    unsignedList([], {
      credentialSubject: {
        id: `${LIST_URL}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'suspension',
        encodedList: 'uAAAA',
      },
    }),
  ),
  ...Object.fromEntries(FORMS.map(([file, , document]) => [`${file}.json`, document])),
  ...Object.fromEntries(LISTS.map(([file, , list]) => [`${file}.json`, list])),
  ...DATED,
  'created-early.json': signedCredential(unsignedCredential(), { created: '2026-05-01T11:58:59.999Z' }),
  ...WRAPPED,
  'first-bit.json': atIndex('0'),
  'last-bit.json': atIndex('131071'),
  'last-bit-list.json': signedCredential(unsignedList([131_071])),
  'long.json': signedCredential(unsignedCredential({ validUntil: '2026-05-02T12:00:00.001Z' })),
};

const one = (name: string, file: string, verdict: string, others: object = {}) => ({
  name,
  file,
  at: AT,
  verdict,
  problem: null,
  ...others,
});
/** Cases of a credential that a list revokes, and of one that it does not revoke. */
const listed = (
  name: string,
  status: string,
  [revoked, others]: readonly [revoked: string, others: string],
  more: object = {},
) => [
  one(`revoked in ${name}`, 'reputation.json', revoked, { status, ...more }),
  one(`not revoked in ${name}`, 'not-revoked.json', others, { status, ...more }),
];
const COUNTS = ['revoked', 'valid'] as const;
const NOTHING = ['status_unknown', 'status_unknown'] as const;

/** A status list counts if a trusted key signed it, at whatever time, unless the key is compromised. */
const LISTED = [
  // The credentials are dated 12:00, and the list 13:59:30.
  ...listed(
    'a list that a key signed after it ended',
    'status-list.json',
    COUNTS,
    endedAt('2026-05-01T12:30:00.000Z'),
  ),
  one('a status list that a key signed after it ended', 'status-list.json', 'valid', {
    ...endedAt('2026-05-01T12:30:00.000Z'),
  }),
  one('a status list by a compromised key', 'status-list.json', 'key_compromised', {
    keys_patch: [replace('/keys/1/status', 'compromised')],
  }),
  ...listed('a list by another key of the service', 'other-key-list.json', COUNTS, withOther()),
  ...listed(
    'a list by another key, which ended before it',
    'other-key-list.json',
    COUNTS,
    withOther({ status: 'retired', valid_until: '2026-01-02T00:00:00.000Z' }),
  ),
  ...listed('a list by another key, which was compromised', 'other-key-list.json', NOTHING, {
    ...withOther({ status: 'compromised', valid_until: '2026-05-01T13:59:40.000Z' }),
    problem: 'status list: ',
  }),
  ...listed('a list by a key that is not trusted', 'other-key-list.json', NOTHING, {
    problem: 'status list: ',
  }),
  ...listed('a list by a key of another purpose', 'other-key-list.json', NOTHING, {
    ...withOther({}, 'receipts'),
    problem: 'status list: ',
  }),
  ...listed('an expired list, which still shows revocations', 'expired-list.json', [
    'revoked',
    'status_unknown',
  ]),
  ...listed('a list from more than 60 s in the future', 'early-list.json', ['revoked', 'status_unknown']),
];

const CASES = [
  ...FORMS.map(([file, name, , verdict, problem = null]) =>
    one(`${name}, signed`, `${file}.json`, verdict, { problem }),
  ),
  ...LISTS.map(([file, name, , counts]) =>
    one(name, 'not-revoked.json', counts ? 'valid' : 'status_unknown', { status: `${file}.json` }),
  ),
  ...Object.keys(DATED).flatMap((file) => [
    one('a date 60 s after the end of its key', file, 'valid', endedAt('2026-05-01T13:29:00.000Z')),
    one('a date more than 60 s after the end', file, 'key_retired', endedAt('2026-05-01T13:28:59.999Z')),
    one('60 s before its later date', file, 'valid', { at: '2026-05-01T13:29:00.000Z' }),
    one('more than 60 s before its later date', file, 'not_yet_valid', { at: '2026-05-01T13:28:59.999Z' }),
  ]),
  one('a proof from more than 60 s before validFrom', 'created-early.json', 'misdated', {
    problem: 'proof.created is 2026-05-01T11:58:59.999Z',
  }),
  // With a member beside it, which nobody signed.
  ...Object.keys(WRAPPED).map((file) =>
    one('a credential in an object', file, 'valid', { patch: [{ op: 'add', path: '/note', value: 'x' }] }),
  ),
  one('the last bit of the list', 'last-bit.json', 'revoked', { status: 'last-bit-list.json' }),
  one('the first bit of the list', 'first-bit.json', 'valid', { status: 'last-bit-list.json' }),
  one('in its last millisecond', 'reputation.json', 'valid', { at: '2026-05-02T11:59:59.999Z' }),
  one('60 s before its beginning', 'reputation.json', 'valid', { at: '2026-05-01T11:59:00.000Z' }),
  one('counts that the cited trees have room for', 'counts.json', 'valid'),
  one('more evidence than the cited tree has entries', 'much-evidence.json', 'inconsistent', {
    problem: 'credentialSubject.totals.evidence_count is',
  }),
  one('more receipts than the cited tree has entries', 'many-receipts.json', 'inconsistent', {
    problem: 'credentialSubject.receipts_count is',
  }),
  one('a credential', 'reputation.json', 'valid'),
  one(
    'a credential of the issuer that the list names',
    'reputation.json',
    'valid',
    listOf('did:web:trust.example'),
  ),
  one(
    'a credential of a did:key, where the list names a did:web',
    'did-key.json',
    'valid',
    listOf('did:web:trust.example'),
  ),
  one('a credential of another did:web than that of the list', 'reputation.json', 'issuer_unknown', {
    ...listOf('did:web:bank.example'),
    problem: 'its issuer',
  }),
  one('a status list of another did:web than that of the list', 'status-list.json', 'issuer_unknown', {
    ...listOf('did:web:bank.example'),
    problem: 'its issuer',
  }),
  one('a credential of a did:key', 'did-key.json', 'valid'),
  one('a status list', 'status-list.json', 'valid'),
  one('revoked in the status list', 'reputation.json', 'revoked', { status: 'status-list.json' }),
  one('not revoked in the status list', 'not-revoked.json', 'valid', { status: 'status-list.json' }),
  ...[
    ['the status list of another name', 'other-list.json', 'status list: it is another list'],
    ['the status list of another issuer', 'other-issuer-list.json', 'status list: it is another list'],
    ['a status list that the key did not sign', 'forged-list.json', 'status list: '],
    ['a status list without bits', 'no-bits.json', 'status list: it is not a bitstring'],
    ['a list of suspensions', 'other-purpose.json', 'status list: it is not a bitstring'],
    ['a credential as status list', 'reputation.json', 'status list: it is not a status list'],
    ['keys as status list', 'keys.json', 'status list: '],
  ].map(([name = '', status, problem]) =>
    one(name, 'not-revoked.json', 'status_unknown', { status, problem }),
  ),
  ...LISTED,
  one('changed, with the status list', 'reputation.json', 'bad_proof', {
    patch: [replace('/credentialSubject/score', 88)],
    status: 'status-list.json',
  }),
  one('too late, with the status list that revokes it', 'reputation.json', 'expired', {
    at: '2026-05-02T12:00:00.000Z',
    status: 'status-list.json',
  }),
  one('a key that is not trusted', 'other-key.json', 'key_unknown'),
  one('a key of another purpose', 'key-of-receipts.json', 'key_unknown'),
  one('a signature by another key than it names', 'forged.json', 'bad_proof'),
  one('valid for longer than a day', 'long.json', 'malformed', { problem: 'it is valid' }),
  one('another score', 'reputation.json', 'bad_proof', { patch: [replace('/credentialSubject/score', 88)] }),
  one('another issuer', 'did-key.json', 'issuer_unknown', {
    patch: [replace('/issuer', didKeyIssuer(testKey(7)).issuer)],
    problem: 'its issuer',
  }),
  one('a proof that ends', 'reputation.json', 'malformed', {
    patch: [{ op: 'add', path: '/proof/expires', value: AT }],
    problem: 'proof has the member',
  }),
  one('too early', 'reputation.json', 'not_yet_valid', { at: '2026-05-01T11:58:59.999Z' }),
  one('too late', 'reputation.json', 'expired', { at: '2026-05-02T12:00:00.000Z' }),
  one('a compromised key', 'reputation.json', 'key_compromised', {
    keys_patch: [replace('/keys/1/status', 'compromised')],
  }),
  one('a retired key', 'reputation.json', 'key_retired', {
    keys_patch: [
      replace('/keys/1/status', 'retired'),
      replace('/keys/1/valid_until', '2026-05-01T11:00:00.000Z'),
    ],
  }),
  one('a key that ended 60 s before', 'reputation.json', 'valid', {
    keys_patch: [replace('/keys/1/valid_until', '2026-05-01T11:59:00.000Z')],
  }),
  one('a key that ended more than 60 s before', 'reputation.json', 'key_retired', {
    keys_patch: [replace('/keys/1/valid_until', '2026-05-01T11:58:59.999Z')],
  }),
  one('a key that two rows are of, one compromised', 'reputation.json', 'key_compromised', {
    keys_patch: [
      {
        op: 'add',
        path: '/keys/2',
        value: { ...keyRow(CREDENTIALS_KEY, 'credentials'), status: 'compromised' },
      },
    ],
  }),
  one('a key of another issuer', 'reputation.json', 'key_unknown', {
    patch: [replace('/proof/verificationMethod', `did:web:other.example#${CREDENTIALS_KEY.kid}`)],
  }),
  one('a signature that is not base58', 'reputation.json', 'bad_proof', {
    patch: [replace('/proof/proofValue', 'z0')],
  }),
  one('half of a surrogate pair', 'reputation.json', 'bad_proof', {
    patch: [replace('/credentialSubject/score', '\ud800')],
  }),
];

/** Returns the text of each file of test/vectors/credential, by its name. */
export function credentialVectors(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(FILES).map(([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`] as const),
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
  ]);
}

/** Returns the blocks of docs/verification/credentials.md by their names. */
export function credentialBlocks(): ReadonlyMap<string, string> {
  const { proof, ...unsecured } = reputation;
  const { proofValue: _, ...configuration } = proof;
  const message = Buffer.from(inOneGo(proofMessage(nativePrimitives, unsecured, configuration))).toString(
    'hex',
  );
  return new Map([
    ['credential-proof', `${canonicalJson(configuration)}\n`],
    ['credential-message', `${message.slice(0, 64)}\n${message.slice(64)}\n`],
  ]);
}
