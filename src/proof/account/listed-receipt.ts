import { parseTimestamp } from '../encoding/timestamp.ts';
import { linkedAgentOf } from '../log/linked-account.ts';
import type { Primitives } from '../primitives.ts';
import { contentHash, type Receipt } from '../receipt/receipt.ts';
import type { VerdictResult } from '../receipt/verdict.ts';

/** What a line of the list says, as far as the log can prove it. */
export interface ListedReceipt {
  receiptId: string;
  operatorId: string;
  /** `linkedAgentOf` its operator and agent. */
  agent: string;
  /** Unix times in milliseconds. */
  issuedAt: number;
  expiry: number;
  /** The content_hash of the version at its issue, computed. */
  issued: string;
  /** The content_hash of the finalized version, computed; null for a pending receipt. */
  finalized: string | null;
  /** The content_hash of the revoked version; null for a receipt that is not revoked. */
  revoked: string | null;
}

/**
 * Returns what an authentic receipt says. Finalizing changes only the status and the members that go with it,
 * and revoking only revocation_status, so the hashes of the earlier versions can be computed.
 */
export function listedReceipt(primitives: Primitives, receipt: Receipt): ListedReceipt {
  const { receipt_id, operator_id, agent_id, content_hash } = receipt;
  const isRevoked = receipt.revocation_status === 'revoked';
  const isFinal = receipt.status !== 'pending';
  const hashOf = (version: Partial<Receipt>): string =>
    contentHash(primitives, { ...receipt, revocation_status: 'active', ...version });
  return {
    receiptId: receipt_id,
    operatorId: operator_id,
    agent: linkedAgentOf(primitives, operator_id, agent_id),
    issuedAt: parseTimestamp(receipt.issued_at) ?? Number.NaN,
    expiry: parseTimestamp(receipt.expiry) ?? Number.NaN,
    issued: isFinal || isRevoked ? hashOf({ status: 'pending' }) : content_hash,
    finalized: !isFinal ? null : isRevoked ? hashOf({}) : content_hash,
    revoked: isRevoked ? content_hash : null,
  };
}

/** Returns why a receipt is not authentic, whatever its expiry and revocation; null for an authentic one. */
export function forgeryIn({ verdict, authentic, checks, problems }: VerdictResult): string | null {
  if (authentic) return null;
  if (verdict === 'malformed') return `malformed: ${problems.join('; ')}`;
  if (checks.hash !== 'ok') return 'hash_mismatch: its content does not match its content_hash';
  if (checks.key === 'unknown') return 'key_unknown: the key that signed it is not among the trusted keys';
  if (checks.signature !== 'ok') return 'bad_signature: no trusted key made its signature';
  return `key_${checks.key}: the key that signed it has ended`;
}
