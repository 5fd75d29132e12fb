import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf, enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { anchored, evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { isSigned, tampered } from '../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';
const DAY = 86_400_000;
const time = new VirtualTime();
let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '0' }, time);
});
afterAll(() => app.close());

const passport = async (commitment: string) =>
  (await app.anyone.get(`${AGENTS}/${commitment}/passport`)).body;
const at = (ms: number) => new Date(ms).toISOString();
const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];

describe('a passport', () => {
  test('says when it was signed, and is valid for 24 hours', async () => {
    const agent = await enrolledAgent(app);
    const first = await passport(agent.commitment);
    expect(first).toMatchObject({ as_of: at(time.now()), valid_until: at(time.now() + DAY) });
    time.advance(3_600_000);
    const second = await passport(agent.commitment);
    expect(second).toMatchObject({ as_of: at(time.now()), valid_until: at(time.now() + DAY) });
    expect([second.passport_id, second.issued_at]).toEqual([first.passport_id, first.issued_at]);
    expect(second.signature).not.toBe(first.signature);
  });

  test('verifies with the published key, and not with any member changed, removed or added', async () => {
    const agent = await enrolledAgent(app, { name: 'Clerk' });
    await anchored(app, agent);
    const { kid, ...rest } = await passport(agent.commitment);
    expect(await isSigned(app, { ...rest, kid })).toBe(true);
    const changes = tampered(rest);
    expect(changes.length).toBeGreaterThan(35);
    for (const [path, changed] of changes) {
      expect([path, await isSigned(app, { ...changed, kid })]).toEqual([path, false]);
    }
  });

  test("has the head of the agent's chain, which commits to all items before it", async () => {
    const agent = await enrolledAgent(app);
    expect((await passport(agent.commitment)).evidence).toEqual({ count: 0, head: null });
    const heads: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload(name));
      heads.push(
        String((await app.own.post(evidencePath(agent.commitment), item)).body.event_commitment_hash),
      );
      expect((await passport(agent.commitment)).evidence).toEqual({
        count: heads.length,
        head: heads.at(-1) ?? '',
      });
    }
    const { body } = await app.own.get(evidencePath(agent.commitment));
    const items: { event_commitment_hash: string; prev_event_hash: string | null }[] = Object(body.evidence);
    expect(items.map(({ event_commitment_hash }) => event_commitment_hash)).toEqual(heads.toReversed());
    const [first = '', second = ''] = heads;
    expect(items.map(({ prev_event_hash }) => prev_event_hash)).toEqual([second, first, null]);
    const revoked = await app.own.post(`${AGENTS}/${agent.commitment}/revoke`);
    expect(revoked.body.evidence).toEqual({ count: 3, head: heads[2] ?? '' });
  });

  test('is repeated as it was by an Idempotency-Key, and fresh by a new enrollment', async () => {
    const agent = await enrolledAgent(app);
    const revoke = () =>
      app.own.post(`${AGENTS}/${agent.commitment}/revoke`, undefined, { 'idempotency-key': 'again' });
    const first = await revoke();
    time.advance(60_000);
    expect([first.status, (await revoke()).body]).toEqual([200, first.body]);

    const key = newAgentKey();
    const enroll = async () => {
      const { body } = await app.own.post(`${AGENTS}/enroll/start`, { public_key: key.publicKey });
      return app.own.post(`${AGENTS}/enroll/complete`, {
        subject_commitment: body.subject_commitment,
        signature: key.signText(String(body.challenge_nonce)),
      });
    };
    const issued = await enroll();
    time.advance(60_000);
    const again = await enroll();
    expect([issued.status, again.status, again.body.passport_id]).toEqual([
      201,
      200,
      String(issued.body.passport_id),
    ]);
    expect(again.body.as_of).toBe(at(time.now()));
  });
});

describe("while the server's clock is known to be wrong", () => {
  test('no passport of an agent is signed, and a revocation is', async () => {
    const clock = new VirtualTime();
    const wrong = await openTrustApp({ 'agents.pow_difficulty': '0' }, clock);
    try {
      const [agent, revoked, late] = [
        await enrolledAgent(wrong),
        await enrolledAgent(wrong),
        await enrolledAgent(wrong),
      ];
      await wrong.own.post(`${AGENTS}/${revoked.commitment}/revoke`);
      const key = newAgentKey();
      const { body } = await wrong.own.post(`${AGENTS}/enroll/start`, { public_key: key.publicKey });
      const proof = {
        subject_commitment: body.subject_commitment,
        signature: key.signText(String(body.challenge_nonce)),
      };
      const audience = await audienceOf(wrong);
      const path = `${AGENTS}/${agent.commitment}/name`;
      const named = { name: 'Later' } satisfies JsonObject;
      clock.jump(61_000);
      const read = await wrong.anyone.get(`${AGENTS}/${agent.commitment}/passport`);
      expect([codeOf(read), read.headers.get('retry-after'), read.body.signature]).toEqual([
        [503, 'clock_wrong'],
        '60',
        undefined,
      ]);
      const auth = agentAuth(agent, { method: 'PUT', path, body: named, audience }, clock.now());
      const refused: ApiResponse[] = [
        await wrong.own.post(`${AGENTS}/enroll/complete`, proof),
        await wrong.own.call('PUT', path, named),
        await wrong.anyone.call('PUT', path, { ...named, agent_auth: auth }),
        await wrong.own.call('PUT', `${AGENTS}/${agent.commitment}/sponsor`, { operator_id: null }),
      ];
      expect(refused.map(codeOf)).toEqual(refused.map(() => [503, 'clock_wrong']));
      expect((await wrong.anyone.get(`${AGENTS}/${revoked.commitment}/passport`)).body.state).toBe('REVOKED');
      const now = await wrong.own.post(`${AGENTS}/${late.commitment}/revoke`);
      expect([now.status, await isSigned(wrong, now.body)]).toEqual([200, true]);

      // Nothing was done by what was refused.
      clock.jump(-61_000);
      const after = (await wrong.anyone.get(`${AGENTS}/${agent.commitment}/passport`)).body;
      expect([after.name, after.sponsor === null]).toEqual([null, false]);
      expect((await wrong.own.post(`${AGENTS}/enroll/complete`, proof)).status).toBe(201);
    } finally {
      await wrong.close();
    }
  });

  test('the new time counts once it is accepted, and the key is valid from before what it signs', async () => {
    const clock = new VirtualTime();
    const back = await openTrustApp({}, clock);
    try {
      const agent = await enrolledAgent(back);
      clock.jump(-10 * DAY);
      expect((await back.anyone.get(`${AGENTS}/${agent.commitment}/passport`)).status).toBe(503);
      clock.advance(3_600_001);
      expect((await back.anyone.get(`${AGENTS}/${agent.commitment}/passport`)).status).toBe(503);
      back.service.trust.clockWatch.accept();
      const { body } = await back.anyone.get(`${AGENTS}/${agent.commitment}/passport`);
      expect(body.as_of).toBe(at(clock.now()));
      const { body: key } = await back.anyone.get('/api/v1/public-key?purpose=credentials');
      expect(String(key.valid_from) <= String(body.as_of)).toBe(true);
    } finally {
      await back.close();
    }
  });
});
