import { afterAll, beforeAll, expect, test } from 'bun:test';
import { enrolledAgent } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** Returns the commitments and states of an operator's agents. */
async function listed(caller: TrustApp['own']): Promise<unknown[]> {
  const { status, body } = await caller.get(AGENTS);
  expect(status).toBe(200);
  return Object(body.agents).map(({ subject_commitment, state }: Record<string, unknown>) => [
    subject_commitment,
    state,
  ]);
}

test('an operator sees the agents that it sponsors, the newest first, and revoked ones too', async () => {
  expect(await listed(app.other)).toEqual([]);
  const [first, second] = [await enrolledAgent(app), await enrolledAgent(app)];
  expect(await listed(app.own)).toEqual([
    [second.commitment, 'ISSUED'],
    [first.commitment, 'ISSUED'],
  ]);
  await app.own.post(`${AGENTS}/${first.commitment}/revoke`, { reason: 'its key was lost' });
  const { body } = await app.own.get(AGENTS);
  expect(Object(body.agents)[1]).toMatchObject({ state: 'REVOKED', revoked_at: expect.any(String) });
  expect(await listed(app.other)).toEqual([]);
});

test('only an issuer key sees the list', async () => {
  const { commitment } = await enrolledAgent(app);
  const { body } = await app.own.post('/api/v1/operator/api-keys', {
    role: 'holder',
    subject_commitment: commitment,
  });
  const holder = client(app.fetch, 'http://localhost', String(body.api_key));
  expect((await holder.get(AGENTS)).status).toBe(403);
  expect((await app.anyone.get(AGENTS)).status).toBe(401);
});
