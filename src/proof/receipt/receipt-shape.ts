import { isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { isReceiptId } from '../encoding/receipt-id.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  outcomeMember,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
  REVOCATION_STATUSES,
  type Receipt,
} from './receipt.ts';

/** The form of the id of an operator. */
export const OPERATOR_ID = /^op_cus_[A-Za-z0-9]{24}$/;

/** The format of a member: a test, and its description for messages. */
interface Form {
  fits(text: string): boolean;
  words: string;
}

const hex = (bytes: number): Form => ({
  fits: (text) => isHex(text, bytes),
  words: `${bytes * 2} lower-case hexadecimal characters`,
});
const oneOf = (names: readonly string[]): Form => ({
  fits: (text) => names.includes(text),
  words: `one of ${names.join(', ')}`,
});
const matching = (pattern: RegExp, words: string): Form => ({ fits: (text) => pattern.test(text), words });

// Characters are Unicode code points. A lone surrogate has no UTF-8 encoding, so it cannot be signed.
const name = (longest: number): Form =>
  matching(
    new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${longest}}$`, 'u'),
    `1 to ${longest} characters without control characters`,
  );
const reason = matching(/^[^\p{Cs}]{1,1024}$/u, '1 to 1024 characters');
const timestamp: Form = {
  fits: (text) => parseTimestamp(text) !== null,
  words: 'an RFC 3339 date and time with seconds and offset',
};

const REQUIRED = {
  receipt_id: { fits: isReceiptId, words: 'rcpt_ and 32 lower-case hexadecimal characters' },
  issued_at: timestamp,
  operator_id: matching(OPERATOR_ID, 'op_cus_ and 24 letters and digits'),
  agent_id: name(256),
  receipt_type: oneOf(RECEIPT_TYPES),
  status: oneOf(RECEIPT_STATUSES),
  input_digest: hex(32),
  authority_scope: name(256),
  expiry: timestamp,
  revocation_status: oneOf(REVOCATION_STATUSES),
  content_hash: hex(32),
  signature: hex(64),
};

const FORMS: Readonly<Record<keyof Receipt, Form>> = {
  ...REQUIRED,
  output_hash: hex(32),
  refusal_reason: reason,
  terminal_reason: reason,
  prev_receipt_hash: hex(32),
  domain: oneOf(DOMAINS),
  domain_commitment: hex(32),
  error_tranche: oneOf(ERROR_TRANCHES),
  kid: name(128),
  blind_salt: hex(32),
};
const REQUIRED_NAMES = Object.keys(REQUIRED);
const FORM_OF = new Map<string, Form>(Object.entries(FORMS));

/**
 * Checks that a parsed document is a receipt of section 2.1: every member has its type and format, none is
 * missing, unknown or not allowed with the status. The signed payload omits members that are not allowed, so
 * they would be unsigned.
 *
 * @returns the receipt (the same object), or its problems, one sentence each
 */
export function receiptShape(value: JsonValue): { receipt: Receipt } | { problems: string[] } {
  if (!isJsonObject(value)) return { problems: ['the receipt is not a JSON object'] };
  const problems: string[] = [];
  return isReceipt(value, problems) ? { receipt: value } : { problems };
}

function isReceipt(value: JsonObject, problems: string[]): value is JsonObject & Receipt {
  problems.push(...memberProblems(value));
  // These checks need members that are valid by themselves.
  if (problems.length === 0) problems.push(...statusProblems(value), ...domainProblems(value));
  return problems.length === 0;
}

function memberProblems(value: JsonObject): string[] {
  const missing = REQUIRED_NAMES.filter((member) => !Object.hasOwn(value, member));
  const problems = missing.map((member) => `${member} is missing`);
  for (const member of Object.keys(value)) {
    const content = value[member];
    const form = FORM_OF.get(member);
    // The replay of a response does not repeat the salt.
    if (member === 'blind_salt' && content === null) continue;
    if (form === undefined) problems.push(`${JSON.stringify(member)} is not a member of a receipt`);
    else if (typeof content !== 'string' || !form.fits(content))
      problems.push(`${member} is not ${form.words}`);
  }
  return problems;
}

function statusProblems(receipt: JsonObject): string[] {
  const problems: string[] = [];
  const status = RECEIPT_STATUSES.find((known) => known === receipt.status) ?? 'pending';
  const required = outcomeMember(status);
  for (const member of ['output_hash', 'refusal_reason', 'terminal_reason']) {
    const present = Object.hasOwn(receipt, member);
    if (member === required && !present) problems.push(`${member} is missing: status ${status} requires it`);
    if (member !== required && present) problems.push(`${member} is not allowed with status ${status}`);
  }
  const tranche = Object.hasOwn(receipt, 'error_tranche');
  if (status === 'pending' && tranche) problems.push('error_tranche is not allowed with status pending');
  if (status !== 'pending' && !tranche)
    problems.push(`error_tranche is missing: status ${status} requires it`);
  if (status === 'success' && tranche && receipt.error_tranche !== 'NONE') {
    problems.push('error_tranche must be NONE with status success');
  }
  return problems;
}

function domainProblems(receipt: JsonObject): string[] {
  const problems: string[] = [];
  const blind = Object.hasOwn(receipt, 'domain_commitment');
  if (Object.hasOwn(receipt, 'domain') === blind) {
    problems.push('the receipt must have either domain or domain_commitment');
  }
  if (Object.hasOwn(receipt, 'blind_salt') && !blind) {
    problems.push('blind_salt is allowed only with domain_commitment');
  }
  return problems;
}
