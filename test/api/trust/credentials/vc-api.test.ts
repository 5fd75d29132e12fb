import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Implementation, serviceImplementation } from '../../../../scripts/conformance/vc-api.ts';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { doneWork, times } from '../../../support/work.ts';

/** The adapter by which the W3C suites call the service. */
const VC2 = 'https://www.w3.org/ns/credentials/v2';

let app: TrustApp;
let server: ReturnType<typeof Bun.serve>;
let adapter: Implementation;

beforeAll(async () => {
  app = await openTrustApp();
  const { commitment } = await enrolledAgent(app);
  await doneWork(app, commitment, times(3, 'success'));
  await publishCheckpoints(app);
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) });
  adapter = await serviceImplementation({ url: `http://127.0.0.1:${server.port}`, worker: commitment });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

const plain = (changes: JsonObject = {}): JsonObject => ({
  '@context': [VC2],
  id: 'urn:uuid:86294362-4254-4f36-854f-3952fe42555d',
  type: ['VerifiableCredential'],
  issuer: adapter.issuer,
  credentialSubject: { id: 'did:example:subject' },
  ...changes,
});

test('a plain document gets the credential of the service, which the service verifies, but not when it was changed', async () => {
  const { status, body } = await adapter.issue(plain());
  if (!isJsonObject(body)) throw new Error('no credential');
  expect([status, body.type]).toEqual([200, ['VerifiableCredential', 'AgentReputationCredential']]);
  expect(await adapter.verify(body)).toMatchObject({ status: 200, body: { valid: true } });
  expect(await adapter.verify({ ...body, validUntil: '2099-01-01T00:00:00.000Z' })).toMatchObject({
    status: 422,
    body: { valid: false },
  });
});

test.each([
  ['another context', { '@context': [VC2, 'https://www.w3.org/ns/credentials/examples/v2'] }],
  ['another type', { type: ['VerifiableCredential', 'Example'] }],
  ['another issuer', { issuer: 'did:example:other' }],
  ['an id that is not text', { id: null }],
  ['a subject without an id', { credentialSubject: {} }],
  ['content of its own', { validFrom: '2026-01-01T00:00:00Z' }],
])('a document with %s is refused', async (_, changes) => {
  expect(await adapter.issue(plain(changes))).toMatchObject({ status: 400 });
});
