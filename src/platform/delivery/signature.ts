import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bytes of a fresh secret; the specification allows 24 to 64. */
const SECRET_BYTES = 32;

/** What one attempt sends. */
export interface Message {
  /** Of the delivery, the same at every attempt: receivers know repetitions by it. */
  id: string;
  /** Of the attempt: seconds since 1970-01-01T00:00:00Z. */
  timestamp: number;
  eventType: string;
  body: string;
}

/** A fresh secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks 1.0.0, "Signature scheme"). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Returns the headers by which a receiver knows the sender and the time of a message (Standard Webhooks 1.0.0).
 * Rejects with a TypeError for a text that is not a secret.
 */
export async function signatureHeaders(
  secret: string,
  { id, timestamp, body }: Message,
): Promise<Record<string, string>> {
  requireSecret(secret);
  // Loaded now: a service starts without it.
  const { Webhook } = await import('standardwebhooks');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
  };
}

/** The library takes keys of any length, also without the prefix. */
function requireSecret(secret: string): void {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const canonical = secret === PREFIX + bytes.toString('base64');
  if (!canonical || bytes.length < 24 || bytes.length > 64) throw new TypeError('not a webhook secret');
}
