import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { verifyProof } from '../../../../src/proof/credential/data-integrity.ts';
import { publicKeyOfDidKey } from '../../../../src/proof/credential/multikey.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';
import { didKey } from '../../../../src/proof/keys/did-key.ts';
import { reputationContext } from '../../../../src/trust/credentials/reputation-context.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { SUCCESS } from '../../../support/log.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { doneWork, times } from '../../../support/work.ts';

const HOUR = 3600_000;
const NOON = Date.parse('2026-11-21T12:00:00.000Z');

let app: TrustApp;
let time: VirtualTime;

beforeAll(async () => {
  time = new VirtualTime(NOON);
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

const pathOf = ({ commitment }: Pick<Agent, 'commitment'>): string => `/api/v1/credentials/${commitment}`;

function object(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

/** An agent with some work, all of which checkpoints contain. */
async function agentWithWork(of = app): Promise<Agent> {
  const agent = await enrolledAgent(of);
  await doneWork(of, agent.commitment, [...times(3, 'success'), 'failure']);
  await publishCheckpoints(of);
  return agent;
}

async function credentialOf(agent: Agent, of = app): Promise<JsonObject> {
  const { status, body } = await of.anyone.get(pathOf(agent));
  expect([status, body.reason_code]).toEqual([200, undefined]);
  return object(JSON.parse(JSON.stringify(body)));
}

async function rowsOf({ agent }: Agent, of = app): Promise<number> {
  return of.service.trust.store.read(async ({ connection }) => {
    const found = connection.sqlite.query('SELECT count(*) AS n FROM credential WHERE agent_seq = ?');
    return Number(Object(found.get(agent.agentSeq)).n);
  });
}

describe('a request for a credential', () => {
  const refused = (name: string, commitment: string, answer: Scenario[2]): Scenario => [
    name,
    `GET /api/v1/credentials/${commitment}`,
    answer,
  ];
  scenarios(
    () => app,
    [
      refused('of an agent that never enrolled is not found', 'ab'.repeat(32), '404 not_found'),
      refused('of what is no hash is not found', 'x', '404 not_found'),
      refused('of SQL is not found', encodeURIComponent("' OR 1=1 --"), '404 not_found'),
      refused('of 257 characters is refused', 'x'.repeat(257), '400 validation_error: commitment'),
    ],
    { by: 'anyone' },
  );

  test('of a revoked agent is refused', async () => {
    const agent = await agentWithWork();
    await credentialOf(agent);
    const revoked = await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`, {});
    expect(revoked.status).toBe(200);
    const { status, body } = await app.anyone.get(pathOf(agent));
    expect([status, body.reason_code]).toEqual([403, 'agent_not_enrolled']);
  });

  test('of an agent without events gets nulls and zeros', async () => {
    const agent = await enrolledAgent(app);
    const { credentialSubject } = await credentialOf(agent);
    expect(credentialSubject).toMatchObject({
      totals: { evidence_count: 0, artifact_count: 0, failure_count: 0 },
      rolling_30d: { success_rate: null, failure_rate: null },
      score: 0,
      first_observed_at: null,
      receipts_count: 0,
    });
  });
});

describe('a credential', () => {
  test('says what the profile of the agent says, for a day', async () => {
    const agent = await agentWithWork();
    const { body: profile } = await app.anyone.get(`/api/v1/profiles/${agent.commitment}`);
    const { receipts_count, ...totals } = Object(profile.totals);
    const { sample_size, ...rates } = Object(profile.rolling_30d);
    const credential = await credentialOf(agent);
    expect(credential).toMatchObject({
      '@context': ['https://www.w3.org/ns/credentials/v2', 'http://localhost:3000/contexts/reputation/v2'],
      type: ['VerifiableCredential', 'AgentReputationCredential'],
      validFrom: new Date(time.now()).toISOString(),
      validUntil: new Date(time.now() + 24 * HOUR).toISOString(),
      credentialSubject: {
        id: expect.stringMatching(/^did:key:z6Mk/),
        agent_commitment_hash: agent.commitment,
        totals,
        rolling_30d: rates,
        score: profile.score,
        score_corroborated: profile.score_corroborated,
        score_basis: profile.score_basis,
        sample_size,
        receipts_count,
        measured_at: new Date(time.now()).toISOString(),
      },
    });
    expect(credential.id).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('has a proof by the key of its issuer, which holds for no other text', async () => {
    const credential = await credentialOf(await agentWithWork());
    const key = publicKeyOfDidKey(String(credential.issuer)) ?? new Uint8Array();
    expect(inOneGo(verifyProof(nativePrimitives, credential, key))).toBe(true);
    for (const member of Object.keys(credential)) {
      if (member === 'proof') continue;
      expect([member, inOneGo(verifyProof(nativePrimitives, { ...credential, [member]: 'x' }, key))]).toEqual(
        [member, false],
      );
    }
  });

  test('cites published checkpoints that contain the work of the agent', async () => {
    const agent = await agentWithWork();
    const { credentialSubject } = await credentialOf(agent);
    const cited = object(object(credentialSubject).checkpoint);
    for (const log of ['evidence', 'receipts']) {
      const { body } = await app.anyone.get(`/api/v1/receipts/checkpoints/latest?log=${log}`);
      const { origin, tree_size, root_hash } = body;
      expect(object(cited[log])).toEqual({ origin, tree_size, root_hash } as JsonObject);
    }
  });

  test('has only terms that its context defines', async () => {
    const { credentialSubject } = await credentialOf(await agentWithWork());
    const { id: _, ...subject } = object(credentialSubject);
    const terms = object(JSON.parse(reputationContext()))['@context'];
    const undefinedIn = (value: JsonObject, defined: JsonObject): string[] =>
      Object.entries(value).flatMap(([name, inner]) => {
        if (!isJsonObject(defined[name])) return [name];
        return isJsonObject(inner) ? undefinedIn(inner, object(defined[name]['@context'])) : [];
      });
    expect(undefinedIn(subject, object(terms))).toEqual([]);
    expect(undefinedIn({ ...subject, other: 1 }, object(terms))).toEqual(['other']);
  });
});

describe('a credential is', () => {
  test('the same, byte for byte, until something changes, also when nothing is cached', async () => {
    const agent = await agentWithWork();
    const ask = async () => (await app.fetch(new Request(`http://localhost${pathOf(agent)}`))).text();
    const first = await ask();
    time.advance(1000);
    expect(await ask()).toBe(first);
    app.service.trust.credentialCache.credentials.clear();
    expect(await ask()).toBe(first);
    expect(await rowsOf(agent)).toBe(1);
  });

  test('one for requests that arrive together', async () => {
    const agent = await agentWithWork();
    const all = await Promise.all(Array.from({ length: 40 }, () => credentialOf(agent)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await rowsOf(agent)).toBe(1);
  });

  test('another one after evidence, which waits for its checkpoint', async () => {
    const agent = await agentWithWork();
    const before = await credentialOf(agent);
    await doneWork(app, agent.commitment, ['success']);
    const waiting = credentialOf(agent);
    await publishCheckpoints(app);
    const after = await waiting;
    expect(after.id).not.toBe(before.id ?? null);
    expect(after.credentialSubject).toMatchObject({ totals: { evidence_count: 5 } });
    const [old, cited] = [before, after].map(({ credentialSubject }) =>
      object(object(object(credentialSubject).checkpoint).evidence),
    );
    expect(Number(cited?.tree_size)).toBeGreaterThan(Number(old?.tree_size));
  });

  test('issued within one publication for an agent that works without a pause', async () => {
    const agent = await agentWithWork();
    await credentialOf(agent);
    await doneWork(app, agent.commitment, ['success']);
    const waiting = credentialOf(agent);
    const { publisher } = app.service.trust.log;
    const { publications } = publisher;
    const { count } = publications;
    const published = publications.after(count, 3000);
    // The agent has another leaf before the request can read again.
    publisher.grown('evidence');
    const round = publisher.publish();
    await published;
    await doneWork(app, agent.commitment, ['success']);
    await round;
    expect((await waiting).credentialSubject).toMatchObject({ totals: { evidence_count: 5 } });
    await publishCheckpoints(app);
    expect((await credentialOf(agent)).credentialSubject).toMatchObject({ totals: { evidence_count: 6 } });
  });

  test('another one after a receipt is finalized, and after it is revoked', async () => {
    const agent = await agentWithWork();
    const ids = [(await credentialOf(agent)).id];
    const { body: receipt } = await app.own.issue({ agent_id: agent.commitment });
    expect((await credentialOf(agent)).id).toBe(ids[0] ?? null);
    const finalized = await app.own.finalize(receipt.receipt_id, SUCCESS);
    expect([finalized.status, finalized.body.error]).toEqual([200, undefined]);
    await publishCheckpoints(app);
    const counted = await credentialOf(agent);
    expect(counted.credentialSubject).toMatchObject({ receipts_count: 1 });
    ids.push(counted.id);
    await app.own.revoke(receipt.receipt_id);
    const uncounted = await credentialOf(agent);
    expect(uncounted.credentialSubject).toMatchObject({ receipts_count: 0 });
    ids.push(uncounted.id);
    expect(new Set(ids).size).toBe(3);
  });

  test('another one after half of its validity, and not before', async () => {
    const agent = await agentWithWork();
    const { id } = await credentialOf(agent);
    time.advance(12 * HOUR - 1);
    expect((await credentialOf(agent)).id).toBe(id ?? null);
    time.advance(1);
    expect((await credentialOf(agent)).id).not.toBe(id ?? null);
  });

  test('another one when a day leaves the window of its rates', async () => {
    const agent = await agentWithWork();
    time.advance(29 * 24 * HOUR - (time.now() % (24 * HOUR)) + 23 * HOUR);
    const before = await credentialOf(agent);
    expect(before.credentialSubject).toMatchObject({ sample_size: 4 });
    time.advance(2 * HOUR);
    const after = await credentialOf(agent);
    expect(after.credentialSubject).toMatchObject({ sample_size: 0, rolling_30d: { success_rate: null } });
  });

  test('the same for a new name and after midnight, if its numbers are the same', async () => {
    const agent = await agentWithWork();
    time.advance(23 * HOUR - (time.now() % (24 * HOUR)) + 24 * HOUR);
    const { id } = await credentialOf(agent);
    await app.own.call('PUT', `/api/v1/passport/agents/${agent.commitment}/name`, { name: 'renamed' });
    time.advance(2 * HOUR);
    expect((await credentialOf(agent)).id).toBe(id ?? null);
  });

  test('of the new key after a rotation', async () => {
    const own = await openTrustApp({}, time);
    const agent = await agentWithWork(own);
    const before = await credentialOf(agent, own);
    await rotate(own.service.trust, 'credentials', 0);
    const after = await credentialOf(agent, own);
    expect(after.issuer).not.toBe(before.issuer ?? null);
    expect(object(after.credentialStatus).statusListCredential).toBe(
      'http://localhost:3000/api/v1/credentials/status/2',
    );
    await own.close();
  });

  test('never of a key that was reported as compromised while it was issued', async () => {
    const own = await openTrustApp({}, time);
    const agent = await agentWithWork(own);
    const { signer } = own.service.trust;
    const { publicKey, kid } = signer.activeKey('credentials');
    // The request reads with the old key, and its transaction comes after the report.
    const [credential] = await Promise.all([
      credentialOf(agent, own),
      reportCompromised(own.service.trust, kid),
    ]);
    const old = didKey(hexToBytes(publicKey));
    expect(credential.issuer).not.toBe(old);
    expect(credential.issuer).toBe(didKey(hexToBytes(signer.activeKey('credentials').publicKey)));
    await own.close();
  });

  test('issued by did:web on a public https host', async () => {
    const web = await openTrustApp({}, time, ':memory:', { url: 'https://trust.example' });
    const agent = await agentWithWork(web);
    const { issuer, proof, '@context': contexts } = await credentialOf(agent, web);
    const { kid } = web.service.trust.signer.activeKey('credentials');
    expect(issuer).toBe('did:web:trust.example');
    expect(object(proof).verificationMethod).toBe(`did:web:trust.example#${kid}`);
    expect(contexts).toContain('https://trust.example/contexts/reputation/v2');
    // The issuer stays after a rotation, but the next key signs in a list of its own.
    await rotate(web.service.trust, 'credentials', 0);
    const next = await credentialOf(agent, web);
    const { kid: nextKid } = web.service.trust.signer.activeKey('credentials');
    expect([next.issuer, object(next.proof).verificationMethod]).toEqual([
      'did:web:trust.example',
      `did:web:trust.example#${nextKid}`,
    ]);
    expect(object(next.credentialStatus).statusListCredential).toEndWith('/status/2');
    await web.close();
  });
});

describe('the response', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.fetch(new Request(`http://localhost${path}`, { headers }));

  test('is cacheable for a minute, and not modified for a client that has it', async () => {
    const agent = await agentWithWork();
    const response = await get(pathOf(agent));
    const etag = response.headers.get('etag') ?? '';
    expect([response.headers.get('cache-control'), response.headers.get('content-type'), etag]).toEqual([
      'public, max-age=60',
      'application/json',
      expect.stringMatching(/^"[0-9a-f]{32}"$/),
    ]);
    const same = await get(pathOf(agent), { 'if-none-match': etag });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test.each([
    ['application/vc', 'application/vc'],
    ['application/vc, application/json;q=0.5', 'application/vc'],
    ['application/vc;q=0.5, application/json', 'application/json'],
    ['application/ld+json', 'application/json'],
    ['*/*', 'application/json'],
  ])('for Accept: %s has the type %s', async (accept, type) => {
    const response = await get(pathOf(await agentWithWork()), { accept });
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      type,
      'Accept',
    ]);
  });

  test('with the context of credentials never changes, for any page', async () => {
    const response = await get('/contexts/reputation/v2');
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
      response.headers.get('access-control-allow-origin'),
      await response.text(),
    ]).toEqual([200, 'application/ld+json', 'public, max-age=31536000, immutable', '*', reputationContext()]);
  });
});

test('no credential is issued while the clock is wrong', async () => {
  const agent = await agentWithWork();
  time.jump(2 * HOUR);
  const { status, body } = await app.anyone.get(pathOf(agent));
  time.jump(-2 * HOUR);
  expect([status, body.reason_code]).toEqual([503, 'clock_wrong']);
  expect(await rowsOf(agent)).toBe(0);
  await credentialOf(agent);
});

test('a read-only service issues no credential and signs no list', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'credentials-'));
  const writing = await openTrustApp({}, null, directory);
  const agent = await agentWithWork(writing);
  await credentialOf(agent, writing);
  await writing.close();
  const reading = await openTrustApp({ read_only: 'on' }, null, directory);
  for (const path of [pathOf(agent), '/api/v1/credentials/status/1']) {
    const { status, body } = await reading.anyone.get(path);
    expect([path, status, body.reason_code]).toEqual([path, 503, 'storage_unavailable']);
  }
  await reading.close();
  rmSync(directory, { recursive: true });
});

test('a credential is the same after a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'credentials-'));
  const first = await openTrustApp({}, null, directory);
  const agent = await agentWithWork(first);
  const before = await credentialOf(agent, first);
  await first.close();
  const second = await openTrustApp({}, null, directory);
  expect(await credentialOf(agent, second)).toEqual(before);
  await second.close();
  rmSync(directory, { recursive: true });
});
