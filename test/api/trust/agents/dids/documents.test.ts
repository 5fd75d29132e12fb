import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import { didKey } from '../../../../../src/proof/keys/did-key.ts';
import { publicKeyMultibase } from '../../../../../src/proof/keys/kid.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const DOCUMENT = 'application/did+ld+json';

let app: TrustApp;
let clerk: Awaited<ReturnType<typeof enrolledAgent>>;
let retired: Awaited<ReturnType<typeof enrolledAgent>>;

/** A service at the public host `trust.example`, with an agent and a revoked one. */
beforeAll(async () => {
  app = await openTrustApp({}, null, ':memory:', { url: 'https://trust.example:8443' });
  clerk = await enrolledAgent(app);
  retired = await enrolledAgent(app);
  await app.own.post(`/api/v1/passport/agents/${retired.commitment}/revoke`);
});
afterAll(() => app.close());

const WEB = 'did:web:trust.example%3A8443';
const multibaseOf = (key: { publicKey: string }) => publicKeyMultibase(hexToBytes(key.publicKey));

describe('the DID documents of a service with a public https host', () => {
  scenarios(
    () => app,
    [
      [
        'the document of the service is cacheable for a minute and readable by any web page',
        'GET /.well-known/did.json',
        '200',
        {
          responseHeaders: {
            'content-type': DOCUMENT,
            'cache-control': 'public, max-age=60',
            'access-control-allow-origin': '*',
          },
          effects: ({ service: { trust } }, body) => {
            const key = trust.signer.activeKey('credentials');
            expect(body).toMatchObject({ id: WEB, assertionMethod: [`${WEB}#${key.kid}`] });
            expect(body.verificationMethod).toContainEqual({
              id: `${WEB}#${key.kid}`,
              type: 'Multikey',
              controller: WEB,
              publicKeyMultibase: multibaseOf(key),
            });
          },
        },
      ],
      [
        'the key set has the keys that sign statements, and no others',
        'GET /.well-known/jwks.json',
        '200',
        {
          responseHeaders: { 'content-type': 'application/json' },
          effects: ({ service: { trust } }, body) => {
            const { kid, publicKey } = trust.signer.activeKey('credentials');
            const x = Buffer.from(publicKey, 'hex').toString('base64url');
            expect(body).toEqual({
              keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }],
            });
          },
        },
      ],
      [
        'the document of an agent is that of its did:key, and names its did:web and its services',
        () => `GET /api/v1/anp/agents/${clerk.commitment}`,
        '200',
        {
          by: 'anyone',
          responseHeaders: { 'content-type': DOCUMENT, 'access-control-allow-origin': '*' },
          effects: (_, body) => {
            const did = didKey(hexToBytes(clerk.publicKey));
            const method = `${did}#${multibaseOf(clerk)}`;
            expect(body).toMatchObject({
              id: did,
              alsoKnownAs: [`${WEB}:api:v1:anp:agents:${clerk.commitment}`],
              verificationMethod: [{ id: method, controller: did, publicKeyMultibase: multibaseOf(clerk) }],
              authentication: [method],
              assertionMethod: [method],
            });
            expect(body.service).toContainEqual({
              id: `${did}#profile`,
              type: 'AgentProfile',
              serviceEndpoint: `https://trust.example:8443/api/v1/profiles/${clerk.commitment}`,
            });
          },
        },
      ],
      [
        'the document at did.json is that of the did:web, and names the did:key',
        () => `GET /api/v1/anp/agents/${clerk.commitment}/did.json`,
        '200',
        {
          by: 'anyone',
          effects: (_, body) => {
            const did = `${WEB}:api:v1:anp:agents:${clerk.commitment}`;
            const method = `${did}#${multibaseOf(clerk)}`;
            expect(body).toMatchObject({
              id: did,
              alsoKnownAs: [didKey(hexToBytes(clerk.publicKey))],
              verificationMethod: [{ id: method, controller: did }],
              capabilityInvocation: [method],
            });
          },
        },
      ],
      [
        'the key of a revoked agent stays in its document and authorizes nothing',
        () => `GET /api/v1/anp/agents/${retired.commitment}`,
        '200',
        {
          effects: (_, body) => {
            expect(body).toMatchObject({ authentication: [], assertionMethod: [], capabilityInvocation: [] });
            expect(body.verificationMethod).toHaveLength(1);
          },
        },
      ],
      [
        'an agent that never enrolled has no document',
        `GET /api/v1/anp/agents/${'0'.repeat(64)}`,
        '404 not_found',
      ],
      [
        'text that is no commitment has no document',
        'GET /api/v1/anp/agents/clerk/did.json',
        '404 not_found',
      ],
    ],
  );

  test.each(['/.well-known/did.json', '/.well-known/jwks.json'])(
    '%s is not sent again to a client that has it',
    async (path) => {
      const etag = String((await app.anyone.get(path)).headers.get('etag'));
      const again = await app.anyone.call('GET', path, undefined, { 'if-none-match': etag });
      expect([again.status, again.body]).toEqual([304, {}]);
    },
  );
});

describe('the documents of a service that replaces its keys', () => {
  test('have the next key and the replaced one, and never a compromised one', async () => {
    const other = await openTrustApp({ 'keys.publish_ahead_seconds': '3600' }, null, ':memory:', {
      url: 'https://trust.example',
    });
    const { trust } = other.service;
    const methods = async () => Object((await other.anyone.get('/.well-known/did.json')).body);
    const kids = async () =>
      Object((await other.anyone.get('/.well-known/jwks.json')).body).keys.map(
        ({ kid }: { kid: string }) => kid,
      );
    const first = trust.signer.activeKey('credentials');
    await rotate(trust, 'credentials');
    const next = trust.signer
      .all()
      .find(({ purpose, status }) => purpose === 'credentials' && status === 'next');
    expect(await kids()).toEqual([first.kid, next?.kid]);
    expect((await methods()).assertionMethod).toHaveLength(2);
    await reportCompromised(trust, first.kid);
    expect(await kids()).toEqual([next?.kid]);
    expect(JSON.stringify(await methods())).not.toContain(first.kid);
    await other.close();
  });
});

describe('a service without a public https host', () => {
  test('is a did:key, each of whose methods belongs to the DID of its own key; its agents have no did:web', async () => {
    const local = await openTrustApp();
    const { publicKey } = local.service.trust.signer.activeKey('credentials');
    const multibase = multibaseOf({ publicKey });
    const { body } = await local.anyone.get('/.well-known/did.json');
    expect(body).toMatchObject({
      id: `did:key:${multibase}`,
      assertionMethod: [`did:key:${multibase}#${multibase}`],
    });
    for (const { id, controller, publicKeyMultibase: own } of Object(body).verificationMethod) {
      expect([id, controller]).toEqual([`did:key:${own}#${own}`, `did:key:${own}`]);
    }
    const { commitment, publicKey: agentKey } = await enrolledAgent(local);
    const path = `/api/v1/anp/agents/${commitment}`;
    const document = (await local.anyone.get(path)).body;
    expect(document).toMatchObject({ id: didKey(hexToBytes(agentKey)), alsoKnownAs: [] });
    expect((await local.anyone.get(`${path}/did.json`)).body).toEqual(document);
    await local.close();
  });
});
