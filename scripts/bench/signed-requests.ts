import { createHmac } from 'node:crypto';

/**
 * Returns lines for signed.lua: the signature of now and the body of each request, signed as Stripe and our
 * settlements are: HMAC-SHA256 of the time, a full stop and the body.
 */
export function signedRequests(bodies: readonly string[], secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const lines = bodies.map((body) => {
    const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return `t=${seconds},v1=${code}\t${body}\n`;
  });
  return lines.join('');
}
