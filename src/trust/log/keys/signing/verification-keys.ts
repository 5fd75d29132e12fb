import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { hexToBytes } from '../../../../proof/encoding/hex.ts';
import type { SigningKeyRow } from '../store.ts';
import { allKeys } from '../store.ts';

/** A signing key for verification: its row, and the public key as bytes. */
export type VerificationKey = SigningKeyRow & { raw: Uint8Array };

/** The signing keys of a snapshot, by key_seq. */
export type VerificationKeys = ReadonlyMap<number, VerificationKey>;

/** Reads every signing key, including ended ones. */
export async function verificationKeys(snapshot: Snapshot): Promise<VerificationKeys> {
  const rows = await allKeys(snapshot);
  return new Map(rows.map((row) => [row.keySeq, { ...row, raw: hexToBytes(row.publicKey) }]));
}
