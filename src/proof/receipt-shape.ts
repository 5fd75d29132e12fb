import { isHex } from './hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  isTerminal,
  outcomeMember,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
  REVOCATION_STATUSES,
  type Receipt,
} from './receipt.ts';
import { parseTimestamp } from './timestamp.ts';

type Check = (value: JsonValue) => boolean;

/** Control characters and lone surrogates have no place in names that people read and programs sign. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const hex =
  (bytes: number): Check =>
  (value) =>
    typeof value === 'string' && isHex(value, bytes);
const oneOf =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && names.includes(value);
const timestamp: Check = (value) => typeof value === 'string' && parseTimestamp(value) !== null;
const reason: Check = (value) =>
  typeof value === 'string' && value.length >= 1 && value.length <= 1024 && value.isWellFormed();

const REQUIRED: Record<string, Check> = {
  receipt_id: matches(/^rcpt_[0-9a-f]{32}$/),
  issued_at: timestamp,
  operator_id: matches(/^op_cus_[0-9A-Za-z]{24}$/),
  agent_id: matches(NAME),
  receipt_type: oneOf(RECEIPT_TYPES),
  status: oneOf(RECEIPT_STATUSES),
  input_digest: hex(32),
  authority_scope: matches(NAME),
  expiry: timestamp,
  revocation_status: oneOf(REVOCATION_STATUSES),
  content_hash: hex(32),
  signature: hex(64),
};

const OPTIONAL: Record<string, Check> = {
  output_hash: hex(32),
  refusal_reason: reason,
  terminal_reason: reason,
  prev_receipt_hash: hex(32),
  domain: oneOf(DOMAINS),
  domain_commitment: hex(32),
  error_tranche: oneOf(ERROR_TRANCHES),
  kid: matches(/^[\w-]{1,128}$/),
  blind_salt: hex(32),
};

const OUTCOME_MEMBERS = ['output_hash', 'refusal_reason', 'terminal_reason'];

/**
 * What keeps `value` from being a receipt of section 2.1: a missing, unknown or ill-formed member, or one that the
 * status does not allow. The signed payload leaves such members out, so they would travel unsigned.
 *
 * @returns one sentence a problem; empty when `value` is a receipt.
 */
export function receiptProblems(value: JsonValue): string[] {
  if (!isJsonObject(value)) return ['a receipt is a JSON object'];
  const problems: string[] = [];
  for (const [member, check] of Object.entries(REQUIRED)) {
    if (!Object.hasOwn(value, member)) problems.push(`${member} is missing`);
    else if (!check(value[member] ?? null)) problems.push(`${member} is not of the right form`);
  }
  for (const member of Object.keys(value)) {
    if (Object.hasOwn(REQUIRED, member)) continue;
    const check = Object.hasOwn(OPTIONAL, member) ? OPTIONAL[member] : undefined;
    if (check === undefined) problems.push(`${JSON.stringify(member)} is not a member of a receipt`);
    else if (!check(value[member] ?? null)) problems.push(`${member} is not of the right form`);
  }
  return problems.length > 0 ? problems : conditionProblems(value);
}

/** Whether `value` is a receipt of section 2.1 in every respect that needs no key. */
export function isReceipt(value: JsonValue): value is JsonObject & Receipt {
  return receiptProblems(value).length === 0;
}

function conditionProblems(receipt: JsonObject): string[] {
  const problems: string[] = [];
  const status = RECEIPT_STATUSES.find((known) => known === receipt.status) ?? 'pending';
  const owed = outcomeMember(status);
  for (const member of OUTCOME_MEMBERS) {
    if (member === owed && !Object.hasOwn(receipt, member)) {
      problems.push(`${member} is missing, which ${isTerminal(status) ? 'a terminal state' : status} needs`);
    }
    if (member !== owed && Object.hasOwn(receipt, member)) {
      problems.push(`${member} does not belong to status ${status}`);
    }
  }
  if (Object.hasOwn(receipt, 'error_tranche') !== (status !== 'pending')) {
    problems.push('error_tranche stands on finalized receipts, and on all of them');
  }
  if (status === 'success' && receipt.error_tranche !== 'NONE') {
    problems.push('error_tranche of a success is NONE');
  }
  if (Object.hasOwn(receipt, 'domain') === Object.hasOwn(receipt, 'domain_commitment')) {
    problems.push('exactly one of domain and domain_commitment is needed');
  }
  if (Object.hasOwn(receipt, 'blind_salt') && !Object.hasOwn(receipt, 'domain_commitment')) {
    problems.push('blind_salt belongs to a blind receipt alone');
  }
  return problems;
}
