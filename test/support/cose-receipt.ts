import { createHash } from 'node:crypto';
import { Algorithms, Sign1 } from '@auth0/cose';
import { Decoder } from 'cbor-x';

/**
 * A verifier of COSE receipts that shares no code with `src`: CBOR by cbor-x, the signature by @auth0/cose,
 * and the root by the procedure of docs/verification/logs.md.
 */

const cbor = new Decoder({ mapsAsObjects: false });

/** What a receipt states. The signature covers all but the size and the index. */
export interface ReadReceipt {
  kid: string;
  issuer: unknown;
  subject: unknown;
  size: number;
  index: number;
}

/**
 * Verifies a COSE receipt of an entry.
 * @param keys public keys that are trusted for the log, hexadecimal, by kid
 * @throws Error saying what is wrong, or an error of a library
 */
export async function verifyCoseReceipt(
  receipt: Uint8Array,
  entry: string,
  keys: ReadonlyMap<string, string>,
): Promise<ReadReceipt> {
  demand(receipt[0] === 0xd2, 'the message is not tagged as COSE_Sign1');
  const message = Sign1.decode(receipt);
  demand(message.payload === null, 'the payload is not detached');
  const header = mapOf(message.protectedHeaders);
  demand(header.get(1) === -8, 'the algorithm is not EdDSA');
  demand(header.get(395) === 1, 'the tree is not RFC9162_SHA256');
  const kid = Buffer.from(bytesOf(header.get(4))).toString();
  const publicKey = keys.get(kid);
  if (publicKey === undefined) throw new Error('the key is unknown');
  const claims = mapOf(header.get(15));
  const proofs = mapOf(mapOf(message.unprotectedHeaders).get(396)).get(-1);
  demand(Array.isArray(proofs) && proofs.length === 1, 'there is not one inclusion proof');
  const [size, index, path, ...more] = arrayOf(cbor.decode(bytesOf(arrayOf(proofs)[0])));
  demand(more.length === 0, 'the inclusion proof has other members');
  const position = { size: Number(size), index: Number(index) };
  const root = rootOf(entry, position, arrayOf(path).map(bytesOf));
  const key = await crypto.subtle.importKey('raw', Buffer.from(publicKey, 'hex'), 'Ed25519', true, [
    'verify',
  ]);
  await message.verify(key, { detachedPayload: root, algorithms: [Algorithms.EdDSA] });
  return { kid, issuer: claims.get(1), subject: claims.get(2), ...position };
}

/** Computes the root from an entry and its path (RFC 9162 section 2.1.3.2). @throws Error */
function rootOf(
  entry: string,
  { size, index }: { size: number; index: number },
  path: readonly Uint8Array[],
): Uint8Array {
  demand(Number.isSafeInteger(size) && Number.isSafeInteger(index) && index < size, 'no such leaf');
  let hash = sha256(Buffer.of(0), Buffer.from(entry));
  let node = index;
  let last = size - 1;
  for (const sibling of path) {
    demand(last > 0 && sibling.length === 32, 'a hash is too much or too long');
    if (node % 2 === 1 || node === last) {
      hash = sha256(Buffer.of(1), sibling, hash);
      while (node % 2 === 0 && node > 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else hash = sha256(Buffer.of(1), hash, sibling);
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  demand(last === 0, 'hashes are missing');
  return hash;
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());
}

function demand(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('this is no byte string');
  return value;
}

function arrayOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('this is no array');
  return value;
}

function mapOf(value: unknown): Map<unknown, unknown> {
  if (!(value instanceof Map)) throw new Error('this is no map');
  return value;
}
