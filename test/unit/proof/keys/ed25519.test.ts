import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import { bytesToHex, hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import { isStrictPublicKey, verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { vectorJson, vectorText } from '../../../support/vectors.ts';

const SMALL_ORDER = [
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  `01${'00'.repeat(31)}`,
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(30)}7f`,
  `ec${'ff'.repeat(31)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
const BASE_POINT = `58${'66'.repeat(31)}`;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicBytes = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));

describe('strict public keys', () => {
  test.each(SMALL_ORDER)('%s is of small order', (encoding) => {
    expect(isStrictPublicKey(hexToBytes(encoding))).toBe(false);
  });

  test('no y from the prime upwards is canonical', () => {
    for (let low = 0xed; low <= 0xff; low++) {
      for (const high of ['7f', 'ff']) {
        const encoding = `${low.toString(16)}${'ff'.repeat(30)}${high}`;
        expect(isStrictPublicKey(hexToBytes(encoding))).toBe(false);
      }
    }
    expect(isStrictPublicKey(hexToBytes(`eb${'ff'.repeat(30)}7f`))).toBe(true);
    expect(isStrictPublicKey(hexToBytes(`ff${'ff'.repeat(29)}fe7f`))).toBe(true);
  });

  test('ordinary keys of 32 bytes are', () => {
    expect(isStrictPublicKey(hexToBytes(BASE_POINT))).toBe(true);
    expect(isStrictPublicKey(publicBytes)).toBe(true);
    expect(isStrictPublicKey(publicBytes.subarray(1))).toBe(false);
    expect(isStrictPublicKey(new Uint8Array(33).fill(0x58))).toBe(false);
    expect(isStrictPublicKey(new Uint8Array())).toBe(false);
  });
});

const implementations = [
  { name: 'native', primitives: nativePrimitives },
  { name: 'noble', primitives: noblePrimitives },
];

describe.each(implementations)('strict verification on $name primitives', ({ primitives }) => {
  const verifies = (signature: string, message: string, key: string) =>
    verifyStrict(primitives, hexToBytes(signature), hexToBytes(message), hexToBytes(key));

  test('accepts 43 of the 914 edge cases of C2SP CCTV', () => {
    const cases =
      vectorJson<{ key: string; sig: string; msg: string; flags: string[] | null }[]>(
        'ed25519_cctv_914.json',
      );
    const accepted = cases.filter(({ key, sig, msg }) =>
      verifies(sig, Buffer.from(msg).toString('hex'), key),
    );
    expect(cases).toHaveLength(914);
    expect(accepted).toHaveLength(43);
    const forbidden = [
      'low_order_A',
      'low_order_R',
      'non_canonical_A',
      'non_canonical_R',
      'low_order_residue',
    ];
    expect(accepted.flatMap(({ flags }) => flags ?? []).filter((flag) => forbidden.includes(flag))).toEqual(
      [],
    );
  });

  test('accepts only case 3 of the 12 of ed25519-speccheck', () => {
    const cases =
      vectorJson<{ message: string; pub_key: string; signature: string }[]>('ed25519_speccheck_12.json');
    const outcomes = cases.map(({ message, pub_key, signature }) => verifies(signature, message, pub_key));
    expect(outcomes.map((accepted, index) => (accepted ? index : -1)).filter((index) => index >= 0)).toEqual([
      3,
    ]);
  });

  test('agrees with all 151 cases of Wycheproof', () => {
    type Group = {
      publicKey: { pk: string };
      tests: { tcId: number; msg: string; sig: string; result: string }[];
    };
    const { testGroups } = vectorJson<{ testGroups: Group[] }>('ed25519_wycheproof_151.json');
    const outcomes = testGroups.flatMap((group) =>
      group.tests.map(({ tcId, msg, sig, result }) => ({
        tcId,
        expected: result === 'valid',
        actual: verifies(sig, msg, group.publicKey.pk),
      })),
    );
    expect(outcomes).toHaveLength(151);
    expect(outcomes.filter(({ expected, actual }) => expected !== actual)).toEqual([]);
  });

  test('accepts the W3C eddsa-jcs-2022 vector, whose hashes are those of its canonical JSON', () => {
    const file = (name: string) => vectorText(`vc-eddsa-jcs-2022/${name}`).trim();
    const canonical = (name: string) => canonicalJson(parseJson(file(name)));
    expect(canonical('unsigned.json')).toBe(file('canonDocJCS.txt'));
    expect(canonical('proofConfigJCS.json')).toBe(file('proofCanonJCS.txt'));
    const combined = `${file('proofHashJCS.txt')}${file('docHashJCS.txt')}`;
    expect(
      ['proofConfigJCS.json', 'unsigned.json']
        .map((name) => bytesToHex(primitives.sha256(Buffer.from(canonical(name)))))
        .join(''),
    ).toBe(combined);
    const [, key = ''] = /did:key:z(\w+)#/.exec(file('proofConfigJCS.json')) ?? [];
    const publicKey = bytesToHex(base58.decode(key).slice(2));
    expect(file('combinedHashJCS.txt')).toBe(combined);
    expect(verifies(file('sigHexJCS.txt'), combined, publicKey)).toBe(true);
    expect(verifies(file('sigHexJCS.txt'), combined.replace('5', '6'), publicKey)).toBe(false);
  });

  test('accepts what was signed and nothing that differs in one bit', () => {
    const message = new TextEncoder().encode('what was done');
    const signature = new Uint8Array(sign(null, message, privateKey));
    expect(verifyStrict(primitives, signature, message, publicBytes)).toBe(true);
    const flip = (bytes: Uint8Array, bit: number) =>
      bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    for (let bit = 0; bit < 512; bit += 7) {
      expect(verifyStrict(primitives, flip(signature, bit), message, publicBytes)).toBe(false);
      expect(verifyStrict(primitives, signature, flip(message, bit % 104), publicBytes)).toBe(false);
      expect(verifyStrict(primitives, signature, message, flip(publicBytes, bit % 256))).toBe(false);
    }
  });

  test('never throws, whatever the bytes and lengths', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 70 }),
      fc.uint8Array({ minLength: 64, maxLength: 64 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
    );
    fc.assert(
      fc.property(bytes, bytes, bytes, (signature, message, key) => {
        expect(verifyStrict(primitives, signature, message, key)).toBe(false);
        expect(primitives.ed25519Verify(signature, message, key)).toBe(false);
      }),
    );
  });

  test('a signature of another length is none, though its number be the same', () => {
    const message = new Uint8Array(3);
    const longer = new Uint8Array([...sign(null, message, privateKey), 0]);
    expect(primitives.ed25519Verify(longer, message, publicBytes)).toBe(false);
    expect(verifyStrict(primitives, longer, message, publicBytes)).toBe(false);
  });

  test('a key that is no point of the curve verifies nothing', () => {
    const message = new Uint8Array(3);
    const signature = new Uint8Array(sign(null, message, privateKey));
    const offCurve = hexToBytes(`02${'00'.repeat(31)}`);
    expect(verifyStrict(primitives, signature, message, offCurve)).toBe(false);
  });
});

test('the strict rule does not lean on the primitive for S, R or the key', () => {
  const lax = { ...nativePrimitives, ed25519Verify: () => true };
  const accepts = (r: string, s: string, key: string) =>
    verifyStrict(lax, hexToBytes(r + s), new Uint8Array(), hexToBytes(key));
  const order = `edd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`;
  const belowOrder = `ecd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`;
  expect(accepts(BASE_POINT, belowOrder, BASE_POINT)).toBe(true);
  expect(accepts(BASE_POINT, order, BASE_POINT)).toBe(false);
  expect(accepts(BASE_POINT, 'ff'.repeat(32), BASE_POINT)).toBe(false);
  for (const encoding of SMALL_ORDER) {
    expect(accepts(encoding, belowOrder, BASE_POINT)).toBe(false);
    expect(accepts(BASE_POINT, belowOrder, encoding)).toBe(false);
  }
});

test('both primitives hash alike and agree on signatures', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      expect(bytesToHex(noblePrimitives.sha256(message))).toBe(bytesToHex(nativePrimitives.sha256(message)));
      const signature = new Uint8Array(sign(null, message, privateKey));
      expect(verifyStrict(noblePrimitives, signature, message, publicBytes)).toBe(true);
      expect(verifyStrict(nativePrimitives, signature, message, publicBytes)).toBe(true);
    }),
    { numRuns: 30 },
  );
});
