import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { leafHash, verifyInclusion } from '../../../../src/proof/log/merkle.ts';
import { openCheckpoint } from '../../../../src/proof/log/note-signature.ts';
import { parseTlogProof } from '../../../../src/proof/log/tlog-proof.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import {
  anchored,
  evidencePath,
  expectedEventHash,
  PAYLOADS,
  signedEvidence,
} from '../../../support/evidence.ts';
import { logKeys } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const publish = () => app.service.trust.log.publisher.publish();
const proofPath = (commitment: string, hash: string) => `${evidencePath(commitment)}/${hash}/proof`;

async function proofOf(commitment: string, hash: string, query = '') {
  const response = await app.fetch(new Request(`http://localhost${proofPath(commitment, hash)}${query}`));
  return { response, text: await response.text() };
}

describe('an item of evidence', () => {
  test('is proven by a leaf that has its place in the chain, against a checkpoint that its own key signed', async () => {
    const agent = await enrolledAgent(app);
    const first = await anchored(app, agent);
    const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload('b'));
    const { body } = await app.own.post(evidencePath(agent.commitment), item);
    await publish();
    const { response, text } = await proofOf(agent.commitment, String(body.event_commitment_hash));
    expect([response.status, response.headers.get('cosigned')]).toEqual([200, 'false']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const proof = parseTlogProof(Buffer.from(text));
    const entry = Buffer.from(proof.extra ?? []).toString();
    expect(JSON.parse(entry)).toEqual({
      v: 1,
      subject_commitment: agent.commitment,
      index: 1,
      event_commitment_hash: expectedEventHash(agent.commitment, body),
      prev_event_hash: first,
      source_type: 'github_commit_payload',
      payload_digest: body.payload_digest,
      anchored_at: body.created_at,
    });
    const origin = 'localhost:3000/evidence';
    const { checkpoint } = openCheckpoint(
      nativePrimitives,
      Buffer.from(proof.checkpoint),
      await logKeys(app.anyone, origin),
    );
    expect(checkpoint.origin).toBe(origin);
    const leaf = leafHash(nativePrimitives, Buffer.from(entry));
    const { index, path } = proof;
    expect(
      verifyInclusion(nativePrimitives, { leaf, index, path, size: checkpoint.size, root: checkpoint.root }),
    ).toBe(true);
  });

  test('is a leaf once, however often it is sent', async () => {
    const agent = await enrolledAgent(app);
    await anchored(app, agent);
    await publish();
    const size = app.service.trust.log.publisher.latest('evidence').response.tree_size;
    const item = signedEvidence(agent, 'github_push_webhook', PAYLOADS.github_push_webhook());
    expect((await app.own.post(evidencePath(agent.commitment), item)).status).toBe(200);
    await publish();
    expect(app.service.trust.log.publisher.latest('evidence').response.tree_size).toBe(size);
  });

  test('is in the log when the agent is revoked as well', async () => {
    const agent = await enrolledAgent(app);
    const hash = await anchored(app, agent);
    await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`, {});
    await publish();
    expect((await proofOf(agent.commitment, hash)).response.status).toBe(200);
  });

  test('has no proof before a checkpoint covers it, which is said with Retry-After', async () => {
    const agent = await enrolledAgent(app);
    const hash = await anchored(app, agent);
    const { response, text } = await proofOf(agent.commitment, hash);
    expect([response.status, response.headers.get('retry-after')]).toEqual([404, '1']);
    expect(JSON.parse(text).error).toContain('no checkpoint covers it yet');
  });

  test('is not found under another agent, and other texts than hashes find nothing', async () => {
    const [agent, other] = [await enrolledAgent(app), await enrolledAgent(app)];
    const hash = await anchored(app, agent);
    await publish();
    for (const [commitment, event] of [
      [other.commitment, hash],
      [agent.commitment, 'ab'.repeat(32)],
      [agent.commitment, 'no hash'],
      [agent.commitment, hash.toUpperCase()],
      ['%00', hash],
      ['nobody', 'nothing'],
    ] as const) {
      const { response, text } = await proofOf(commitment, encodeURIComponent(event));
      expect([commitment, event, response.status, JSON.parse(text).reason_code]).toEqual([
        commitment,
        event,
        404,
        'not_found',
      ]);
    }
    const { response } = await proofOf(agent.commitment, hash, '?cosigned=maybe');
    expect(response.status).toBe(400);
  });
});

test('each item of many agents is a leaf, in the order of their anchoring, also under load', async () => {
  const own = await openTrustApp();
  const agents = await Promise.all(Array.from({ length: 5 }, () => enrolledAgent(own)));
  const sent = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const agent = agents[n % agents.length];
      if (agent === undefined) throw new Error('no agent');
      const item = signedEvidence(agent, 'github_commit_payload', {
        sha: n.toString(16).padStart(40, '0'),
        commit: { message: `number ${n}` },
      });
      return (await own.own.post(evidencePath(agent.commitment), item)).body;
    }),
  );
  await own.service.trust.log.publisher.publish();
  const { content } = { content: own.service.trust.log.contents.find(({ log }) => log === 'evidence') };
  const leaves = await own.service.trust.store.read((snapshot) => content?.leavesOf(snapshot, 0, 400) ?? []);
  const entries = leaves.map(({ entry }) => JSON.parse(entry));
  expect(new Set(entries.map((entry) => entry.event_commitment_hash))).toEqual(
    new Set(sent.map((body) => body.event_commitment_hash)),
  );
  for (const { commitment } of agents) {
    const chain = entries.filter((entry) => entry.subject_commitment === commitment);
    expect(chain.map(({ index }) => index)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    expect(chain.map((entry) => entry.prev_event_hash)).toEqual([
      null,
      ...chain.slice(0, -1).map((entry) => entry.event_commitment_hash),
    ]);
  }
  await own.close();
});
