import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { kidOf } from '../../../../src/proof/keys/kid.ts';
import type { TrustedKey } from '../../../../src/proof/keys/trusted-keys.ts';
import {
  contentHash,
  domainCommitment,
  type Receipt,
  type ReceiptPayload,
  signingMessage,
} from '../../../../src/proof/receipt/receipt.ts';

export const NOW = Date.UTC(2026, 5, 1);

export interface Signer {
  privateKey: KeyObject;
  key: TrustedKey;
}

/** A fresh key for receipts and the row under which it is published. */
export function newSigner(row: Partial<TrustedKey> = {}): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const key: TrustedKey = {
    kid: kidOf(nativePrimitives, bytes),
    public_key: bytesToHex(bytes),
    purpose: 'receipts',
    status: 'active',
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: null,
    receipts_logs: [],
    receipts_tree_size: null,
    ...row,
  };
  return { privateKey, key };
}

export const PENDING: ReceiptPayload = {
  receipt_id: 'rcpt_0197284f7a2b7c3d8e9f0a1b2c3d4e5f',
  issued_at: '2026-05-01T12:00:00.000Z',
  operator_id: 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2',
  agent_id: 'agent-7',
  receipt_type: 'custody',
  status: 'pending',
  input_digest: 'ab'.repeat(32),
  authority_scope: 'payments:read',
  expiry: '2027-05-01T12:00:00.000Z',
  revocation_status: 'active',
  domain: 'CODE_GENERATION',
};

export const BLIND_SALT = '5a'.repeat(32);
const { domain: _, ...DOMAINLESS } = PENDING;

/** One payload of every kind that the service issues. */
export const PAYLOADS: { [kind: string]: ReceiptPayload } = {
  pending: PENDING,
  success: { ...PENDING, status: 'success', output_hash: 'cd'.repeat(32), error_tranche: 'NONE' },
  refusal: { ...PENDING, status: 'refusal', refusal_reason: 'Out of scope.\n', error_tranche: 'SLA_BREACH' },
  null: { ...PENDING, status: 'null', refusal_reason: 'Nothing to do 🙂', error_tranche: 'NONE' },
  timeout: { ...PENDING, status: 'timeout', terminal_reason: 'Too slow', error_tranche: 'COMPUTE_TIMEOUT' },
  chained: { ...PENDING, prev_receipt_hash: 'ef'.repeat(32) },
  blind: {
    ...DOMAINLESS,
    domain_commitment: domainCommitment(nativePrimitives, 'CODE_GENERATION', BLIND_SALT),
  },
};

/** Signs a payload as the service does. */
export function signReceipt(signer: Signer, payload: ReceiptPayload): Receipt & { kid: string } {
  const content_hash = contentHash(nativePrimitives, payload);
  const signature = bytesToHex(signEd25519(signer.privateKey, signingMessage(content_hash)));
  return { ...payload, content_hash, signature, kid: signer.key.kid };
}

/** A receipt as it arrives: parsed from text, so that tests can spoil it without the compiler's leave. */
export function asDocument(receipt: Receipt, changes: JsonObject = {}): JsonObject {
  return { ...JSON.parse(JSON.stringify(receipt)), ...changes };
}

/** `document` without `member`. */
export function without(document: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== member));
}
