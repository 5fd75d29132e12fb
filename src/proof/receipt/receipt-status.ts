import { hexToBytes, isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { isReceiptId } from '../encoding/receipt-id.ts';
import { AHEAD_MS, parseTimestamp } from '../encoding/timestamp.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import { signedObjectMessage } from '../keys/signed-object.ts';
import { endOfKey, type TrustedKey } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { RECEIPT_STATUSES, REVOCATION_STATUSES, type Receipt } from './receipt.ts';
import { onceForEachKey } from './signature.ts';

/** The signed status of a receipt at the time of the request. */
interface ReceiptStatusObject {
  type: 'receipt-status';
  receipt_id: string;
  content_hash: string;
  status: string;
  revocation_status: string;
  checked_at: string;
  valid_until: string;
  signature: string;
  kid: string;
}

const FORMS: Readonly<Record<keyof ReceiptStatusObject, (text: string) => boolean>> = {
  type: (text) => text === 'receipt-status',
  receipt_id: isReceiptId,
  content_hash: (text) => isHex(text, 32),
  status: (text) => RECEIPT_STATUSES.some((known) => known === text),
  revocation_status: (text) => REVOCATION_STATUSES.some((known) => known === text),
  checked_at: (text) => parseTimestamp(text) !== null,
  valid_until: (text) => parseTimestamp(text) !== null,
  signature: (text) => isHex(text, 64),
  // Characters are code points, as in a receipt.
  kid: (text) => /^[\s\S]{1,128}$/u.test(text),
};

/**
 * The results of checking a signed status, in the order in which they are tested, with their descriptions.
 */
export const STATUS_CHECKS = {
  malformed: 'it is not a signed receipt status: save the response of GET /api/v1/receipts/<id>/status',
  key_unknown: 'the key that signed it is not among the trusted keys for credentials',
  bad_signature: 'its signature is invalid',
  key_retired: 'its date is after the retirement of the key that signed it',
  key_compromised: 'the key that signed it has been reported as compromised',
  mismatch: 'it is the status of another receipt',
  revoked: 'the receipt has been revoked',
  expired: 'it is no longer valid: request a new one',
  future:
    'its date is more than 60 s after the clock of this machine: check the clocks and request a new one',
  misdated: 'it is dated before the receipt was issued, or valid for longer than ten minutes',
  superseded: 'the service has another version of the receipt',
  ok: 'the receipt is the current version and not revoked',
} as const;

/** The longest time from `checked_at` to `valid_until`. */
const LIFETIME_MS = 10 * 60_000;

export type StatusCheck = keyof typeof STATUS_CHECKS;

/**
 * Checks a signed status, the response to `GET /api/v1/receipts/{id}/status`, against a receipt and the
 * trusted keys of purpose `credentials`. A revocation is final, so an expired status still proves it. Never
 * throws.
 *
 * @param now milliseconds since 1970
 */
export function checkStatus(
  primitives: Primitives,
  receipt: Receipt,
  document: JsonValue,
  { keys, now }: { keys: readonly TrustedKey[]; now: number },
): StatusCheck {
  if (!isJsonObject(document) || !isStatus(document)) return 'malformed';
  const named = keys.filter(({ purpose, kid }) => purpose === 'credentials' && kid === document.kid);
  if (named.length === 0) return 'key_unknown';
  const message = signedObjectMessage(primitives, document);
  const signature = hexToBytes(document.signature);
  const isSigned = named.every(
    onceForEachKey(
      ({ public_key }) =>
        isHex(public_key, 32) && verifyStrict(primitives, signature, message, hexToBytes(public_key)),
    ),
  );
  if (!isSigned) return 'bad_signature';
  if (named.some(({ status }) => status === 'compromised')) return 'key_compromised';
  const checked = parseTimestamp(document.checked_at) ?? Number.POSITIVE_INFINITY;
  if (named.some((key) => checked > endOfKey(key))) return 'key_retired';
  return checkContent(document, receipt, now);
}

function checkContent(status: ReceiptStatusObject, receipt: Receipt, now: number): StatusCheck {
  if (status.receipt_id !== receipt.receipt_id) return 'mismatch';
  if (status.revocation_status === 'revoked') return 'revoked';
  const until = parseTimestamp(status.valid_until) ?? Number.NEGATIVE_INFINITY;
  // Negated, so that NaN from an invalid clock counts as expired.
  if (!(now <= until)) return 'expired';
  // A status from a service with a wrong clock could otherwise be accepted for years.
  const checked = parseTimestamp(status.checked_at) ?? Number.POSITIVE_INFINITY;
  if (!(checked <= now + AHEAD_MS)) return 'future';
  const issued = parseTimestamp(receipt.issued_at) ?? Number.NEGATIVE_INFINITY;
  if (checked + AHEAD_MS < issued || until - checked > LIFETIME_MS + AHEAD_MS) return 'misdated';
  if (status.content_hash !== receipt.content_hash) return 'superseded';
  // The content has the outcome.
  return status.status === receipt.status ? 'ok' : 'malformed';
}

const FORM_OF_EACH = Object.entries(FORMS);

function isStatus(value: JsonObject): value is JsonObject & ReceiptStatusObject {
  return (
    Object.keys(value).length === FORM_OF_EACH.length &&
    FORM_OF_EACH.every(([member, fits]) => {
      const text = Object.hasOwn(value, member) ? value[member] : undefined;
      return typeof text === 'string' && text.isWellFormed() && fits(text);
    })
  );
}
