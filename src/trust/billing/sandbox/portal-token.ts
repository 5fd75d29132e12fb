import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';

/** The time for which a portal is open. */
const OPEN_MS = 60 * 60 * 1000;

const CUSTOMER = /^cus_sandbox_([0-9A-Za-z]{24})$/;

/** The form of a token: the customer, the end in milliseconds since 1970, and their HMAC-SHA256. */
export const PORTAL_TOKEN = '^bps_[0-9A-Za-z]{24}_[0-9]{13}_[0-9a-f]{64}$';

/**
 * Returns the token of a customer's portal: who has it can use the portal for an hour.
 * @param now milliseconds since 1970
 * @returns null for a customer of another processor
 */
export function portalToken(masterKey: MasterKey, customerId: string, now: number): string | null {
  const [, name] = CUSTOMER.exec(customerId) ?? [];
  if (name === undefined) return null;
  const text = `bps_${name}_${now + OPEN_MS}`;
  return `${text}_${codeOf(masterKey, text)}`;
}

/** Returns the customer of a token; null for one that is not of this service, or has ended. */
export function customerOfToken(masterKey: MasterKey, token: string, now: number): string | null {
  const [, text = '', name = '', end = '', code = ''] =
    /^(bps_([0-9A-Za-z]{24})_([0-9]{13}))_([0-9a-f]{64})$/.exec(token) ?? [];
  if (text === '' || !timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(masterKey, text)))) return null;
  return now < Number(end) ? `cus_sandbox_${name}` : null;
}

function codeOf(masterKey: MasterKey, text: string): string {
  return createHmac('sha256', masterKey.derive('sandbox portal')).update(text).digest('hex');
}
