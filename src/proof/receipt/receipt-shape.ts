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

/** What a member has to be: a test, and its words for people. */
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

// Characters are Unicode code points. A lone surrogate has no UTF-8 and so cannot be signed.
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
  operator_id: matching(/^op_cus_[A-Za-z0-9]{24}$/, 'op_cus_ and 24 letters and digits'),
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
 * Reads a parsed document as a receipt of section 2.1, strictly: every member of its type and form, none missing, none
 * unknown, and none that the status does not allow. The signed payload leaves such members out, so they would travel
 * unsigned.
 *
 * @returns the receipt (the same object), or what is wrong with it, one sentence each.
 */
export function receiptShape(value: JsonValue): { receipt: Receipt } | { problems: string[] } {
  if (!isJsonObject(value)) return { problems: ['a receipt is a JSON object'] };
  const problems: string[] = [];
  return isReceipt(value, problems) ? { receipt: value } : { problems };
}

function isReceipt(value: JsonObject, problems: string[]): value is JsonObject & Receipt {
  problems.push(...memberProblems(value));
  // What a status allows can be told only of members that are in order by themselves.
  if (problems.length === 0) problems.push(...statusProblems(value), ...domainProblems(value));
  return problems.length === 0;
}

function memberProblems(value: JsonObject): string[] {
  const missing = REQUIRED_NAMES.filter((member) => !Object.hasOwn(value, member));
  const problems = missing.map((member) => `${member} is missing`);
  for (const member of Object.keys(value)) {
    const content = value[member];
    const form = FORM_OF.get(member);
    // In the replay of an answer, which does not repeat the salt.
    if (member === 'blind_salt' && content === null) continue;
    if (form === undefined) problems.push(`${JSON.stringify(member)} is no member of a receipt`);
    else if (typeof content !== 'string' || !form.fits(content))
      problems.push(`${member} is not ${form.words}`);
  }
  return problems;
}

function statusProblems(receipt: JsonObject): string[] {
  const problems: string[] = [];
  const status = RECEIPT_STATUSES.find((known) => known === receipt.status) ?? 'pending';
  const owed = outcomeMember(status);
  for (const member of ['output_hash', 'refusal_reason', 'terminal_reason']) {
    const present = Object.hasOwn(receipt, member);
    if (member === owed && !present) problems.push(`${member} is missing: status ${status} needs it`);
    if (member !== owed && present) problems.push(`${member} does not belong to status ${status}`);
  }
  const tranche = Object.hasOwn(receipt, 'error_tranche');
  if (status === 'pending' && tranche) problems.push('error_tranche does not belong to status pending');
  if (status !== 'pending' && !tranche) problems.push(`error_tranche is missing: status ${status} needs it`);
  if (status === 'success' && tranche && receipt.error_tranche !== 'NONE') {
    problems.push('error_tranche of status success is NONE');
  }
  return problems;
}

function domainProblems(receipt: JsonObject): string[] {
  const problems: string[] = [];
  const blind = Object.hasOwn(receipt, 'domain_commitment');
  if (Object.hasOwn(receipt, 'domain') === blind) {
    problems.push('a receipt has either domain or domain_commitment');
  }
  if (Object.hasOwn(receipt, 'blind_salt') && !blind) {
    problems.push('blind_salt belongs to a receipt with domain_commitment');
  }
  return problems;
}
