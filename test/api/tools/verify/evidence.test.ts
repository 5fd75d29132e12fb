import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { type JsonObject, parseJson } from '../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgeEvidence } from '../../../../src/proof/log-documents/evidence-verdict.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS } from '../../../support/evidence.ts';
import { documentsJudgedByPython, hasPython } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const textAt = async (path: string): Promise<string> =>
  (await app.fetch(new Request(`http://localhost${path}`))).text();

/** Anchors items of an agent, and returns its list with what a reader adds. */
async function listed(context: string, payloads: readonly JsonObject[]): Promise<JsonObject[]> {
  const agent = await enrolledAgent(app, { context });
  const path = evidencePath(agent.commitment);
  for (const payload of payloads) {
    const sent = { source_type: 'otel_genai_trace', payload, signature: agent.sign(payload) };
    expect((await app.own.post(path, sent)).status).toBe(201);
  }
  await app.service.trust.log.publisher.publish();
  const { body } = await app.own.get(path);
  const added = {
    subject_commitment: agent.commitment,
    public_key: agent.publicKey,
    ...(context === 'passport-v1' ? {} : { context }),
  };
  const items: JsonObject[] = JSON.parse(JSON.stringify(body.evidence));
  return items.map((item) => ({ ...item, ...added }));
}

test('items of a running service are valid with their proofs, by the program and by verify.py', async () => {
  const payloads = ['a', 'b', 'c'].map((name) => PAYLOADS.otel_genai_trace(name));
  const items = [...(await listed('passport-v1', payloads)), ...(await listed('clinic-7', payloads))];
  expect(items.map(({ index }) => index)).toEqual([2, 1, 0, 2, 1, 0]);
  const keys = parseJson(await textAt('/api/v1/transparency/keys'));
  const { trusted: logKeys } = readLogKeys(nativePrimitives, keys);
  for (const item of items) {
    const path = evidencePath(String(item.subject_commitment));
    const proof = Buffer.from(await textAt(`${path}/${item.event_commitment_hash}/proof`));
    const document = Buffer.from(JSON.stringify(item));
    const result = judgeEvidence(nativePrimitives, document, { logKeys, proof, now: Date.now() });
    expect([result.verdict, result.problems]).toEqual(['valid', []]);
    if (!hasPython) continue;
    const [said] = await documentsJudgedByPython([{ document, keys, now: Date.now() / 1000 }]);
    expect(said).toMatchObject({ verdict: 'valid' });
  }
});
