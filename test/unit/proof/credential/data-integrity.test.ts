import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign as nodeSign } from 'node:crypto';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  decodeProofValue,
  proofMessage,
  secure,
  verifyProof,
} from '../../../../src/proof/credential/data-integrity.ts';
import { publicKeyOfDidKey } from '../../../../src/proof/credential/multikey.ts';
import { canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import { bytesToHex, hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { vectorJson, vectorText } from '../../../support/vectors.ts';

const text = (name: string) => vectorText(`vc-eddsa-jcs-2022/${name}`).trim();
const json = (name: string) => vectorJson<JsonObject>(`vc-eddsa-jcs-2022/${name}`);

const UNSIGNED = json('unsigned.json');
const CONFIGURATION = json('proofConfigJCS.json');
const SIGNED = json('signedJCS.json');
const PROOF = proofOf(SIGNED);
const DID = 'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2';
const PUBLIC_KEY = publicKeyOfDidKey(DID) ?? new Uint8Array();

function proofOf(document: JsonObject): JsonObject {
  return document.proof as JsonObject;
}

describe('the vectors of the W3C (vc-di-eddsa, eddsa-jcs-2022)', () => {
  test('canonical document and canonical proof configuration', () => {
    expect(canonicalJson(UNSIGNED)).toBe(text('canonDocJCS.txt'));
    expect(canonicalJson(CONFIGURATION)).toBe(text('proofCanonJCS.txt'));
  });

  test('the message is the hash of the configuration and the hash of the document', () => {
    const message = bytesToHex(inOneGo(proofMessage(nativePrimitives, UNSIGNED, CONFIGURATION)));
    expect(message).toBe(text('combinedHashJCS.txt'));
    expect(message).toBe(text('proofHashJCS.txt') + text('docHashJCS.txt'));
  });

  test('the secured document is that of the vectors, given their signature', () => {
    const signed = secure(
      nativePrimitives,
      UNSIGNED,
      { verificationMethod: `${DID}#${DID.slice(8)}`, created: '2023-02-24T23:36:38Z' },
      () => hexToBytes(text('sigHexJCS.txt')),
    );
    expect(signed).toEqual(SIGNED as typeof signed);
    expect(signed.proof.proofValue).toBe(text('sigBTC58JCS.txt'));
  });

  test.each([
    ['node:crypto', nativePrimitives],
    ['@noble', noblePrimitives],
  ])('%s accepts the signed document', (_, primitives) => {
    expect(inOneGo(verifyProof(primitives, SIGNED, PUBLIC_KEY))).toBe(true);
  });

  test('the signed document with another key is refused', () => {
    const other = publicKeyOfDidKey('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw');
    expect(inOneGo(verifyProof(nativePrimitives, SIGNED, other ?? new Uint8Array()))).toBe(false);
  });
});

describe('a document is refused', () => {
  const proof = (members: JsonObject): JsonObject => ({ ...SIGNED, proof: { ...PROOF, ...members } });
  const { proof: _proof, ...unsigned } = SIGNED;
  const rows: [what: string, document: JsonObject][] = [
    ...Object.keys(unsigned).map((name): [string, JsonObject] => [
      `whose ${name} changed`,
      { ...SIGNED, [name]: 'changed' },
    ]),
    ...Object.keys(PROOF).map((name): [string, JsonObject] => [
      `whose proof has another ${name}`,
      proof({ [name]: 'changed' }),
    ]),
    ['with a member more', { ...SIGNED, extra: true }],
    ['with a member more in its proof', proof({ nonce: 'x' })],
    ['without proof', unsigned],
    ['whose proof is an array', { ...SIGNED, proof: [PROOF] }],
    ['whose proof is null', { ...SIGNED, proof: null }],
    ['of another suite', proof({ cryptosuite: 'eddsa-rdfc-2022' })],
    [
      'whose contexts have another order',
      { ...SIGNED, '@context': (SIGNED['@context'] as string[]).toReversed() },
    ],
    ['whose proof has no contexts', { ...SIGNED, proof: without(PROOF, '@context') }],
    ['that has no contexts but whose proof has', without(SIGNED, '@context')],
    ['whose signature is hexadecimal', proof({ proofValue: text('sigHexJCS.txt') })],
    ['whose signature is a number', proof({ proofValue: 7 })],
    ['whose signature is too short', proof({ proofValue: 'z2HnFSSPPB' })],
    ['whose signature is a million characters', proof({ proofValue: `z${'2'.repeat(1_000_000)}` })],
    ['with a lone surrogate', { ...SIGNED, name: '\ud800' }],
    ['whose contexts have a lone surrogate', { ...SIGNED, '@context': ['\ud800'] }],
  ];
  test.each(rows)('%s', (_, document) => {
    expect(inOneGo(verifyProof(nativePrimitives, document, PUBLIC_KEY))).toBe(false);
  });
});

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
}

test('what `secure` signs verifies, even without contexts', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
  const options = { verificationMethod: 'did:example:a#b', created: '2026-01-01T00:00:00Z' };
  const signed = secure(nativePrimitives, { name: 'a' }, options, (message) =>
    nodeSign(null, message, privateKey),
  );
  expect(signed.proof['@context']).toBeUndefined();
  expect(inOneGo(verifyProof(nativePrimitives, signed, raw))).toBe(true);
  expect(inOneGo(verifyProof(nativePrimitives, { ...signed, name: 'b' }, raw))).toBe(false);
});

test('contexts that were added after those of the proof do not change what was signed', () => {
  const added = { ...SIGNED, '@context': [...(SIGNED['@context'] as string[]), 'https://example.com/more'] };
  expect(inOneGo(verifyProof(nativePrimitives, added, PUBLIC_KEY))).toBe(true);
});

test('a proof value decodes to the signature of the vectors', () => {
  expect(bytesToHex(decodeProofValue(text('sigBTC58JCS.txt')) ?? new Uint8Array())).toBe(
    text('sigHexJCS.txt'),
  );
});
