import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import { secure } from '../../../../src/proof/credential/data-integrity.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/proof/encoding/json.ts';
import { didKey } from '../../../../src/proof/keys/did-key.ts';
import { publicKeyMultibase } from '../../../../src/proof/keys/kid.ts';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { didKeyIssuer, signedCredential } from '../../../support/signed-credential.ts';
import { testKey } from '../../../support/small-log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const HOUR = 3600_000;
const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const PATH = '/api/v1/credentials/verify';

const copy = (value: unknown): JsonObject => {
  const parsed: JsonValue = JSON.parse(JSON.stringify(value));
  if (isJsonObject(parsed)) return parsed;
  throw new Error(`not an object: ${JSON.stringify(value)}`);
};

/** A service of its own with one agent and its credential. */
async function opened(more: Parameters<typeof openTrustApp>[3] = {}) {
  const time = new VirtualTime(NOON);
  const app = await openTrustApp({}, time, ':memory:', more);
  const agent = await enrolledAgent(app);
  const credential = copy((await app.anyone.get(`/api/v1/credentials/${agent.commitment}`)).body);
  return { time, app, agent, credential };
}

async function verify({ anyone }: Pick<TrustApp, 'anyone'>, body: unknown) {
  const { status, body: said } = await anyone.post(PATH, Object(body));
  return { status, code: said.reason_code ?? null, said };
}

function withoutProof({ proof: _proof, ...unsigned }: JsonObject): JsonObject {
  return unsigned;
}

describe('POST /api/v1/credentials/verify', () => {
  let app: TrustApp;
  let credential: JsonObject;
  let agent: Awaited<ReturnType<typeof enrolledAgent>>;
  beforeAll(async () => {
    ({ app, credential, agent } = await opened());
  });
  afterAll(() => app.close());

  test.each<[string, (document: JsonObject) => JsonObject]>([
    ['that is the body', (document) => document],
    ['as credential', (document) => ({ credential: document })],
    [
      'as verifiableCredential, with other members',
      (document) => ({ verifiableCredential: document, options: {} }),
    ],
  ])('accepts a credential %s', async (_, wrap) => {
    expect(await verify(app, wrap(credential))).toEqual({
      status: 200,
      code: null,
      said: {
        valid: true,
        issuer: String(credential.issuer),
        subject: didKey(hexToBytes(agent.publicKey)),
        checks: { shape: true, issuer: true, proof: true, validity: true, status: true },
      },
    });
  });

  test('accepts a status list, which cannot be revoked', async () => {
    const { statusListCredential } = Object(credential.credentialStatus);
    const { body } = await app.anyone.get(new URL(statusListCredential).pathname);
    const { status, said } = await verify(app, body);
    expect([status, Object(said.checks).status, said.subject]).toEqual([
      200,
      null,
      `${statusListCredential}#list`,
    ]);
  });

  const contexts = (document: JsonObject): JsonValue[] => Object(document['@context']);
  const withProof = (document: JsonObject, changes: JsonObject): JsonObject => ({
    ...document,
    proof: { ...Object(document.proof), ...changes },
  });
  test.each<[string, (document: JsonObject) => unknown, string]>([
    [
      'an empty body',
      () => ({}),
      'type is missing: it must be ["VerifiableCredential","AgentReputationCredential"] or',
    ],
    [
      'two credentials',
      (document) => ({ credential: document, verifiableCredential: document }),
      'type is missing: it must be',
    ],
    ['null', () => ({ credential: null }), 'is not a JSON object'],
    ['an array', (document) => ({ credential: [document] }), 'is not a JSON object'],
    ['a credential without proof', withoutProof, 'proof is missing'],
    [
      'an array of proofs',
      (document) => ({ ...document, proof: [document.proof ?? null] }),
      'proof is an array',
    ],
    [
      'another suite',
      (document) => withProof(document, { cryptosuite: 'ecdsa-jcs-2019' }),
      'only eddsa-jcs-2022',
    ],
    [
      'another purpose',
      (document) => withProof(document, { proofPurpose: 'keyAgreement' }),
      'only assertionMethod',
    ],
    [
      'another order of contexts',
      (document) => ({ ...document, '@context': contexts(document).toReversed() }),
      'the order of @context was changed',
    ],
    [
      'an unknown context',
      (document) => ({ ...document, '@context': [...contexts(document), 'https://evil.example/v1'] }),
      'https://evil.example/v1',
    ],
    [
      'a context of its own',
      (document) => ({ ...document, '@context': [...contexts(document), { score: 'urn:x' }] }),
      'which is not a context of this type',
    ],
    [
      'the context of another service',
      (document) => ({
        ...document,
        '@context': [contexts(document)[0] ?? null, 'https://other.example/contexts/reputation/v1'],
      }),
      'which is not a context of this type',
    ],
  ])('refuses %s in words', async (_, change, words) => {
    const { status, code, said } = await verify(app, change(credential));
    expect([status, code, said.valid]).toEqual([422, 'credential_malformed', false]);
    expect(said.error).toContain(words);
    expect(said.checks).toEqual({ shape: false, issuer: null, proof: null, validity: null, status: null });
    expect(said.request_id).toBeString();
  });

  const stranger = testKey(7);
  const forged = (issuer: string, method: string) =>
    signedCredential({ ...withoutProof(credential), issuer }, { key: stranger, method });
  test.each<[string, () => JsonObject, string]>([
    [
      'a key that the document brings as its issuer',
      () => forged(didKeyIssuer(stranger).issuer, didKeyIssuer(stranger).method),
      'credential_issuer_unknown',
    ],
    [
      'a key that the document brings as the method of our issuer',
      () => forged(String(credential.issuer), didKeyIssuer(stranger).method),
      'credential_key_unknown',
    ],
    [
      'a stranger who names our key',
      () => forged(String(credential.issuer), String(Object(credential.proof).verificationMethod)),
      'credential_bad_proof',
    ],
    [
      'an issuer that we are not',
      () => forged('did:web:localhost%3A3000', `did:web:localhost%3A3000#${stranger.kid}`),
      'credential_issuer_unknown',
    ],
  ])('refuses %s', async (_, document, code) => {
    expect(await verify(app, document())).toMatchObject({ status: 422, code, said: { valid: false } });
  });

  test.each(['receipts', 'receipts-log', 'keys-log'] as const)(
    'refuses a credential that our key for %s signed: it vouches for no credential',
    async (purpose) => {
      const { privateKey, publicKey } = app.service.trust.signer.activeKey(purpose);
      const issuer = didKey(hexToBytes(publicKey));
      for (const named of [issuer, String(credential.issuer)]) {
        const options = {
          verificationMethod: `${named}#${publicKeyMultibase(hexToBytes(publicKey))}`,
          created: String(credential.validFrom),
        };
        const unsigned = { ...withoutProof(credential), issuer: named };
        const signed = secure(nativePrimitives, unsigned, options, (message) =>
          signEd25519(privateKey, message),
        );
        const code = named === issuer ? 'credential_issuer_unknown' : 'credential_key_unknown';
        expect(await verify(app, signed)).toMatchObject({ status: 422, code });
      }
    },
  );

  test('looks at no key, issuer and context of another service', async () => {
    const other = await opened();
    expect(await verify(app, other.credential)).toMatchObject({
      status: 422,
      code: 'credential_issuer_unknown',
    });
    await other.app.close();
  });
});

describe('a credential', () => {
  test.each<[string, number, number, string | null]>([
    ['2 h before it was issued', -2 * HOUR, 422, 'credential_not_yet_valid'],
    ['at its last moment', 24 * HOUR - 1, 200, null],
    ['24 h after it was issued', 24 * HOUR, 422, 'credential_expired'],
  ])('%s', async (_, later, status, code) => {
    const { app, time, credential } = await opened();
    time.jump(later);
    const found = await verify(app, credential);
    expect([found.status, found.code]).toEqual([status, code]);
    if (code !== null)
      expect(found.said.checks).toMatchObject({ proof: true, validity: false, status: true });
    await app.close();
  });

  test('that is revoked counts no more at once, and the next one of its agent does', async () => {
    const { app, agent, credential } = await opened();
    expect((await verify(app, credential)).status).toBe(200);
    expect((await app.own.post(`/api/v1/credentials/${credential.id}/revoke`, {})).status).toBe(200);
    expect(await verify(app, credential)).toMatchObject({
      status: 422,
      code: 'credential_revoked',
      said: { checks: { shape: true, issuer: true, proof: true, validity: true, status: false } },
    });
    const next = await app.anyone.get(`/api/v1/credentials/${agent.commitment}`);
    expect((await verify(app, next.body)).status).toBe(200);
    await app.close();
  });

  test('of a revoked agent counts no more', async () => {
    const { app, agent, credential } = await opened();
    expect((await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`, {})).status).toBe(200);
    expect(await verify(app, credential)).toMatchObject({ status: 422, code: 'credential_revoked' });
    await app.close();
  });

  test('of a key that was replaced counts, until the key is reported as compromised', async () => {
    const { app, time, credential } = await opened();
    const { trust } = app.service;
    const { kid } = trust.signer.activeKey('credentials');
    await rotate(trust, 'credentials');
    time.advance(3 * HOUR);
    await activateDueKeys(trust);
    expect(trust.signer.activeKey('credentials').kid).not.toBe(kid);
    expect((await verify(app, credential)).status).toBe(200);
    await reportCompromised(trust, kid);
    expect(await verify(app, credential)).toMatchObject({
      status: 422,
      code: 'credential_key_compromised',
      said: { checks: { issuer: true, proof: false } },
    });
    await app.close();
  });

  test('that is dated after its key was replaced does not count', async () => {
    const { app, time, credential } = await opened();
    const { trust } = app.service;
    const { privateKey } = trust.signer.activeKey('credentials');
    await rotate(trust, 'credentials');
    time.advance(3 * HOUR);
    await activateDueKeys(trust);
    time.advance(HOUR);
    const { verificationMethod } = Object(credential.proof);
    const at = new Date(time.now()).toISOString();
    const unsigned = { ...withoutProof(credential), validFrom: at };
    const late = secure(nativePrimitives, unsigned, { verificationMethod, created: at }, (message) =>
      signEd25519(privateKey, message),
    );
    expect(await verify(app, late)).toMatchObject({ status: 422, code: 'credential_key_retired' });
    await app.close();
  });

  test('with the id of another one, which a replaced key signed, does not count', async () => {
    const { app, time, credential } = await opened();
    const { trust } = app.service;
    const { privateKey } = trust.signer.activeKey('credentials');
    await rotate(trust, 'credentials');
    time.advance(3 * HOUR);
    await activateDueKeys(trust);
    const { verificationMethod } = Object(credential.proof);
    const options = { verificationMethod, created: String(credential.validFrom) };
    const status = Object(credential.credentialStatus);
    const { issuer } = didKeyIssuer(testKey(4));
    const forgeries: [changes: JsonObject, code: string][] = [
      [{ validUntil: '2099-01-01T00:00:00.000Z' }, 'credential_malformed'],
      [{ validFrom: new Date(NOON - 1000).toISOString() }, 'credential_malformed'],
      [{ validUntil: new Date(NOON + 20 * HOUR).toISOString() }, 'credential_status_unknown'],
      [
        { credentialSubject: { ...Object(credential.credentialSubject), id: issuer } },
        'credential_status_unknown',
      ],
      [
        {
          credentialStatus: {
            ...status,
            statusListIndex: String((Number(status.statusListIndex) + 1) % 131_072),
          },
        },
        'credential_status_unknown',
      ],
    ];
    for (const [changes, code] of forgeries) {
      const signed = secure(
        nativePrimitives,
        { ...withoutProof(credential), ...changes },
        options,
        (message) => signEd25519(privateKey, message),
      );
      expect([changes, (await verify(app, signed)).code]).toEqual([changes, code]);
    }
    await app.close();
  });

  test('that the database does not have, as after the restore of a backup, is not called valid', async () => {
    const { app, credential } = await opened();
    await app.service.trust.store.writeAsService(async ({ connection }) => {
      connection.sqlite.run('DELETE FROM credential');
    });
    expect(await verify(app, credential)).toMatchObject({
      status: 422,
      code: 'credential_status_unknown',
      said: { checks: { proof: true, validity: true, status: null } },
    });
    await app.close();
  });

  test('of a service with a public host is issued by its did:web', async () => {
    const { app, credential } = await opened({ url: 'https://trust.example' });
    const { status, said } = await verify(app, credential);
    expect([status, said.issuer]).toEqual([200, 'did:web:trust.example']);
    const other = { ...credential, issuer: 'did:web:other.example' };
    expect(await verify(app, other)).toMatchObject({ status: 422, code: 'credential_issuer_unknown' });
    await app.close();
  });
});
