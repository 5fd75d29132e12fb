import { randomBytes } from 'node:crypto';
import type { receipt } from '../../../db/trust/receipts.ts';
import { timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import type { Once } from '../../platform/http/idempotency.ts';
import { newId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { domainCommitment } from '../../proof/receipt.ts';
import { parseTimestamp } from '../../proof/timestamp.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { passGateIn } from '../gate/service.ts';
import type { Principal } from '../operators/principals.ts';
import { mustBeOwnAgent } from './holder.ts';
import { type OwnReceipt, payloadOf, saltedReceipt, withoutSalt } from './present.ts';
import type { Issue } from './schema.ts';
import { hashPrefix, signVersionIn, type Unsigned } from './sign.ts';
import { receiptSql } from './store.ts';

type Row = typeof receipt.$inferSelect;

/**
 * Issues a receipt: pending, signed, durable. @throws ApiError validation_error for an expiry that has passed or a
 * prev_receipt_hash that no version of the operator's receipts had; forbidden for a holder key and another agent;
 * gate_denied.
 */
export async function issue(
  trust: Trust,
  principal: Principal,
  request: Issue,
  once: Once,
): Promise<OwnReceipt> {
  mustBeOwnAgent(principal, request.agent_id);
  return trust.store.write(principal.authority, (tx) =>
    once(tx, () => issueIn(tx, trust, principal, request), withoutSalt),
  );
}

function issueIn(tx: Transaction, trust: Trust, principal: Principal, request: Issue): OwnReceipt {
  const sql = receiptSql(tx);
  const { operatorSeq, operatorId } = principal;
  if ((parseTimestamp(request.expiry) ?? 0) <= trust.clock.now()) {
    throw invalid('expiry', 'must be in the future');
  }
  passGateIn(tx, trust, operatorSeq, request.domain);
  const predecessor = predecessorIn(tx, operatorSeq, request.prev_receipt_hash);
  const blindSalt = request.blind === true ? randomBytes(32).toString('hex') : null;
  const row: Omit<Row, 'receiptSeq'> = {
    receiptId: newId('rcpt_'),
    operatorSeq,
    agentId: request.agent_id,
    receiptType: request.receipt_type,
    inputDigest: request.input_digest,
    authorityScope: request.authority_scope,
    expiry: request.expiry,
    issuedAt: timestamp(trust.clock),
    domain: request.domain,
    domainCommitment:
      blindSalt === null ? null : domainCommitment(nativePrimitives, request.domain, blindSalt),
    blindSalt,
    prevReceiptHash: request.prev_receipt_hash ?? null,
    prevReceiptSeq: predecessor?.receiptSeq ?? null,
    chainDepth: predecessor === null ? 0 : predecessor.chainDepth + 1,
    status: 'pending',
    revocationStatus: 'active',
    version: 1,
  };
  const { receiptSeq } = sql.insert.get(row);
  const stored = { ...row, receiptSeq };
  const version: Unsigned = {
    receiptSeq,
    version: 1,
    status: 'pending',
    revocationStatus: 'active',
    outputHash: null,
    reason: null,
    errorTranche: null,
    revocationReason: null,
  };
  const payload = payloadOf({ receipt: stored, operatorId, current: version });
  const { current, kid } = signVersionIn(tx, trust.signer, version, payload, row.issuedAt);
  return saltedReceipt({ receipt: stored, operatorId, current, kid });
}

function predecessorIn(
  tx: Transaction,
  operatorSeq: number,
  contentHash: string | undefined,
): { receiptSeq: number; chainDepth: number } | null {
  if (contentHash === undefined) return null;
  const found = receiptSql(tx).byContentHash.get({
    operatorSeq,
    contentHash,
    hashPrefix: hashPrefix(contentHash),
  });
  if (found === undefined) throw invalid('prev_receipt_hash', 'is not a content_hash of a receipt of yours');
  return found;
}

function invalid(field: string, message: string) {
  return trustError('validation_error', { issues: { [field]: [message] } });
}
