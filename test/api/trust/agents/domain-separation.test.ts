import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { isWorkDone, provisionDigest } from '../../../../src/proof/agent/proof-of-work.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { PRESENTATION_MEMBERS, SIGNED_TYPES } from '../../../../src/proof/keys/signed-types.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS, SHA } from '../../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
const PHOTO = {
  photo_url: 'https://example.org/a.png',
  photo_content_sha256: 'ab'.repeat(32),
  photo_mime_type: 'image/png',
};

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '1' });
});
afterAll(() => app.close());

const KINDS = ['challenge', 'provision', 'evidence', 'presentation', 'agent-auth'] as const;
type Kind = (typeof KINDS)[number];

/** All that one key signs, each for its own purpose, and how each is handed in with a signature. */
async function everything() {
  // The same key enrolls itself a second time, by another context, so that its challenges are open.
  const key = newAgentKey();
  const agent = await enrolledAgent(app, { key });
  const { commitment } = agent;
  const publicKey = key.publicKey;
  const context = 'another';
  const started = await app.anyone.post(`${AGENTS}/enroll/start`, { public_key: publicKey, context });
  const challenge = String(started.body.challenge_nonce);
  const asked = await app.anyone.post(`${AGENTS}/autonomous/challenge`, { public_key: publicKey });
  const challengeNonce = String(asked.body.challenge_nonce);
  const difficulty = Number(asked.body.pow_difficulty);
  let powNonce = '0';
  while (!isWorkDone(nativePrimitives, { challengeNonce, powNonce, difficulty }))
    powNonce = String(Number(powNonce) + 1);
  const payload: JsonObject = PAYLOADS.github_commit_payload();
  const presentation: JsonObject = { subject_commitment: commitment, ...PHOTO };
  const sponsor = { operator_id: app.otherId };
  const path = `${AGENTS}/${commitment}/sponsor`;
  const expires_at = new Date(Date.now() + 300_000).toISOString();
  const nonce = 'a-nonce-of-16-characters-or-more';
  const audience = String((await app.anyone.get('/api/v1/public-key')).body.audience);
  const auth = { commitment, nonce, expires_at };
  const body = { method: 'PUT', path, body: sponsor, audience };
  const authorization: JsonObject = { type: 'agent-auth', ...body, ...auth };
  const provisioning = provisionDigest(nativePrimitives, { challengeNonce, powNonce, publicKey });
  const signedText: Record<Kind, string> = {
    challenge,
    provision: provisioning,
    evidence: digest(nativePrimitives, payload),
    presentation: digest(nativePrimitives, presentation),
    'agent-auth': digest(nativePrimitives, authorization),
  };
  const use: Record<Kind, (signature: string) => ReturnType<typeof app.own.post>> = {
    challenge: (signature) =>
      app.anyone.post(`${AGENTS}/enroll/complete`, {
        subject_commitment: subjectCommitment(nativePrimitives, publicKey, context),
        signature,
      }),
    provision: (signature) =>
      app.anyone.post(`${AGENTS}/autonomous/provision`, {
        public_key: publicKey,
        challenge_nonce: challengeNonce,
        pow_nonce: powNonce,
        context: 'a third',
        signature,
      }),
    evidence: (signature) =>
      app.own.post(evidencePath(commitment), { source_type: 'github_commit_payload', payload, signature }),
    presentation: (signature) =>
      app.anyone.call('PUT', `${AGENTS}/${commitment}/presentation`, { ...PHOTO, signature }),
    'agent-auth': (signature) =>
      app.other.call('PUT', path, { ...sponsor, agent_auth: { ...auth, signature } }),
  };
  return { key, agent, signedText, use, presentation, authorization };
}

describe('what an agent signs for one purpose', () => {
  const pairs = KINDS.flatMap((signed) => KINDS.map((taken): [Kind, Kind] => [signed, taken]));
  test.each(pairs.filter(([signed, taken]) => signed !== taken))(
    'as %s is refused as %s, over the characters and the bytes of its digest',
    async (signed, taken) => {
      const { key, signedText, use } = await everything();
      const text = signedText[signed];
      const signatures = [key.signText(text)];
      if (/^[0-9a-f]{64}$/.test(text)) signatures.push(key.signBytes(hexToBytes(text)));
      else signatures.push(key.signBytes(createHash('sha256').update(text).digest()));
      for (const signature of signatures) {
        const { status, body } = await use[taken](signature);
        expect([signed, taken, status, body.reason_code]).toEqual([signed, taken, 401, 'invalid_proof']);
      }
    },
  );

  test.each(KINDS.map((kind) => [kind]))('as %s is taken for that purpose', async (kind) => {
    const { key, signedText, use } = await everything();
    const { status, body } = await use[kind](key.signText(signedText[kind]));
    expect([status < 300, body.reason_code]).toEqual([true, undefined]);
  });

  test('as presentation or agent-auth is refused as evidence of every type, with the object itself as payload', async () => {
    const { agent, presentation, authorization } = await everything();
    for (const payload of [presentation, authorization]) {
      for (const source_type of Object.keys(PAYLOADS)) {
        if (source_type === 'task_deliverable') continue;
        const body = { source_type, payload, signature: agent.sign(payload) };
        const response = await app.own.post(evidencePath(agent.commitment), body);
        expect([response.status, response.body.reason_code]).toEqual([400, 'validation_error']);
      }
    }
  });
});

describe('evidence', () => {
  const asType = (type: string): JsonObject => ({ sha: SHA, commit: {}, type });
  const asPresentation: JsonObject = {
    ...Object.fromEntries(PRESENTATION_MEMBERS.map((member) => [member, null])),
    sha: SHA,
    commit: {},
  };

  test.each([
    ...SIGNED_TYPES.map((type): [string, JsonObject, string] => [type, asType(type), 'payload.type']),
    ['a presentation', asPresentation, 'payload'] satisfies [string, JsonObject, string],
  ])(
    'that fits its source type and could pass for %s is refused in every reading',
    async (_, payload, path) => {
      const agent = await enrolledAgent(app);
      const hash = digest(nativePrimitives, payload);
      const shallow = JSON.stringify(payload, Object.keys(payload).sort());
      for (const signature of [
        agent.signText(hash),
        agent.signBytes(hexToBytes(hash)),
        agent.signText(createHash('sha256').update(shallow).digest('hex')),
      ]) {
        const body = { source_type: 'github_commit_payload', payload, signature };
        const response = await app.own.post(evidencePath(agent.commitment), body);
        expect([response.status, Object.keys(Object(response.body.issues))]).toEqual([400, [path]]);
      }
    },
  );

  test('with a type member of its own that is no reserved one is taken', async () => {
    const agent = await enrolledAgent(app);
    const payload = asType('commit');
    const body = { source_type: 'github_commit_payload', payload, signature: agent.sign(payload) };
    expect((await app.own.post(evidencePath(agent.commitment), body)).status).toBe(201);
  });
});
