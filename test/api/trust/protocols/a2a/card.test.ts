import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { canonicalizeAgentCard } from '@a2a-js/sdk';
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { canonicalJson } from '../../../../../src/proof/encoding/canonical-json.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { skills } from '../../../../../src/trust/protocols/a2a/skills/skills.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const OLDER = '/.well-known/agent.json';
const NEWER = '/.well-known/agent-card.json';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://localhost${path}`, { headers }));
const cardAt = async (path: string, headers: Record<string, string> = {}) =>
  JSON.parse(await (await get(path, headers)).text());

/** Verifies the nth signature of a card over a payload with the published keys. @throws the error of jose */
async function verify(
  card: { signatures: { protected: string; signature: string }[] },
  nth: number,
  payload: string,
) {
  const keys: JSONWebKeySet = JSON.parse(await (await get('/.well-known/jwks.json')).text());
  const signature = card.signatures[nth];
  if (signature === undefined) throw new Error(`there is no signature ${nth}`);
  const encoded = Buffer.from(payload).toString('base64url');
  return flattenedVerify({ ...signature, payload: encoded }, createLocalJWKSet(keys));
}

describe('the agent card', () => {
  test('of 1.0 names the endpoint, the skills and the security scheme in the words of both generations', async () => {
    const card = await cardAt(NEWER);
    const endpoint = 'http://localhost:3000/api/v1/a2a/tasks';
    expect(card).toMatchObject({
      name: 'Countersign trust service',
      version: 'test',
      supportedInterfaces: [
        { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      url: endpoint,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
      capabilities: { streaming: true, pushNotifications: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      skills: skills.map(({ id }) => ({ id })),
    });
    expect(card.signatures).toHaveLength(2);
  });

  test('of 0.3 has the security schemes of OpenAPI, also at the newer path for a client of 0.3', async () => {
    const card = await cardAt(OLDER);
    expect(card).toMatchObject({
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      authentication: { schemes: ['bearer'] },
    });
    expect(await cardAt(NEWER, { 'a2a-version': '0.3' })).toEqual(card);
    expect(await cardAt(NEWER, { 'a2a-version': '1.0' })).not.toEqual(card);
  });

  test('is cached by its ETag, which differs between the forms', async () => {
    const etags: (string | null)[] = [];
    for (const [path, version] of [
      [OLDER, ''],
      [NEWER, ''],
      [NEWER, '0.3'],
    ] as const) {
      const { headers, status } = await get(path, { 'a2a-version': version });
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
      expect(headers.get('vary')).toBe(path === NEWER ? 'A2A-Version' : null);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const etag = headers.get('etag');
      const again = await get(path, { 'a2a-version': version, 'if-none-match': etag ?? '' });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      etags.push(etag);
    }
    expect([etags[0] === etags[2], etags[0] === etags[1]]).toEqual([true, false]);
  });

  test('is signed over what the SDK canonicalizes and over the whole document, and no member can be changed', async () => {
    const card = await cardAt(NEWER);
    const { signatures: _, ...whole } = card;
    const { protectedHeader } = await verify(card, 0, canonicalizeAgentCard(card));
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'JOSE',
      kid: expect.any(String),
      jku: 'http://localhost:3000/.well-known/jwks.json',
    });
    await verify(card, 1, canonicalJson(whole));
    const older = await cardAt(OLDER);
    const { signatures: __, ...wholeOlder } = older;
    await verify(older, 0, canonicalJson(wholeOlder));
    for (const name of Object.keys(whole)) {
      const changed = { ...whole, [name]: 'changed' };
      await expect(verify(card, 1, canonicalJson(changed))).rejects.toThrow('signature verification failed');
    }
  });

  test('is signed by the active key after a rotation, and the old card still verifies', async () => {
    const before = await cardAt(NEWER);
    await rotate(app.service.trust, 'credentials', 0);
    const after = await cardAt(NEWER);
    expect(after.signatures[0].protected).not.toBe(before.signatures[0].protected);
    await verify(after, 0, canonicalizeAgentCard(after));
    await verify(before, 0, canonicalizeAgentCard(before));
  });
});
