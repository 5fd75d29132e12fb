import { expect } from 'bun:test';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { verifierKeyOf } from '../../src/platform/tlog/verifier-key.ts';
import { decodeBase64 } from '../../src/proof/encoding/base64.ts';
import { hexToBytes } from '../../src/proof/encoding/hex.ts';
import { logOfPurpose } from '../../src/proof/log/key-purposes.ts';
import { leafHash, verifyConsistency, verifyInclusion } from '../../src/proof/log/merkle.ts';
import type { VerifierKey } from '../../src/proof/log/note.ts';
import { openCheckpoint } from '../../src/proof/log/note-signature.ts';
import { type client, DIGEST } from './client.ts';
import type { TrustApp } from './trust-app.ts';

type Caller = ReturnType<typeof client>;

export const SUCCESS = { status: 'success', output_hash: DIGEST };

/** Issues a receipt and finalizes it. @returns the receipt */
export async function finalized(
  own: Caller,
  changes: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { body } = await own.issue(changes);
  const { status, body: receipt } = await own.finalize(body.receipt_id, SUCCESS);
  expect(status).toBe(200);
  return receipt;
}

/** Returns the keys of one log of a service, by its origin, from the published response. */
export async function logKeys(anyone: Caller, origin: string): Promise<VerifierKey[]> {
  const { body } = await anyone.get('/api/v1/transparency/keys');
  const rows: { purpose: string; algorithm: 'Ed25519' | 'ML-DSA-44'; public_key: string }[] = Object(
    body.keys,
  );
  return rows
    .filter(({ purpose }) => origin.endsWith(`/${logOfPurpose(purpose)}`))
    .map(({ algorithm, public_key }) => verifierKeyOf({ algorithm, publicKey: public_key }, origin));
}

/** Returns a log's newest checkpoint, verified with the published keys. */
export async function latest(anyone: Caller, log = 'receipts') {
  const { status, body } = await anyone.get(`/api/v1/receipts/checkpoints/latest?log=${log}`);
  expect(status).toBe(200);
  const origin = String(body.origin);
  const { checkpoint, checks } = openCheckpoint(
    nativePrimitives,
    Buffer.from(String(body.note)),
    await logKeys(anyone, origin),
  );
  expect(checkpoint).toMatchObject({
    origin,
    size: Number(body.tree_size),
    root: hexToBytes(String(body.root_hash)),
  });
  return { body, checkpoint, checks };
}

/**
 * Checks that a manifest's inclusion path proves its leaf for a checkpoint that verifies.
 * @returns the leaf's entry
 */
export async function provenEntry(app: TrustApp, receiptId: unknown): Promise<Record<string, unknown>> {
  const { body } = await app.anyone.get(`/api/v1/receipts/${receiptId}/public-manifest`);
  const path = Object(body.inclusion_path);
  expect([receiptId, body.inclusion_reason]).toEqual([receiptId, undefined]);
  const { checkpoint } = openCheckpoint(
    nativePrimitives,
    Buffer.from(path.checkpoint),
    await logKeys(app.anyone, path.log),
  );
  const leaf = leafHash(nativePrimitives, Buffer.from(path.leaf_entry));
  expect(path.leaf_hash).toBe(Buffer.from(leaf).toString('hex'));
  expect(checkpoint).toMatchObject({ origin: path.log, size: path.tree_size });
  expect(
    verifyInclusion(nativePrimitives, {
      leaf,
      index: path.leaf_index,
      size: checkpoint.size,
      path: path.hashes.map((hash: string) => decodeBase64(hash)),
      root: checkpoint.root,
    }),
  ).toBe(true);
  return JSON.parse(path.leaf_entry);
}

/** Checks that a service proves that one tree is a prefix of another. */
export async function consistent(anyone: Caller, from: number, to: number, log = 'receipts'): Promise<void> {
  const { status, body } = await anyone.get(
    `/api/v1/receipts/checkpoints/consistency?from=${from}&to=${to}&log=${log}`,
  );
  expect([from, to, status]).toEqual([from, to, 200]);
  const hashes: string[] = Object(body.hashes);
  expect(
    verifyConsistency(nativePrimitives, {
      from,
      to,
      fromRoot: hexToBytes(String(body.from_root)),
      toRoot: hexToBytes(String(body.to_root)),
      path: hashes.map((hash) => decodeBase64(hash) ?? new Uint8Array()),
    }),
  ).toBe(true);
}
