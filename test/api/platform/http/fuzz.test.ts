import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SETTLEMENT_RAILS } from '../../../../db/trust/payments-enums.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { anchored } from '../../../support/evidence.ts';
import { fuzz } from '../../../support/fuzz.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TOKEN = `svc_${'5e'.repeat(32)}`;

/** What the service needs to be configured for, so that it refuses nothing with 503. */
const SETTLEMENT_SECRETS = Object.fromEntries(
  SETTLEMENT_RAILS.map((rail) => [`payments.settlement.${rail}.secret`, 'k'.repeat(32)]),
);

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ service_token: TOKEN, 'billing.processor': 'sandbox', ...SETTLEMENT_SECRETS });
});
afterAll(() => app.close());

test('every operation of the trust service returns only documented responses to random requests, and never a 5xx', async () => {
  const { body: document } = await app.anyone.get('/openapi.json');
  const made = await app.own.post('/api/v1/operator/api-keys', {
    role: 'holder',
    subject_commitment: 'ab'.repeat(32),
  });
  const { receipt_id } = (await app.own.issue()).body;
  const finalized = (await app.own.issue({ blind: true })).body;
  await app.own.finalize(finalized.receipt_id, { status: 'timeout', terminal_reason: 'late' });
  const others = (await app.other.issue()).body;
  const url = 'https://1.1.1.1/';
  const { id } = (await app.own.post('/api/v1/webhooks', { url, events: ['evidence.anchored'] })).body;
  const { operator_id } = (await app.own.get('/api/v1/operator/status')).body;
  const agent = await enrolledAgent(app, { name: 'release-bot' });
  const work = await anchored(app, agent);
  await fuzz(
    // As the scheduler of a real process does, so that nothing waits for a checkpoint: health would say so, a
    // credential would not come.
    async (request) => {
      await app.service.trust.log.publisher.publish();
      return app.fetch(request);
    },
    Object(document),
    [
      `Bearer ${app.apiKey}`,
      `Bearer ${app.apiKey}`,
      `Bearer ${made.body.api_key}`,
      `Bearer ${TOKEN}`,
      'Bearer x',
      null,
    ],
    [
      receipt_id,
      finalized.receipt_id,
      others.receipt_id,
      operator_id,
      made.body.keyHash,
      id,
      agent.commitment,
      work,
    ].map(String),
    3000,
  );
  // The first key is an admin's and cannot have been deleted, being the last one; what was there is there.
  expect(
    (await client(app.fetch, 'http://localhost', app.apiKey).get(`/api/v1/receipts/${receipt_id}`)).status,
  ).toBe(200);
}, 180_000);

test('no combination of path and method returns a 5xx', async () => {
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(method, fc.webPath(), async (verb, path) => {
      const { status } = await app.fetch(new Request(`http://localhost${path}`, { method: verb }));
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
