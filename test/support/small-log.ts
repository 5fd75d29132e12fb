import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { thumbprintOf } from '../../src/proof/keys/kid.ts';
import { signedObjectMessage } from '../../src/proof/keys/signed-object.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import { receiptEntryText } from '../../src/proof/log/log-entry.ts';
import {
  Frontier,
  inclusionPath,
  leafHash,
  type NodeReader,
  nodeHash,
  treeRoot,
} from '../../src/proof/log/merkle.ts';
import { formatNote, keyIdOf, type NoteSignature, SIGNATURE_TYPES } from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
import { formatTlogProof } from '../../src/proof/log/tlog-proof.ts';
import {
  contentHash,
  type Receipt,
  type ReceiptPayload,
  signingMessage,
} from '../../src/proof/receipt/receipt.ts';

/**
 * A key of a service for tests, made from a seed of 32 bytes that repeats one byte, so that it is the same
 * every time.
 */
export interface TestKey {
  privateKey: KeyObject;
  algorithm: 'Ed25519' | 'ML-DSA-44';
  /** Raw, hexadecimal. */
  public_key: string;
  kid: string;
}

/** PKCS #8 up to the seed, by algorithm (RFC 8410; RFC 9881, the seed alone). */
const PKCS8 = {
  Ed25519: '302e020100300506032b657004220420',
  'ML-DSA-44': '3034020100300b060960864801650304031104228020',
};

export function testKey(seed: number, algorithm: TestKey['algorithm'] = 'Ed25519'): TestKey {
  const der = Buffer.concat([Buffer.from(PKCS8[algorithm], 'hex'), Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const raw = new Uint8Array(spki.subarray(algorithm === 'Ed25519' ? -32 : -1312));
  return {
    privateKey,
    algorithm,
    public_key: bytesToHex(raw),
    kid: thumbprintOf(nativePrimitives, algorithm, raw),
  };
}

/** Returns the root of a log with these entries, in hexadecimal. */
export function rootOfEntries(entries: readonly string[]): string {
  const frontier = new Frontier(nativePrimitives);
  for (const entry of entries) frontier.append(leafHash(nativePrimitives, Buffer.from(entry)));
  return bytesToHex(frontier.root());
}

/** Returns a key's row in the response of /api/v1/transparency/keys. */
export function keyRow(
  { kid, public_key, algorithm }: TestKey,
  purpose: string,
  changes: JsonObject = {},
): JsonObject {
  return {
    kid,
    public_key,
    algorithm,
    purpose,
    status: 'active',
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: null,
    log_index: 0,
    receipts_logs: [],
    receipts_tree_size: null,
    ...changes,
  };
}

/** Signs a payload as the service does. */
export function signedReceipt(key: TestKey, payload: ReceiptPayload): Receipt & { kid: string } {
  const content_hash = contentHash(nativePrimitives, payload);
  const signature = bytesToHex(signEd25519(key.privateKey, signingMessage(content_hash)));
  return { ...payload, content_hash, signature, kid: key.kid };
}

/** Signs a service's statement about a receipt, or any other object with its signature. */
export function signedObject(key: TestKey, said: JsonObject): JsonObject {
  const signature = signEd25519(key.privateKey, signedObjectMessage(nativePrimitives, said));
  return { ...said, signature: bytesToHex(signature), kid: key.kid };
}

/** Returns the leaf of a finalized receipt. */
export function leafOf(
  { receipt_id, content_hash, signature, kid = '' }: Receipt,
  finalized_at: string,
): string {
  return receiptEntryText({ receipt_id, content_hash, signature, kid, finalized_at });
}

/** A log in memory. */
export interface SmallLog {
  origin: string;
  entries: readonly string[];
  /** Of the perfect subtrees; computed anew at every call. */
  node: NodeReader;
  root: Uint8Array;
  /** Signed by all its keys, those by ML-DSA-44 with the time. */
  checkpoint: string;
  /** C2SP tlog-proof text. */
  proof(index: number): string;
  /** Returns the members of a public manifest. */
  manifest(index: number): JsonObject;
}

/** @param seconds the time of the checkpoint's signature, in seconds since 1970 */
export function smallLog(
  origin: string,
  entries: readonly string[],
  keys: readonly TestKey[],
  seconds = 1_780_000_000,
): SmallLog {
  const leaves = entries.map((entry) => leafHash(nativePrimitives, Buffer.from(entry)));
  const node: NodeReader = (level, index) =>
    level === 0
      ? (leaves[index] ?? new Uint8Array())
      : nodeHash(nativePrimitives, node(level - 1, 2 * index), node(level - 1, 2 * index + 1));
  const root = treeRoot(nativePrimitives, entries.length, node);
  const text = checkpointText({ origin, size: entries.length, root });
  const checkpoint = formatNote({ text, signatures: keys.map((key) => signed(key, text, origin, seconds)) });
  const path = (index: number) => inclusionPath(nativePrimitives, index, entries.length, node);
  return {
    origin,
    entries,
    node,
    root,
    checkpoint,
    proof: (index) =>
      formatTlogProof({ extra: Buffer.from(entries[index] ?? ''), index, path: path(index), checkpoint }),
    manifest: (index) => ({
      inclusion_path: {
        log: origin,
        leaf_index: index,
        tree_size: entries.length,
        leaf_entry: entries[index] ?? '',
        leaf_hash: bytesToHex(leaves[index] ?? new Uint8Array()),
        hashes: path(index).map(encodeBase64),
        checkpoint,
      },
    }),
  };
}

function signed(key: TestKey, text: string, origin: string, seconds: number): NoteSignature {
  const { type, name, keyId } = verifierOf(key, origin);
  const message = signedMessage(type, text, name, seconds);
  return type === SIGNATURE_TYPES.ed25519
    ? { name, keyId, signature: new Uint8Array(signEd25519(key.privateKey, message)) }
    : { name, keyId, signature: cosignatureBytes(seconds, signMlDsa44(key.privateKey, message)) };
}

/** Returns the verifier key for notes of one log. */
export function verifierOf({ algorithm, public_key }: TestKey, name: string) {
  const type = algorithm === 'Ed25519' ? SIGNATURE_TYPES.ed25519 : SIGNATURE_TYPES.mlDsa44;
  const publicKey = new Uint8Array(Buffer.from(public_key, 'hex'));
  return { name, type, publicKey, keyId: keyIdOf(nativePrimitives, name, type, publicKey) };
}
