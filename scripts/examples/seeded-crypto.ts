/**
 * Takes the place of `node:crypto` in the sources while examples are recorded, so that every recording has
 * the same keys and identifiers. Each importing file has its own generator, so that one file's use does not
 * change the values of another. ML-DSA signatures stay random: the runtime cannot make them from a seed.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

export * from 'node:crypto';

/** The PKCS #8 headers before the 32 bytes of a seed (RFC 8410, RFC 9881). */
const HEADERS: Readonly<Record<string, string>> = {
  ed25519: '302e020100300506032b657004220420',
  'ml-dsa-44': '3034020100300b060960864801650304031104228020',
};

/** The name of the importing file is the query of the specifier. */
const { search: file } = new URL(import.meta.url);
let draws = 0;

export function randomBytes(size: number): Buffer {
  draws++;
  return createHash('shake256', { outputLength: size }).update(`${file} ${draws}`).digest();
}

/** Returns an integer from 0 to `end` - 1. The small bias does not matter for examples. */
export function randomInt(end: number): number {
  return randomBytes(6).readUIntBE(0, 6) % end;
}

export function randomUUID(): string {
  const digits = randomBytes(16).toString('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

export function generateKeyPairSync(type: string): { privateKey: KeyObject; publicKey: KeyObject } {
  const header = HEADERS[type];
  if (header === undefined) throw new Error(`no seeded key of the type ${type}`);
  const key = Buffer.concat([Buffer.from(header, 'hex'), randomBytes(32)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
