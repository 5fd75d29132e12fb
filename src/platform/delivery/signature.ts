import { freshIds, type Ids } from '../ids.ts';

const PREFIX = 'whsec_';

/** The message of one attempt. */
export interface Message {
  /** The id of the delivery, the same in every attempt. Receivers use it to detect repetitions. */
  id: string;
  /** The time of the attempt, in seconds since 1970-01-01T00:00:00Z. */
  timestamp: number;
  eventType: string;
  body: string;
}

/**
 * Returns a new secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks 1.0.0, "Signature
 * scheme").
 */
export function newWebhookSecret(ids: Pick<Ids, 'newSecret'> = freshIds): string {
  const bytes = Buffer.from(ids.newSecret(PREFIX).slice(PREFIX.length), 'hex');
  return PREFIX + bytes.toString('base64');
}

/**
 * Returns the headers with which a receiver verifies the sender and the time of a message (Standard Webhooks
 * 1.0.0).
 * @throws TypeError for a malformed secret
 */
export async function signatureHeaders(
  secret: string,
  { id, timestamp, body }: Message,
): Promise<Record<string, string>> {
  requireSecret(secret);
  // Loaded on first use to keep the start fast.
  const { Webhook } = await import('standardwebhooks');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
  };
}

/**
 * Checks a secret, because the library accepts keys of any length and without the prefix. @throws TypeError
 */
function requireSecret(secret: string): void {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const canonical = secret === PREFIX + bytes.toString('base64');
  if (!canonical || bytes.length < 24 || bytes.length > 64) throw new TypeError('not a webhook secret');
}
