import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import type { SettlementRail } from '../../src/trust/payments/settings.ts';
import { client } from './client.ts';
import type { TrustApp } from './trust-app.ts';

export const SETTLEMENT = '/api/v1/agent-pay/settlement';

/** The secrets of two rails; the other two are not configured. */
export const SECRETS: Partial<Record<SettlementRail, string>> = {
  x402: 'x402-secret-of-the-tests-0123456789',
  stripe_agent: 'stripe-secret-of-the-tests-0123456789',
};

/** The settings with these secrets. */
export const settlementSettings = Object.fromEntries(
  Object.entries(SECRETS).map(([rail, secret]) => [`payments.settlement.${rail}.secret`, secret]),
);

/** Returns the signature of a settlement. @param seconds since 1970 */
export function settlementSignature(text: string, secret: string, seconds: number): string {
  const code = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex');
  return `t=${seconds},v1=${code}`;
}

/**
 * Returns the headers of Standard Webhooks for a settlement.
 * @param key the key of the HMAC
 * @param seconds since 1970
 */
export function standardHeaders(text: string, key: string | Uint8Array, seconds: number, id = 'msg_1') {
  const code = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${code}` };
}

interface Sending {
  /** By default the secret of the rail. */
  secret?: string;
  /** The time of the signature, in milliseconds since 1970. */
  now?: number;
  /** What is sent instead of the signed text. */
  altered?: string;
  /** An API key. By default that of the first operator. */
  key?: string | null;
  more?: Record<string, string>;
}

/** Signs a settlement as its rail does, and sends it. */
export function sendSettlement(
  app: TrustApp,
  body: JsonObject,
  { secret, now = Date.now(), altered, key = app.apiKey, more = {} }: Sending = {},
) {
  const text = JSON.stringify(body);
  const own = secret ?? Object.entries(SECRETS).find(([rail]) => rail === body.rail)?.[1] ?? 'none';
  return client(app.fetch, 'http://localhost', key).post(SETTLEMENT, altered ?? text, {
    'x-settlement-signature': settlementSignature(text, own, Math.floor(now / 1000)),
    ...more,
  });
}
