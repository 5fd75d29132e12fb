import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../src/platform/crypto.ts';
import { generateKeyPair } from '../../src/platform/key-files.ts';
import { digest } from '../../src/proof/digest.ts';
import { verifyStrict } from '../../src/proof/ed25519.ts';
import { hexToBytes } from '../../src/proof/hex.ts';
import { enrollAt, provisionAt, signedObject } from '../../src/trust/agents/own-side.ts';
import { openTrustApp, type TrustApp } from '../support/trust-app.ts';

let app: TrustApp;
let server: ReturnType<typeof Bun.serve>;
let url: string;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '3' });
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
  url = server.url.href;
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

const newKey = () => generateKeyPair('Ed25519');

/** A service that answers everything with one text. */
async function askedOf(text: string, ask: (url: string) => Promise<unknown>): Promise<unknown> {
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method }) => (method === 'POST' ? new Response(text) : new Response('', { status: 404 })),
  });
  return await ask(other.url.href).catch((error: Error) =>
    error.message.replace(other.url.href, '<service>/'),
  );
}

describe('enrolling', () => {
  test('with a sponsor, twice, is one passport', async () => {
    const key = newKey();
    const identity = { context: 'night', name: 'Clerk' };
    const passport = await enrollAt(url, key, identity, app.apiKey);
    expect([passport.public_key, passport.context, passport.name, passport.sponsor === null]).toEqual([
      key.publicKey,
      'night',
      'Clerk',
      false,
    ]);
    expect(await enrollAt(url.replace(/\/$/, ''), key, identity, null)).toEqual(passport);
  });

  test('what the service refuses is said in its words', async () => {
    await expect(enrollAt(url, newKey(), { name: '\n' }, null)).rejects.toThrow(
      /enroll\/start answers 400: The request does not fit its schema. {"name":/,
    );
    await expect(enrollAt(url, newKey(), {}, `pp_${'0'.repeat(64)}`)).rejects.toThrow(/answers 401/);
    await expect(enrollAt('http://127.0.0.1:1', newKey(), {}, null)).rejects.toThrow(/cannot be asked/);
  });

  test('signs nothing but a challenge, and believes nothing but JSON', async () => {
    const ask = (service: string) => enrollAt(service, newKey(), {}, null);
    for (const nonce of ['ab'.repeat(32), 'chal_short', 7, null]) {
      const answer = JSON.stringify({ subject_commitment: 'x', challenge_nonce: nonce });
      expect(await askedOf(answer, ask)).toBe('the service gave no challenge that is safe to sign');
    }
    for (const answer of ['', '<html>', '[1]', '7']) {
      expect(await askedOf(answer, ask)).toContain('with no JSON object');
    }
    expect(await askedOf(`"${'x'.repeat(2 ** 20)}"`, ask)).toContain('is larger than 1 MiB');
  });
});

describe('enrolling without a sponsor', () => {
  test('does the work and says how it goes on', async () => {
    const heard: [number, number][] = [];
    const key = newKey();
    const answer = await provisionAt(url, key, { name: 'Loner' }, (hashes, expected) =>
      heard.push([hashes, expected]),
    );
    expect(answer).toMatchObject({ role: 'HOLDER', passport: { name: 'Loner', public_key: key.publicKey } });
    expect(heard[0]).toEqual([0, 4096]);
    await expect(provisionAt(url, key, {}, () => undefined)).rejects.toThrow(/is enrolled there already/);
  });

  test('does not begin what would take hours, or is no number of zeros', async () => {
    for (const difficulty of [9, -1, 1.5, 'three']) {
      const answer = { challenge_nonce: `chal_${'A'.repeat(43)}`, pow_difficulty: difficulty };
      const said = await askedOf(JSON.stringify(answer), (service) =>
        provisionAt(service, newKey(), {}, () => undefined),
      );
      expect(said).toContain('takes too long');
    }
  });
});

test('an object is signed by its digest', () => {
  const key = newKey();
  const object = { b: [1, { z: null, a: 'ü' }], a: -0 };
  const { payload_digest, signature, public_key } = signedObject(key, object);
  expect([payload_digest, public_key]).toEqual([digest(nativePrimitives, object), key.publicKey]);
  const message = Buffer.from(payload_digest);
  expect(verifyStrict(nativePrimitives, hexToBytes(signature), message, hexToBytes(public_key))).toBe(true);
});
