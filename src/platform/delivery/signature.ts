import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bytes of a fresh secret; the specification allows 24 to 64. */
const SECRET_BYTES = 32;

/** What one try sends. */
export interface Message {
  /** Of the delivery, the same at every try: receivers know repetitions by it. */
  id: string;
  /** Of the try: seconds since 1970-01-01T00:00:00Z. */
  timestamp: number;
  eventType: string;
  body: string;
}

/** A fresh secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks 1.0.0, "Signature scheme"). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers by which a receiver knows sender and time of a message (Standard Webhooks 1.0.0): the signature is the
 * HMAC-SHA256 of `id.timestamp.body` under the secret's bytes. @throws TypeError for text that is no such secret
 */
export function signatureHeaders(secret: string, { id, timestamp, body }: Message): Record<string, string> {
  const signature = createHmac('sha256', secretBytes(secret))
    .update(`${id}.${timestamp}.${body}`, 'utf8')
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const canonical = secret === PREFIX + bytes.toString('base64');
  if (!canonical || bytes.length < 24 || bytes.length > 64) throw new TypeError('not a webhook secret');
  return bytes;
}
