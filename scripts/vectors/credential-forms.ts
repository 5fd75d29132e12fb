import { deflateSync, gzipSync } from 'node:zlib';
import { base58 } from '@scure/base';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { decodeProofValue, proofMessage } from '../../src/proof/credential/data-integrity.ts';
import { bytesToHex, hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { inOneGo } from '../../src/proof/encoding/steps.ts';
import { beyondOrder } from '../../test/support/lax-signatures.ts';
import {
  CREDENTIALS_KEY,
  didKeyIssuer,
  SERVICE,
  signedCredential,
  unsignedCredential,
  unsignedList,
  webIssuer,
} from '../../test/support/signed-credential.ts';
import { testKey } from '../../test/support/small-log.ts';

/** A signed document with its name, verdict, and the beginning of a problem. */
type Form = readonly [
  file: string,
  name: string,
  document: JsonObject,
  verdict: string,
  problem?: string | null,
];

const W3C = 'https://www.w3.org/ns/credentials/v2';
const OURS = `${SERVICE}/contexts/reputation/v1`;
const LIST_URL = `${SERVICE}/api/v1/credentials/status/1`;

/** Signs a credential with other members of the proof; undefined drops one. */
function proven(proof: Record<string, unknown>, changes: Record<string, unknown> = {}): JsonObject {
  const { proof: said, ...unsecured } = signedCredential(unsignedCredential(changes));
  const { proofValue: _, ...configuration }: JsonObject = JSON.parse(JSON.stringify({ ...said, ...proof }));
  const signature = signEd25519(
    CREDENTIALS_KEY.privateKey,
    inOneGo(proofMessage(nativePrimitives, unsecured, configuration)),
  );
  return { ...unsecured, proof: { ...configuration, proofValue: `z${base58.encode(signature)}` } };
}

const credential = (changes: Record<string, unknown>): JsonObject =>
  signedCredential(unsignedCredential(changes));
const status = (changes: JsonObject): JsonObject =>
  credential({ credentialStatus: { ...Object(unsignedCredential().credentialStatus), ...changes } });
const contexts = (...values: string[]): JsonObject => credential({ '@context': values });

const genuine = signedCredential(unsignedCredential());
const value = String(genuine.proof.proofValue);
const signature = bytesToHex(decodeProofValue(value) ?? new Uint8Array());
const withValue = (proofValue: string): JsonObject => ({
  ...genuine,
  proof: { ...genuine.proof, proofValue },
});

/** What the service or somebody else could sign, and each but a few is refused nevertheless. */
export const FORMS: readonly Form[] = [
  ['index-zero', 'an index with a leading zero', status({ statusListIndex: '09' }), 'malformed'],
  ['index-beyond', 'an index beyond the list', status({ statusListIndex: '131072' }), 'malformed'],
  ['index-number', 'a number as index', status({ statusListIndex: 9 }), 'malformed'],
  ['suspension', 'an entry of suspensions', status({ statusPurpose: 'suspension' }), 'malformed'],
  ['entry-type', 'another type of entry', status({ type: 'StatusList2021Entry' }), 'malformed'],
  ['no-status', 'no entry of a list', credential({ credentialStatus: undefined }), 'malformed'],
  [
    'types',
    'a third type',
    credential({ type: ['VerifiableCredential', 'AgentReputationCredential', 'Thing'] }),
    'malformed',
    'type is wrong',
  ],
  [
    'types-swapped',
    'the types swapped',
    credential({ type: ['AgentReputationCredential', 'VerifiableCredential'] }),
    'malformed',
    'type is wrong',
  ],
  [
    'third-context',
    'a third context, which could redefine words',
    contexts(W3C, OURS, 'https://other.example/'),
    'malformed',
    '@context has',
  ],
  ['one-context', 'only the first context', contexts(W3C), 'malformed', '@context is not'],
  ['contexts-swapped', 'the contexts swapped', contexts(OURS, W3C), 'malformed', 'the order of @context'],
  [
    'context-of-cluster',
    'the context of a cluster',
    contexts(W3C, `${SERVICE}/contexts/sustainability/v1`),
    'malformed',
    '@context has',
  ],
  ...[1, 2].map(
    (version): Form => [
      `cluster-context-${version}`,
      `a credential of a cluster with version ${version} of its context`,
      credential({
        type: ['VerifiableCredential', 'DataCenterSustainabilityCredential'],
        '@context': [W3C, `${SERVICE}/contexts/sustainability/v${version}`],
      }),
      'valid',
    ],
  ),
  ...['?', '#', ' ', '\u3000'].map(
    (character, index): Form => [
      `context-character-${index}`,
      `a context with ${JSON.stringify(character)}`,
      contexts(W3C, `${SERVICE}/${character}/contexts/reputation/v1`),
      'malformed',
      '@context has',
    ],
  ),
  [
    'context-scheme',
    'a context that is not at a URL of HTTP',
    contexts(W3C, 'ftp://trust.example/contexts/reputation/v1'),
    'malformed',
    '@context has',
  ],
  [
    'context-elsewhere',
    'the context of another service, which is not compared',
    contexts(W3C, 'http://other.example/x/contexts/reputation/v1'),
    'valid',
  ],
  [
    'ends-before',
    'an end before the beginning',
    credential({ validUntil: '2026-05-01T11:59:59.999Z' }),
    'malformed',
    'validUntil is before',
  ],
  ['no-end', 'no end', credential({ validUntil: undefined }), 'malformed', 'validUntil is missing'],
  ['no-id', 'no id', credential({ id: undefined }), 'malformed', 'id is missing'],
  ['subjects', 'two subjects', credential({ credentialSubject: [{ id: 'a' }] }), 'malformed'],
  ['another-member', 'another member', credential({ name: 'x' }), 'valid'],
  [
    'authentication',
    'a proof for another purpose',
    proven({ proofPurpose: 'authentication' }),
    'malformed',
    'proof.proofPurpose is',
  ],
  [
    'suite',
    'a proof of another suite',
    proven({ cryptosuite: 'eddsa-rdfc-2022' }),
    'malformed',
    'proof.cryptosuite is',
  ],
  [
    'proof-context',
    'a proof without contexts',
    proven({ '@context': undefined }),
    'malformed',
    'proof.@context is',
  ],
  [
    'proof-contexts',
    'a proof with the first context only',
    proven({ '@context': [W3C] }),
    'malformed',
    'proof.@context is',
  ],
  [
    'domain',
    'a proof for a domain',
    proven({ domain: 'other.example' }),
    'malformed',
    'proof has the member',
  ],
  ['created-day', 'a proof with a day as time', proven({ created: '2026-05-01' }), 'malformed'],
  ['not-created', 'a proof without a time', proven({ created: undefined }), 'valid'],
  [
    'proofs',
    'an array of one proof',
    { ...genuine, proof: [genuine.proof] },
    'malformed',
    'proof is an array',
  ],
  [
    'method-of-did-key',
    'the method of a did:key for a did:web',
    proven({ verificationMethod: didKeyIssuer(CREDENTIALS_KEY).method }),
    'key_unknown',
  ],
  [
    'method-of-did-web',
    'the method of a did:web for a did:key',
    proven({}, { issuer: didKeyIssuer(CREDENTIALS_KEY).issuer }),
    'key_unknown',
  ],
  [
    'did-key-of-receipts',
    'the did:key of a key for receipts',
    signedCredential(unsignedCredential({ issuer: didKeyIssuer(testKey(1)).issuer }), {
      key: testKey(1),
      method: didKeyIssuer(testKey(1)).method,
    }),
    'issuer_unknown',
    'its issuer is',
  ],
  [
    'did-webvh',
    'another method of DIDs than did:web',
    signedCredential(unsignedCredential({ issuer: 'did:webvh:trust.example' }), {
      method: webIssuer(CREDENTIALS_KEY, 'did:webvh:trust.example').method,
    }),
    'issuer_unknown',
    'its issuer is',
  ],
  [
    'beyond-order',
    'the order of the group added to S',
    withValue(`z${base58.encode(hexToBytes(beyondOrder(signature)))}`),
    'bad_proof',
  ],
  [
    'long-value',
    'a signature of 65 bytes',
    withValue(`z${base58.encode(hexToBytes(`${signature}00`))}`),
    'bad_proof',
  ],
  ['zero-before', 'a zero byte before the signature', withValue(value.replace('z', 'z1')), 'bad_proof'],
  [
    'base64url-value',
    'a signature in base64url',
    withValue(`u${Buffer.from(signature, 'hex').toString('base64url')}`),
    'bad_proof',
  ],
  ['both', 'two in one document', { credential: genuine, verifiableCredential: genuine }, 'malformed'],
  ['typed', 'in an object with a type', { type: 'receipt', credential: genuine }, 'malformed'],
];

/** Credentials that are dated 13:30 in one place and 12:00 in the other. */
export const DATED: Readonly<Record<string, JsonObject>> = {
  'created-late.json': proven({ created: '2026-05-01T13:30:00.000Z' }),
  'begun-late.json': proven(
    { created: '2026-05-01T13:29:00.000Z' },
    { validFrom: '2026-05-01T13:30:00.000Z' },
  ),
};

/** Objects that stand for the credential in them. */
export const WRAPPED: Readonly<Record<string, JsonObject>> = {
  'wrapped.json': { credential: genuine },
  'verifiable.json': { verifiableCredential: genuine },
};

const zipped = (bytes: Uint8Array): string => `u${Buffer.from(bytes).toString('base64url')}`;
const ZEROS = gzipSync(new Uint8Array(16_384));
const listOf = (encodedList: string): JsonObject =>
  signedCredential(
    unsignedList([], {
      credentialSubject: {
        id: `${LIST_URL}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList,
      },
    }),
  );
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Sets the last bit of the last character, which belongs to no byte. */
const uncanonical = (text: string): string =>
  `${text.slice(0, -1)}${ALPHABET[ALPHABET.indexOf(text.slice(-1)) + 1]}`;

/** Lists of which nothing is revoked, and whether they count. */
export const LISTS: readonly (readonly [file: string, name: string, list: JsonObject, counts: boolean])[] = [
  ['list-zeros', 'a list of 16,384 bytes', listOf(zipped(ZEROS)), true],
  ['list-short', 'a list of 16,383 bytes', listOf(zipped(gzipSync(new Uint8Array(16_383)))), false],
  ['list-longest', 'a list of 1 MiB', listOf(zipped(gzipSync(new Uint8Array(2 ** 20)))), true],
  ['list-long', 'a list of more than 1 MiB', listOf(zipped(gzipSync(new Uint8Array(2 ** 20 + 1)))), false],
  [
    'list-zlib',
    'a list that is compressed otherwise',
    listOf(zipped(deflateSync(new Uint8Array(16_384)))),
    false,
  ],
  ['list-plain', 'a list that is not compressed', listOf(zipped(new Uint8Array(16_384))), false],
  ['list-cut', 'a list whose end is cut off', listOf(zipped(ZEROS.subarray(0, -1))), false],
  [
    'list-followed',
    'a list with bytes after it',
    listOf(zipped(Buffer.concat([ZEROS, Buffer.from('abc')]))),
    false,
  ],
  [
    'list-zero',
    'a list with a zero byte after it',
    listOf(zipped(Buffer.concat([ZEROS, new Uint8Array(1)]))),
    false,
  ],
  [
    'list-halves',
    'a list that is compressed in two parts',
    listOf(zipped(Buffer.concat([gzipSync(new Uint8Array(8192)), gzipSync(new Uint8Array(8192))]))),
    false,
  ],
  ['list-padded', 'a list with padding', listOf(`${zipped(ZEROS)}=`), false],
  ['list-base64', 'a list in another base64', listOf(`m${ZEROS.toString('base64')}`), false],
  [
    'list-uncanonical',
    'a list in base64url that is not canonical',
    listOf(uncanonical(zipped(ZEROS))),
    false,
  ],
];
