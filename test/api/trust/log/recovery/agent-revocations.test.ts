import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { leafHash } from '../../../../../src/proof/log/merkle.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { client } from '../../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { finalized, latest } from '../../../../support/log.ts';
import type { TrustApp } from '../../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
let directory: BackedUpDirectory;

beforeEach(() => {
  directory = new BackedUpDirectory();
});
afterEach(() => directory.dispose());

/** The entries of the log of revocations, read as a monitor reads them. */
async function entries(app: TrustApp): Promise<string[]> {
  const { checkpoint } = await latest(app.anyone, 'revocations');
  if (checkpoint.size === 0) return [];
  const response = await app.fetch(
    new Request(`http://localhost/log/revocations/tile/entries/000.p/${checkpoint.size}`),
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt16BE(at);
    texts.push(bytes.subarray(at + 2, at + 2 + length).toString());
    at += 2 + length;
  }
  return texts;
}

const revoke = (app: TrustApp, commitment: string) =>
  app.own.post(`${AGENTS}/${commitment}/revoke`, { reason: 'its key was stolen' });
const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();

describe('the revocation of an agent', () => {
  test('is one leaf of the log of revocations, in the order of all revocations, without its reason', async () => {
    await directory.served(async (app) => {
      const agent = await enrolledAgent(app);
      const [before, after] = [await finalized(app.own), await finalized(app.own)];
      await app.own.revoke(before.receipt_id);
      expect((await revoke(app, agent.commitment)).status).toBe(200);
      expect((await revoke(app, agent.commitment)).status).toBe(409);
      await app.own.revoke(after.receipt_id);
      await publish(app);
      const texts = await entries(app);
      const at = /"at":"([^"]+)"/.exec(texts[1] ?? '')?.[1] ?? '';
      expect(texts).toEqual([
        expect.stringContaining(String(before.receipt_id)),
        `{"at":"${at}","event":"agent_revoked","subject_commitment":"${agent.commitment}","v":1}`,
        expect.stringContaining(String(after.receipt_id)),
      ]);
      const { checkpoint } = await latest(app.anyone, 'revocations');
      const node = (left: Uint8Array, right: Uint8Array) =>
        nativePrimitives.sha256(Buffer.concat([Buffer.of(1), left, right]));
      const [a, b, c] = texts.map((text) => leafHash(nativePrimitives, Buffer.from(text)));
      if (a === undefined || b === undefined || c === undefined) throw new Error('a leaf is missing');
      expect(Buffer.from(checkpoint.root)).toEqual(Buffer.from(node(node(a, b), c)));
    });
  });

  test('is published without waiting for the next minute, as a revoked receipt is', async () => {
    await directory.served(async (app) => {
      const agent = await enrolledAgent(app);
      const grown: string[] = [];
      const { publisher } = app.service.trust.log;
      const grow = publisher.grown.bind(publisher);
      publisher.grown = (name) => {
        grown.push(name);
        grow(name);
      };
      await revoke(app, agent.commitment);
      await revoke(app, agent.commitment);
      expect(grown).toEqual(['revocations']);
    });
  });

  test('is not logged if the caller may not revoke', async () => {
    await directory.served(async (app) => {
      const agent = await enrolledAgent(app);
      expect((await app.other.post(`${AGENTS}/${agent.commitment}/revoke`)).status).toBe(403);
      await publish(app);
      expect(await entries(app)).toEqual([]);
    });
  });

  test('that a backup lacks is recovered from a copy: the agent stays revoked, as its entry says', async () => {
    const agent = await directory.served(async (app) => {
      const enrolled = await enrolledAgent(app);
      await publish(app);
      return enrolled;
    });
    directory.backUp();
    const { logged, passport, key } = await directory.served(async (app) => {
      const { body } = await app.own.post('/api/v1/operator/api-keys', {
        role: 'holder',
        subject_commitment: agent.commitment,
      });
      const revoked = await revoke(app, agent.commitment);
      await publish(app);
      return { logged: await entries(app), passport: revoked.body, key: String(body.api_key) };
    });
    expect((await directory.recovered()).revocations).toMatchObject({ tree_size: 1, recovered: 1 });
    await directory.served(async (app) => {
      expect(await entries(app)).toEqual(logged);
      const read = await app.anyone.get(`${AGENTS}/${agent.commitment}/passport`);
      expect(read.body).toMatchObject({ state: 'REVOKED', passport_id: String(passport.passport_id) });
      const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload('a'));
      const refused = await app.own.post(evidencePath(agent.commitment), item);
      expect(refused.body.reason_code).toBe('agent_not_enrolled');
      expect((await client(app.fetch, 'http://localhost', key).get('/api/v1/receipts')).status).toBe(401);
      expect(Object((await app.anyone.get('/api/v1/leaderboard')).body).agents).toEqual([]);
      expect((await revoke(app, agent.commitment)).body.error).toContain(
        /"at":"([^"]+)"/.exec(logged[0] ?? '')?.[1] ?? 'no time',
      );
    });
    expect((await audited(directory.path)).reported).toEqual([]);
  });

  test('whose agent the backup lacks too leaves its entry, and the agent cannot enroll again', async () => {
    const key = newAgentKey();
    await directory.served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    directory.backUp();
    const logged = await directory.served(async (app) => {
      const agent = await enrolledAgent(app, { key });
      await revoke(app, agent.commitment);
      await publish(app);
      return entries(app);
    });
    expect((await directory.recovered()).revocations).toMatchObject({ tree_size: 1, recovered: 1 });
    await directory.served(async (app) => {
      expect(await entries(app)).toEqual(logged);
      const start = await app.own.post(`${AGENTS}/enroll/start`, { public_key: key.publicKey });
      expect([start.status, start.body.error]).toEqual([
        403,
        expect.stringContaining('The agent was revoked permanently.'),
      ]);
      const other = await app.own.post(`${AGENTS}/enroll/start`, {
        public_key: key.publicKey,
        context: 'another',
      });
      expect(other.status).toBe(200);
    });
    expect((await audited(directory.path)).reported).toEqual([]);
  });
});
