import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { canonicalOf, objectReading } from '../../../../src/proof/agent/agent-signature.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { storedPayload } from '../../../../src/trust/evidence/compression.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import {
  evidencePath,
  expectedEventHash,
  PAYLOADS,
  sha256,
  signedEvidence,
} from '../../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;
const TYPES = ['compliance_report', 'otel_genai_trace', 'github_issue_event'] as const;

/** All of an agent's items, oldest first, as anybody with a key reads them. */
async function chainOf({ commitment }: Agent): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await app.own.get(`${evidencePath(commitment)}?limit=100${query}`);
    items.push(...(Array.isArray(body.evidence) ? body.evidence : []));
    cursor = body.next_cursor;
  }
  return items.reverse();
}

/** Holds that items are a chain, each what its agent signed. */
function verifyChain(agent: Agent, items: readonly Record<string, unknown>[]): void {
  let previous: unknown = null;
  for (const item of items) {
    const { payload } = item;
    expect(item.prev_event_hash).toBe(previous);
    expect(item.event_commitment_hash).toBe(expectedEventHash(agent.commitment, item));
    const object = JSON.parse(JSON.stringify(payload));
    if (!isJsonObject(object)) throw new Error('a payload is no object');
    expect(item.payload_digest).toBe(canonicalOf(nativePrimitives, object).digest);
    const signature = hexToBytes(String(item.signature));
    expect(objectReading(nativePrimitives, signature, object, hexToBytes(agent.publicKey))).not.toBe(null);
    previous = item.event_commitment_hash;
  }
}

test('after any sequence, some of it at once, every agent has one chain that verifies, each payload in it once', async () => {
  const step = fc.record({
    agent: fc.nat({ max: 1 }),
    type: fc.constantFrom(...TYPES),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'é', '__proto__'),
    extra: fc.constantFrom<JsonObject[]>({}, { 9: 1, 10: 2 }, { z: [], a: { b: null } }),
  });
  const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(groups, async (batches) => {
      const agents = [await enrolledAgent(app), await enrolledAgent(app)];
      const first = new Map<string, unknown>();
      for (const batch of batches) {
        await Promise.all(
          batch.map(async ({ agent: index, type, name, extra }) => {
            const agent = agents[index];
            if (agent === undefined) return;
            const body = signedEvidence(agent, type, { ...PAYLOADS[type](name), ...extra });
            const response = await app.own.post(evidencePath(agent.commitment), body);
            expect(response.status).toBe(response.body.duplicate === true ? 200 : 201);
            const key = `${index} ${type} ${response.body.payload_digest}`;
            const known = first.get(key);
            if (known === undefined) first.set(key, response.body.event_commitment_hash);
            else expect(response.body.event_commitment_hash).toBe(known);
          }),
        );
      }
      let total = 0;
      for (const agent of agents) {
        const items = await chainOf(agent);
        verifyChain(agent, items);
        total += items.length;
        const { agentSeq } = agent.agent;
        const counted = await app.service.trust.store.read(({ connection }) =>
          connection.sqlite
            .query<{ items: number; last: Uint8Array | null }, [number]>(
              'SELECT evidence_count AS items, last_event_hash AS last FROM agent_standing WHERE agent_seq = ?',
            )
            .get(agentSeq),
        );
        expect([counted?.items, counted?.last?.toHex()]).toEqual([
          items.length,
          items.at(-1)?.event_commitment_hash?.toString(),
        ]);
      }
      expect(total).toBe(first.size);
    }),
    { numRuns: 25 },
  );
});

test('a body of exactly 1 MiB and 64 levels is accepted, stored and returned', async () => {
  const agent = await enrolledAgent(app);
  // The body is the first level, the payload the second.
  const deep = `${'{"a":'.repeat(62)}1${'}'.repeat(62)}`;
  const before = '{"source_type":"otel_genai_trace","payload":';
  const after = ',"signature":"';
  const frame = `{"deep":${deep},"gen_ai.prompt":""}`;
  const room = 1_048_576 - before.length - after.length - 130 - frame.length;
  const payload = frame.replace('""', `"${'é'.repeat(room / 2)}${room % 2 === 1 ? 'e' : ''}"`);
  const body = `${before}${payload}${after}${agent.signText(sha256(payload))}"}`;
  expect(Buffer.byteLength(body)).toBe(1_048_576);
  const response = await app.own.post(evidencePath(agent.commitment), body);
  expect([response.body.issues, response.status]).toEqual([undefined, 201]);
  const [item] = await chainOf(agent);
  expect(JSON.stringify(item?.payload)).toBe(payload);
  expect((await app.own.post(evidencePath(agent.commitment), ` ${body}`)).status).toBe(413);
});

test('a stored item is small, and its content does not change', async () => {
  const agent = await enrolledAgent(app);
  const payload = { ...PAYLOADS.otel_genai_trace(), text: 'the same words '.repeat(1000) };
  await app.own.post(evidencePath(agent.commitment), signedEvidence(agent, 'otel_genai_trace', payload));
  const { agentSeq } = agent.agent;
  const stored = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ payload: Uint8Array }, [number]>('SELECT payload FROM evidence WHERE agent_seq = ?')
      .get(agentSeq),
  );
  expect(stored?.payload.length).toBeLessThan(200);
  expect(storedPayload(stored?.payload ?? new Uint8Array())).toEqual(payload);
  await app.own.post(
    evidencePath(agent.commitment),
    signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload()),
  );
  for (const statement of [
    'UPDATE evidence SET outcome = outcome',
    'DELETE FROM evidence',
    'UPDATE evidence_commit SET evidence_seq = evidence_seq',
    'DELETE FROM evidence_commit',
  ]) {
    await expect(
      app.service.trust.store.writeAsService(({ connection }) => void connection.sqlite.run(statement)),
    ).rejects.toThrow(/never/);
  }
});
