import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { agentAuth, audienceOf, enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { workFor } from '../../../support/proof-of-work.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '1' });
  audience = await audienceOf(app);
});
afterAll(() => app.close());

type Enrolled = Awaited<ReturnType<typeof enrolledAgent>>;

/** Requests a holder key as an agent. */
async function holderKeyOf(agent: Enrolled, body: Record<string, string> = {}) {
  const path = `/api/v1/passport/agents/${agent.commitment}/keys`;
  const auth = agentAuth(agent, { method: 'POST', path, body, audience });
  const { status, body: response } = await app.anyone.post(path, { ...body, agent_auth: auth });
  return [status, response.reason_code];
}

/** Returns a nonce that is no solution; one of sixteen would be one by chance. */
function wrongWork(nonce: string): string {
  let wrong = 0;
  while (sha256Hex(`${nonce}:${wrong}`).startsWith('0')) wrong++;
  return String(wrong);
}

test('an agent without a sponsor gets an operator of its own for a proof of work only, in every way', async () => {
  const agent = await enrolledAgent(app, { sponsor: null, key: newAgentKey() });
  const work = await workFor(app, agent.publicKey);
  const other = await workFor(app, newAgentKey().publicKey);
  expect(await holderKeyOf(agent)).toEqual([401, 'invalid_proof']);
  expect(await holderKeyOf(agent, { pow_nonce: work.pow_nonce })).toEqual([401, 'invalid_proof']);
  const wrong = wrongWork(work.challenge_nonce);
  expect(await holderKeyOf(agent, { ...work, pow_nonce: wrong })).toEqual([401, 'invalid_proof']);
  expect(await holderKeyOf(agent, other)).toEqual([404, 'challenge_not_found']);
  expect(await holderKeyOf(agent, work)).toEqual([201, undefined]);
  // The operator exists now, so another key needs none.
  expect(await holderKeyOf(agent)).toEqual([201, undefined]);
});

test('the work for one operator does not make a second', async () => {
  const key = newAgentKey();
  const agent = await enrolledAgent(app, { sponsor: null, key });
  const work = await workFor(app, agent.publicKey);
  expect(await holderKeyOf(agent, work)).toEqual([201, undefined]);
  const again = await enrolledAgent(app, { sponsor: null, key, context: 'night' });
  expect(await holderKeyOf(again, work)).toEqual([404, 'challenge_not_found']);
});
