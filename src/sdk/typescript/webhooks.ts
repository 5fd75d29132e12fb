import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64, encodeBase64 } from '../../proof/encoding/base64.ts';
import { CountersignError } from './errors.ts';

/** The most seconds between the clock of the service and this one. */
const TOLERANCE_SECONDS = 300;

/** A delivery as it arrived: a `Request`, or its parts. */
export interface Delivery {
  /** The headers, with names in lower case; a `Headers` object works too. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they arrived, not JSON that was parsed and written again. */
  body: Uint8Array | string;
}

/** Why a delivery must not be believed. */
export class WebhookError extends CountersignError {
  // Bundlers rename classes.
  static override readonly name: string = 'WebhookError';
  override readonly name = 'WebhookError';
}

const utf8 = new TextEncoder();

/**
 * Verifies a delivery (Standard Webhooks 1.0.0) and returns its event. Refuse an id that came before
 * (`webhook-id`): the service may repeat a delivery.
 * @param secret the webhook's `signing_secret` of the trust service, or `secret` of the staffing service:
 * `whsec_…`
 * @param now the time in milliseconds
 * @throws WebhookError
 */
export function verifyWebhook<Event = unknown>(
  { headers, body }: Delivery,
  secret: string,
  now: number = Date.now(),
): Event {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a number of seconds.');
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new WebhookError('The delivery is too old, or from the future.');
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  const mac = hmac
    .create(sha256, keyOf(secret))
    .update(utf8.encode(`${id}.${timestamp}.`))
    .update(bytes)
    .digest();
  const expected = `v1,${encodeBase64(mac)}`;
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!signatures.some((signature) => isEqual(signature, expected)))
    throw new WebhookError('The delivery is not signed with this secret.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new WebhookError('The body is not JSON.', { cause: error });
  }
}

function keyOf(secret: string): Uint8Array {
  const key = /^whsec_/.test(secret) ? decodeBase64(secret.slice('whsec_'.length)) : null;
  if (key === null || key.length < 24 || key.length > 64)
    throw new WebhookError('The secret must be whsec_ and base64 of 24 to 64 bytes.');
  return key;
}

/** Returns the only value of a header. */
function headerOf(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError(`The header ${name} is missing.`);
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
