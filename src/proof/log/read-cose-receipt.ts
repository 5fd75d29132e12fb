import { CborError, CborReader } from '../encoding/cbor-reader.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import { kidOf } from '../keys/kid.ts';
import type { Primitives } from '../primitives.ts';
import { COSE_NUMBERS, type CoseStatement, coseMessage, type InclusionPath } from './cose-receipt.ts';
import { keysFor, type LogKey, type LogVerdict, ofOpenLogs } from './log-keys.ts';
import { isOriginOf, originOf } from './log-names.ts';
import { HASH_BYTES, leafHash, rootOf } from './merkle.ts';
import { SIGNATURE_TYPES } from './note.ts';

/** A COSE receipt, read and not verified. */
export interface CoseReceipt extends CoseStatement, InclusionPath {
  /** The protected header, encoded. */
  header: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
}

/** Reports bytes that are not a COSE receipt of this service. */
export class CoseReceiptError extends Error {
  override readonly name = 'CoseReceiptError';
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const { tag, labels, claims, eddsa, rfc9162Sha256, inclusionProofs } = COSE_NUMBERS;
const SIGNATURE_BYTES = 64;
/** As of the proofs in text form. */
const MAX_HASHES = 63;

/** The first bytes of every COSE receipt: its tag, and an array of four. */
const COSE_RECEIPT_START: readonly number[] = [0xd2, 0x84];

/** Returns whether bytes begin like a COSE receipt. No text that is signed begins with its first byte. */
export function isCoseReceipt(bytes: Uint8Array): boolean {
  return COSE_RECEIPT_START.every((byte, index) => bytes[index] === byte);
}

/**
 * Reads a COSE receipt as `formatCoseReceipt` writes it: every other encoding of the same values is refused.
 * @throws CoseReceiptError
 */
export function readCoseReceipt(bytes: Uint8Array): CoseReceipt {
  try {
    const message = new CborReader(bytes);
    message.tag(tag);
    message.arrayOf(4);
    const header = message.bytes();
    message.mapOf(1);
    message.only(labels.vdp);
    message.mapOf(1);
    message.only(inclusionProofs);
    message.arrayOf(1);
    const proof = message.bytes();
    message.null();
    const signature = message.bytes();
    message.end();
    if (signature.length !== SIGNATURE_BYTES) return fail('the signature does not have 64 bytes');
    return { ...statementIn(header), ...proofIn(proof), header, signature };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    return fail(error.message);
  }
}

function statementIn(header: Uint8Array): CoseStatement {
  const members = new CborReader(header);
  members.mapOf(4);
  members.only(labels.alg);
  members.only(eddsa);
  members.only(labels.kid);
  const kid = kidIn(members.bytes());
  members.only(labels.claims);
  members.mapOf(2);
  members.only(claims.iss);
  const issuer = members.text();
  members.only(claims.sub);
  const subject = members.text();
  members.only(labels.vds);
  members.only(rfc9162Sha256);
  members.end();
  if (!isOriginOf(subject, 'receipts') || originOf(issuer, 'receipts') !== subject)
    return fail('its log (sub) is not that of the receipts of its service (iss)');
  return { kid, issuer, subject };
}

function kidIn(bytes: Uint8Array): string {
  const kid = bytes.every((byte) => byte < 0x80) ? fromUtf8.decode(bytes) : '';
  return /^[\w-]{43}$/.test(kid) ? kid : fail('its kid is not 43 characters of base64url');
}

function proofIn(bytes: Uint8Array): InclusionPath {
  const proof = new CborReader(bytes);
  proof.arrayOf(3);
  const size = proof.count();
  const index = proof.count();
  const length = proof.array();
  if (length < 1 || length > MAX_HASHES) return fail('a proof has 1 to 63 hashes');
  const path = Array.from({ length }, () => proof.bytes());
  proof.end();
  if (path.some((hash) => hash.length !== HASH_BYTES)) return fail('a hash does not have 32 bytes');
  return { size, index, path };
}

/** What is wrong with a COSE receipt of an entry. `key_unknown`: no trusted key of its log has its kid. */
export type CoseCheck = 'ok' | 'key_unknown' | 'key_retired' | LogVerdict | 'bad_path' | 'bad_signature';

/**
 * Verifies that a trusted key of a log signed the root that an entry has by the path of a COSE receipt. A
 * compromised key is not among the trusted ones. A retired one does not count, because the receipt has no
 * time: get it again, signed by the active key.
 */
export function checkCoseReceipt(
  primitives: Primitives,
  { kid, subject, header, signature, size, index, path }: CoseReceipt,
  entry: Uint8Array,
  keys: readonly LogKey[],
): CoseCheck {
  // Nothing signs the size, so the receipt cannot be compared with what a closed log had become.
  const { own, verdict } = keysFor(ofOpenLogs(keys), subject);
  const named = own.filter(
    ({ type, publicKey }) => type === SIGNATURE_TYPES.ed25519 && kidOf(primitives, publicKey) === kid,
  );
  const [key] = named;
  if (key === undefined) return 'key_unknown';
  if (verdict !== null) return verdict;
  if (named.some(({ until }) => until !== null)) return 'key_retired';
  const root = rootOf(primitives, { leaf: leafHash(primitives, entry), index, size, path });
  if (root === null) return 'bad_path';
  const message = coseMessage(header, root);
  return verifyStrict(primitives, signature, message, key.publicKey) ? 'ok' : 'bad_signature';
}

function fail(message: string): never {
  throw new CoseReceiptError(message);
}
