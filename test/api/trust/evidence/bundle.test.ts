import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  isEvidenceBundleAsAsked,
  judgeEvidenceBundle,
} from '../../../../src/proof/bundle/evidence-bundle.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgeEvidence } from '../../../../src/proof/log-documents/evidence-verdict.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { BackedUpDirectory } from '../../../support/backed-up-directory.ts';
import { anchored, evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
const known = { commitment: '', first: '', second: '', other: '' };

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const bundlePath = (commitment: string, hash: string): string => `${evidencePath(commitment)}/${hash}/bundle`;
const publish = (service: TrustApp) => service.service.trust.log.publisher.publish();
const bundleOf = async (service: TrustApp, commitment: string, hash: string) =>
  plain((await service.anyone.get(bundlePath(commitment, hash))).body);

/** What a verifier with the service's list of keys knows of its logs. */
async function optionsOf(service: TrustApp) {
  const list = plain((await service.anyone.get('/api/v1/transparency/keys')).body);
  return { logKeys: readLogKeys(nativePrimitives, list).trusted, now: Date.now() };
}

async function judged(service: TrustApp, bundle: JsonObject) {
  const result = judgeEvidenceBundle(nativePrimitives, bundle, await optionsOf(service));
  return { ...result, isValid: isEvidenceBundleAsAsked(result) };
}

beforeAll(async () => {
  app = await openTrustApp();
  agent = await enrolledAgent(app);
  known.commitment = agent.commitment;
  known.other = (await enrolledAgent(app)).commitment;
  known.first = await anchored(app, agent);
  const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload('b'));
  known.second = String(
    (await app.own.post(evidencePath(agent.commitment), item)).body.event_commitment_hash,
  );
  await publish(app);
});
afterAll(() => app.close());

describe('a bundle of evidence', () => {
  scenarios(
    () => app,
    [
      [
        'is public, and has nothing that only the sponsor sees',
        () => `GET ${bundlePath(known.commitment, known.second)}`,
        '200',
        {
          by: 'anyone',
          contains: ['"type":"evidence-bundle"', '"outcome":"success"', '"cosigned":false'],
          lacks: ['"payload":', '"signature":', '"reading":', 'op_cus_'],
          responseHeaders: { 'content-type': 'application/vnd.countersign.bundle+json' },
        },
      ],
      [
        'is not found under another agent',
        () => `GET ${bundlePath(known.other, known.second)}`,
        '404 not_found',
        { by: 'anyone' },
      ],
      [
        'is not found by a text that is no hash',
        () => `GET ${bundlePath(known.commitment, 'nothing')}`,
        '404 not_found',
        { by: 'anyone' },
      ],
      [
        'is of a checkpoint of one of two kinds',
        () => `GET ${bundlePath(known.commitment, known.second)}?cosigned=maybe`,
        '400 validation_error: cosigned',
        { by: 'anyone' },
      ],
    ],
  );

  test('is proven to whoever has the list of keys', async () => {
    const result = await judged(app, await bundleOf(app, known.commitment, known.second));
    expect(result).toMatchObject({
      isValid: true,
      verdict: 'valid',
      checks: { agent: 'ok', hashes: 'ok', proof: 'ok' },
      problems: [],
      item: { index: 1, event_commitment_hash: known.second, prev_event_hash: known.first },
    });
  });

  test('is the proof of the item with its payload', async () => {
    const { body } = await app.own.get(`${evidencePath(known.commitment)}?limit=1`);
    const [listed] = Object(body.evidence);
    const bundle = await bundleOf(app, known.commitment, known.second);
    const { subject_commitment, public_key, context } = Object(bundle.item);
    const item = { ...listed, subject_commitment, public_key, context };
    const proof = Buffer.from(JSON.stringify(bundle));
    const options = { ...(await optionsOf(app)), proof };
    const result = judgeEvidence(nativePrimitives, Buffer.from(JSON.stringify(item)), options);
    expect([result.verdict, result.checks.proof]).toEqual(['valid', 'ok']);
  });

  test('has no proof before a checkpoint covers the item, and says so', async () => {
    const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload('c'));
    const { body } = await app.own.post(evidencePath(agent.commitment), item);
    const bundle = await bundleOf(app, agent.commitment, String(body.event_commitment_hash));
    expect([bundle.proof, bundle.inclusion_reason]).toEqual([
      null,
      expect.stringContaining('no checkpoint covers it yet'),
    ]);
    expect(await judged(app, bundle)).toMatchObject({
      isValid: false,
      verdict: 'not_proven',
      checks: { agent: 'ok', hashes: 'ok', proof: 'missing' },
      problems: [expect.stringContaining('no checkpoint covers it yet')],
      item: null,
    });
  });

  test('is there when the agent is revoked as well', async () => {
    const revoked = await enrolledAgent(app);
    const hash = await anchored(app, revoked);
    await app.own.post(`/api/v1/passport/agents/${revoked.commitment}/revoke`, {});
    await publish(app);
    expect(await judged(app, await bundleOf(app, revoked.commitment, hash))).toMatchObject({ isValid: true });
  });
});

describe('evidence that a restored backup lacks', () => {
  test('has a bundle without its outcome, unless the agent is lost too', async () => {
    const directory = new BackedUpDirectory();
    const enrolled = await directory.served(async (service) => {
      const kept = await enrolledAgent(service, { key: newAgentKey() });
      await anchored(service, kept);
      await publish(service);
      return kept;
    });
    directory.backUp();
    const lost = await directory.served(async (service) => {
      const item = signedEvidence(enrolled, 'github_commit_payload', PAYLOADS.github_commit_payload('b'));
      const { body } = await service.own.post(evidencePath(enrolled.commitment), item);
      const newcomer = await enrolledAgent(service, { key: newAgentKey() });
      const hash = await anchored(service, newcomer);
      await publish(service);
      return { hash: String(body.event_commitment_hash), newcomer: newcomer.commitment, of: hash };
    });
    await directory.recovered();
    await directory.served(async (service) => {
      await publish(service);
      const bundle = await bundleOf(service, enrolled.commitment, lost.hash);
      expect(bundle).toMatchObject({ item: { index: 1, event_commitment_hash: lost.hash } });
      expect(Object(bundle.item).outcome).toBeUndefined();
      expect(await judged(service, bundle)).toMatchObject({ isValid: true });
      const { status, body } = await service.anyone.get(bundlePath(lost.newcomer, lost.of));
      expect([status, body.error]).toEqual([404, expect.stringContaining('the database has lost its agent')]);
    });
    directory.dispose();
  });
});
