import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { getAddress, isAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { addressOf, eip55 } from '../../../../../src/trust/ledger/wallets/address.ts';
import { addressOfKey, isPrivateKey } from '../../../../../src/trust/ledger/wallets/keys.ts';

/**
 * The test vectors of EIP-55 (https://eips.ethereum.org/EIPS/eip-55): all upper case, all lower case, and
 * mixed.
 */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

/**
 * Public keys of tests: the first accounts of Hardhat's and Ganache's published mnemonics, and the private
 * key 1.
 */
const ACCOUNTS = [
  [
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  ],
  [
    '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  [
    '0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d',
    '0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1',
  ],
  [
    '0x0000000000000000000000000000000000000000000000000000000000000001',
    '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  ],
] as const;

/** secp256k1 (SEC 2, section 2.4.1): y² = x³ + 7 over P, with the generator G of order N. */
const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];
type Point = [x: bigint, y: bigint] | null;

const mod = (value: bigint): bigint => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [mod(base), exponent]; rest > 0n; rest >>= 1n, square = mod(square * square)) {
    if ((rest & 1n) === 1n) result = mod(result * square);
  }
  return result;
}

function sum(a: Point, b: Point): Point {
  if (a === null) return b;
  if (b === null) return a;
  if (a[0] === b[0] && a[1] !== b[1]) return null;
  const slope =
    a[0] === b[0]
      ? mod(3n * a[0] * a[0] * power(2n * a[1], P - 2n))
      : mod((b[1] - a[1]) * power(mod(b[0] - a[0]), P - 2n));
  const x = mod(slope * slope - a[0] - b[0]);
  return [x, mod(slope * (a[0] - x) - a[1])];
}

/** A public key by the textbook: slow, and independent of every library. */
function publicKeyOf(secret: bigint): Uint8Array {
  let point: Point = null;
  for (
    let [double, rest]: [Point, bigint] = [G, secret];
    rest > 0n;
    rest >>= 1n, double = sum(double, double)
  ) {
    if ((rest & 1n) === 1n) point = sum(point, double);
  }
  const hex = (point ?? [0n, 0n]).map((value) => value.toString(16).padStart(64, '0')).join('');
  return Uint8Array.fromHex(`04${hex}`);
}

const hexOf = (secret: bigint): `0x${string}` => `0x${secret.toString(16).padStart(64, '0')}`;

describe('an address', () => {
  test.each(EIP_55)('%s of EIP-55 is written as the standard writes it', (address) => {
    expect(String(eip55(address))).toBe(address);
    expect(String(eip55(address.toLowerCase()))).toBe(address);
    expect(String(eip55(`0x${address.slice(2).toUpperCase()}`))).toBe(address);
  });

  test('in mixed case with a wrong checksum is no address, whichever letter is wrong', () => {
    const [, , , , mixed = ''] = EIP_55;
    for (const [at, letter] of Array.from(mixed).entries()) {
      if (at < 2 || !/[a-f]/i.test(letter)) continue;
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      expect(eip55(mixed.slice(0, at) + other + mixed.slice(at + 1))).toBeNull();
    }
  });

  test.each(['', '0x', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'x'.repeat(42), `${EIP_55[0]}0`])(
    'is not %p',
    (text) => {
      expect(eip55(text)).toBeNull();
    },
  );

  test('is written as viem writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const lower = `0x${bytes.toHex()}`;
        const written = eip55(lower);
        expect(String(written)).toBe(getAddress(lower));
        expect(isAddress(String(written))).toBe(true);
      }),
    );
  });
});

describe('the address of a key', () => {
  test.each(ACCOUNTS)('%s is the published one', async (key, address) => {
    expect(String(await addressOfKey(key))).toBe(address);
    expect(String(addressOf(publicKeyOf(BigInt(key))))).toBe(address);
  });

  test('is that of viem, and of the curve by the textbook', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: N - 1n }), async (secret) => {
        const key = hexOf(secret);
        const address = await addressOfKey(key);
        expect(address).toBe(privateKeyToAddress(key));
        expect(address).toBe(addressOf(publicKeyOf(secret)));
      }),
      { numRuns: 12, examples: [[1n], [N - 1n]] },
    );
  });

  test('exists for the numbers from 1 to the order of the curve minus 1, and the error does not show the text', async () => {
    expect([1n, N - 1n].map((secret) => isPrivateKey(hexOf(secret)))).toEqual([true, true]);
    for (const text of [hexOf(0n), hexOf(N), hexOf(2n ** 256n - 1n), '0x1', 'ab'.repeat(33)]) {
      expect(isPrivateKey(text)).toBe(false);
      const error = await addressOfKey(text).catch((thrown: unknown) => thrown);
      expect(String(error)).toBe('RangeError: not a private key');
    }
  });

  test('needs an uncompressed public key', () => {
    expect(() => addressOf(new Uint8Array(33))).toThrow('not an uncompressed public key');
    expect(() => addressOf(new Uint8Array(65))).toThrow('not an uncompressed public key');
  });
});
