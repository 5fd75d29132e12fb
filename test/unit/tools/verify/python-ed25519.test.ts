import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { hasOpensslLibrary, hasPython, verifiedByPython } from '../../../support/python.ts';
import { vectorJson } from '../../../support/vectors.ts';

interface Case {
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}

/**
 * Returns the signature of a new key with changes of everything in it, and under keys of small order; only
 * the first is valid.
 */
function changesOfOne(): Case[] {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = new Uint8Array(pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const message = Buffer.from('what was done');
  const good = sign(null, message, pair.privateKey);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const littleEndian = (number: bigint) =>
    Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
  const s = BigInt(`0x${Buffer.from(good.subarray(32)).reverse().toString('hex')}`);
  const prime = 2n ** 255n - 19n;
  const top = 2n ** 255n;
  const y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
  const small = [0n, 1n, prime - 1n, prime, prime + 1n, y8, prime - y8]
    .flatMap((y) => [y, y + top])
    .map(littleEndian);
  return [
    { publicKey, message, signature: good },
    { publicKey, message, signature: Buffer.concat([good.subarray(0, 32), littleEndian(s + order)]) },
    { publicKey, message, signature: good.subarray(1) },
    { publicKey, message, signature: Buffer.concat([good, Buffer.of(0)]) },
    { publicKey: publicKey.subarray(1), message, signature: good },
    { publicKey: hexToBytes(`02${'00'.repeat(31)}`), message, signature: good },
    { publicKey, message: Buffer.of(), signature: good },
    { publicKey, message: Buffer.concat([message, Buffer.of(0)]), signature: good },
    ...[0, 31, 32, 63].map((at) => ({
      publicKey,
      message,
      signature: good.map((byte, index) => (index === at ? byte ^ 1 : byte)),
    })),
    // Under a key of small order these fit one message in eight, or every one.
    ...small.flatMap((point) => [
      { publicKey: point, message, signature: Buffer.concat([point, Buffer.alloc(32)]) },
      { publicKey: point, message, signature: Buffer.concat([littleEndian(1n), Buffer.alloc(32)]) },
      { publicKey, message, signature: Buffer.concat([point, good.subarray(32)]) },
    ]),
  ];
}

function publicVectors(): Case[] {
  const cctv = vectorJson<{ key: string; sig: string; msg: string }[]>('ed25519_cctv_914.json');
  const check =
    vectorJson<{ message: string; pub_key: string; signature: string }[]>('ed25519_speccheck_12.json');
  type Group = { publicKey: { pk: string }; tests: { msg: string; sig: string }[] };
  const { testGroups } = vectorJson<{ testGroups: Group[] }>('ed25519_wycheproof_151.json');
  const hex = (publicKey: string, message: string, signature: string): Case => ({
    publicKey: hexToBytes(publicKey),
    message: hexToBytes(message),
    signature: hexToBytes(signature),
  });
  return [
    ...cctv.map(({ key, sig, msg }) => hex(key, Buffer.from(msg).toString('hex'), sig)),
    ...check.map(({ message, pub_key, signature }) => hex(pub_key, message, signature)),
    ...testGroups.flatMap(({ publicKey, tests }) => tests.map(({ msg, sig }) => hex(publicKey.pk, msg, sig))),
  ];
}

const changes = changesOfOne();
const all = [...changes, ...publicVectors()];
const accepts = ({ signature, message, publicKey }: Case): boolean =>
  verifyStrict(nativePrimitives, signature, message, publicKey);

describe.each([
  { by: 'library' as const, isThere: hasOpensslLibrary(), cases: all },
  // The command refuses an empty file; nothing that is signed here is empty.
  { by: 'command' as const, isThere: hasPython, cases: all.filter(({ message }) => message.length > 0) },
])('src/tools/python/verify.py with the $by of OpenSSL', ({ by, isThere, cases }) => {
  test.skipIf(!isThere)('is as strict about Ed25519 as the program, in all public vectors', async () => {
    const ours = cases.map(accepts);
    expect(await verifiedByPython(cases, by)).toEqual(ours);
    expect(changes.filter(accepts)).toEqual(changes.slice(0, 1));
  });
});
