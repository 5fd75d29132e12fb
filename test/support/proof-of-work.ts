import { createHash } from 'node:crypto';
import { client } from './client.ts';
import type { TrustApp } from './trust-app.ts';

/** Asks for a challenge of a key and does its work. @returns both as members of a request */
export async function workFor(app: Pick<TrustApp, 'fetch'>, publicKey: string, peer = '192.0.2.1') {
  const call = client((request) => app.fetch(request, peer), 'http://localhost', null);
  const { body } = await call.post('/api/v1/passport/agents/autonomous/challenge', { public_key: publicKey });
  const nonce = String(body.challenge_nonce);
  const zeros = '0'.repeat(Number(body.pow_difficulty));
  let work = 0;
  while (!createHash('sha256').update(`${nonce}:${work}`).digest('hex').startsWith(zeros)) work++;
  return { challenge_nonce: nonce, pow_nonce: String(work) };
}
