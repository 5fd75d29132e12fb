import { canonicalJson } from '../encoding/canonical-json.ts';
import { textDigest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';

export const RECEIPT_TYPES = ['custody', 'competence'] as const;
export const DOMAINS = [
  'FINANCIAL_CLEARING',
  'CUSTOMER_SUPPORT',
  'CODE_GENERATION',
  'SYSTEM_INTEGRATION',
] as const;
/** The states in which an agent's work ended without an outcome; `terminal` is the general one. */
export const TERMINAL_STATUSES = ['terminal', 'graceful_shutdown', 'timeout', 'failure_tombstone'] as const;
/** The states to which a receipt can be finalized. */
export const OUTCOMES = ['success', 'refusal', 'null', ...TERMINAL_STATUSES] as const;
export const RECEIPT_STATUSES = ['pending', ...OUTCOMES] as const;
export const REVOCATION_STATUSES = ['active', 'revoked'] as const;
export const ERROR_TRANCHES = [
  'DATA_LEAKAGE',
  'COMPUTE_TIMEOUT',
  'LOGIC_DETECTION',
  'SLA_BREACH',
  'NONE',
] as const;

export type ReceiptType = (typeof RECEIPT_TYPES)[number];
export type Domain = (typeof DOMAINS)[number];
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];
export type RevocationStatus = (typeof REVOCATION_STATUSES)[number];
export type ErrorTranche = (typeof ERROR_TRANCHES)[number];

/** The signed part of a receipt: section 2.1 of the service's specification without the envelope. */
export interface ReceiptPayload {
  receipt_id: string;
  issued_at: string;
  operator_id: string;
  agent_id: string;
  receipt_type: ReceiptType;
  status: ReceiptStatus;
  input_digest: string;
  authority_scope: string;
  expiry: string;
  revocation_status: RevocationStatus;
  output_hash?: string;
  refusal_reason?: string;
  terminal_reason?: string;
  prev_receipt_hash?: string;
  domain?: Domain;
  domain_commitment?: string;
  error_tranche?: ErrorTranche;
}

/** A receipt as it is sent: the payload and the unsigned members. */
export interface Receipt extends ReceiptPayload {
  content_hash: string;
  signature: string;
  kid?: string;
  /** Null in the replay of a response, which does not repeat the salt. */
  blind_salt?: string | null;
}

/** Returns whether work with this status ended without an outcome. */
export function isTerminal(status: ReceiptStatus): status is TerminalStatus {
  return TERMINAL_STATUSES.some((terminal) => terminal === status);
}

export type OutcomeMember = 'output_hash' | 'refusal_reason' | 'terminal_reason';

/**
 * Returns the outcome member that a status requires; other outcome members are not allowed with it (section
 * 2.3). Null for `pending`.
 */
export function outcomeMember(status: ReceiptStatus): OutcomeMember | null {
  switch (status) {
    case 'pending':
      return null;
    case 'success':
      return 'output_hash';
    case 'refusal':
    case 'null':
      return 'refusal_reason';
    default:
      return 'terminal_reason';
  }
}

/**
 * Returns the canonical object of section 2.3: exactly the members that the receipt's status and form
 * require. The commitment of a blind receipt has the name `domain`. The members are in canonical order, so
 * that `canonicalJson` does not have to sort them.
 */
export function canonicalPayload(receipt: ReceiptPayload): JsonObject {
  const payload: JsonObject = { agent_id: receipt.agent_id, authority_scope: receipt.authority_scope };
  const member = outcomeMember(receipt.status);
  const outcome = member === null ? undefined : receipt[member];
  const domain = receipt.domain_commitment ?? receipt.domain;
  if (domain !== undefined) payload.domain = domain;
  if (receipt.status !== 'pending' && receipt.error_tranche !== undefined) {
    payload.error_tranche = receipt.error_tranche;
  }
  payload.expiry = receipt.expiry;
  payload.input_digest = receipt.input_digest;
  payload.issued_at = receipt.issued_at;
  payload.operator_id = receipt.operator_id;
  if (member === 'output_hash' && outcome !== undefined) payload.output_hash = outcome;
  if (receipt.prev_receipt_hash !== undefined) payload.prev_receipt_hash = receipt.prev_receipt_hash;
  payload.receipt_id = receipt.receipt_id;
  payload.receipt_type = receipt.receipt_type;
  if (member === 'refusal_reason' && outcome !== undefined) payload.refusal_reason = outcome;
  payload.revocation_status = receipt.revocation_status;
  payload.status = receipt.status;
  if (member === 'terminal_reason' && outcome !== undefined) payload.terminal_reason = outcome;
  return payload;
}

/**
 * Computes a receipt's content_hash: the lower-case hexadecimal SHA-256 of the canonical JSON of its payload
 * (section 2.3, steps 1 to 3). The content_hash that the receipt states is ignored. @throws
 * CanonicalJsonError
 */
export function contentHash(primitives: Primitives, receipt: ReceiptPayload): string {
  return textDigest(primitives, canonicalJson(canonicalPayload(receipt)));
}

const utf8 = new TextEncoder();

/**
 * Returns the message for the Ed25519 signature: the UTF-8 of the 64-character content_hash (section 2.3,
 * step 4).
 */
export function signingMessage(contentHash: string): Uint8Array {
  return utf8.encode(contentHash);
}

/**
 * Returns the domain commitment of a blind receipt: the hexadecimal SHA-256 of the domain followed by the
 * salt, as UTF-8.
 */
export function domainCommitment(primitives: Primitives, domain: string, blindSalt: string): string {
  return textDigest(primitives, domain + blindSalt);
}
