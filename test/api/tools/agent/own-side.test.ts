import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { type Challenge, challengeNonce } from '../../../../src/proof/agent/challenge.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { enrollAt, proveWorkAt, provisionAt } from '../../../../src/tools/agent/enroll.ts';
import { authorizedBody, signedObject } from '../../../../src/tools/agent/sign.ts';
import { audienceOf } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { workFor } from '../../../support/proof-of-work.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let server: ReturnType<typeof Bun.serve>;
let url: string;
beforeAll(async () => {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
  url = server.url.href;
  app = await openTrustApp({ 'agents.pow_difficulty': '3' }, null, ':memory:', { url });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

/** The nonce of a challenge, by default of one that a client signs for an agent without a sponsor. */
function nonceOf(changes: Partial<Challenge> = {}): string {
  return challengeNonce({
    purpose: 'autonomous',
    host: 'trust.example',
    subjectCommitment: null,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    random: 'A'.repeat(43),
    ...changes,
  });
}

const newKey = () => generateKeyPair('Ed25519');

/** A service that answers everything with one text, which may depend on where it is. */
async function askedOf(
  answer: string | ((host: string) => string),
  ask: (url: string) => Promise<unknown>,
): Promise<unknown> {
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method, url }) => {
      const text = typeof answer === 'string' ? answer : answer(new URL(url).host);
      return method === 'POST' ? new Response(text) : new Response('', { status: 404 });
    },
  });
  return await ask(other.url.href).catch((error: Error) =>
    error.message.replace(other.url.href, '<service>/'),
  );
}

describe('countersign enroll', () => {
  test('makes one passport of two enrollments with a sponsor', async () => {
    const key = newKey();
    const identity = { context: 'night', name: 'Clerk' };
    const passport = await enrollAt(url, key, identity, app.apiKey);
    expect([passport.public_key, passport.context, passport.name, passport.sponsor === null]).toEqual([
      key.publicKey,
      'night',
      'Clerk',
      false,
    ]);
    const again = await enrollAt(url.replace(/\/$/, ''), key, identity, null);
    expect([again.passport_id, again.sponsor]).toEqual([passport.passport_id, passport.sponsor]);
  });

  test('refuses input with the messages of the service', async () => {
    await expect(enrollAt(url, newKey(), { name: '\n' }, null)).rejects.toThrow(
      /enroll\/start returned status 400: The request does not match its schema. Correct the fields that `issues` names. {"name":/,
    );
    await expect(enrollAt(url, newKey(), {}, `pp_${'0'.repeat(64)}`)).rejects.toThrow(/returned status 401/);
    await expect(enrollAt('http://127.0.0.1:1', newKey(), {}, null)).rejects.toThrow(/cannot be reached/);
  });

  test('signs only a challenge, and accepts only JSON', async () => {
    const ask = (service: string) => enrollAt(service, newKey(), {}, null);
    for (const nonce of ['ab'.repeat(32), 'chal_short', `chal_${'A'.repeat(43)}`, `${nonceOf()}=`, 7, null]) {
      const answer = JSON.stringify({ subject_commitment: 'x', challenge_nonce: nonce });
      expect(await askedOf(answer, ask)).toBe('the challenge of the service is not safe to sign');
    }
    for (const answer of ['', '<html>', '[1]', '7']) {
      expect(await askedOf(answer, ask)).toContain('no JSON object');
    }
    expect(await askedOf(`"${'x'.repeat(2 ** 20)}"`, ask)).toContain('is larger than 1 MiB');
  });
});

describe('a challenge that an agent is given', () => {
  const key = newKey();
  const subject = subjectCommitment(nativePrimitives, key.publicKey);

  /**
   * What a client says to a nonce when it enrolls with the key; the service that gave it answers nothing
   * else.
   */
  const saidTo = (nonce: (host: string) => string, purpose: 'enroll' | 'autonomous' = 'enroll') =>
    askedOf(
      (host) => JSON.stringify({ challenge_nonce: nonce(host), pow_difficulty: 0 }),
      (service) =>
        purpose === 'enroll'
          ? enrollAt(service, key, {}, null)
          : provisionAt(service, key, {}, () => undefined),
    );
  const enrolling = (host: string, changes: Partial<Challenge> = {}): string =>
    nonceOf({ purpose: 'enroll', host, subjectCommitment: subject, ...changes });

  test('for another service is not signed, so that nobody enrolls the agent elsewhere with its proof', async () => {
    for (const other of [
      'trust.example',
      '127.0.0.1:1',
      'localhost:1',
      '127.0.0.1',
      'localhost.evil.example',
      'x@localhost',
    ]) {
      expect(await saidTo(() => enrolling(other))).toContain(`the challenge is for ${other}, but `);
      expect(await saidTo(() => nonceOf({ host: other }), 'autonomous')).toContain('the challenge is for');
    }
    const otherPort = (host: string): string => host.replace(/\d+$/, (port) => String(Number(port) ^ 1));
    expect(await saidTo((host) => enrolling(otherPort(host)))).toContain('the challenge is for');
  });

  test('for another purpose, agent or time is not signed', async () => {
    for (const changes of [
      { purpose: 'autonomous' as const },
      { subjectCommitment: 'ab'.repeat(32) },
      { subjectCommitment: null },
    ]) {
      expect(await saidTo((host) => enrolling(host, changes))).toContain('but another one was requested');
    }
    expect(await saidTo((host) => enrolling(host), 'autonomous')).toContain('but another one was requested');
    for (const expiresAt of [new Date(Date.now() - 1).toISOString(), 'tomorrow', '']) {
      expect(await saidTo((host) => enrolling(host, { expiresAt }))).toContain('the challenge expired at');
    }
  });

  test('for any name of this machine on the same port is signed', async () => {
    for (const name of ['localhost', '127.0.0.2', '[::1]', '0.0.0.0', '[::]']) {
      const said = await saidTo((host) => enrolling(host.replace('127.0.0.1', name)));
      // What answers is no passport, but the client sent its proof.
      expect([name, said]).toEqual([name, expect.objectContaining({ pow_difficulty: 0 })]);
    }
  });
});

describe('enrolling an agent without a sponsor', () => {
  test('does the work and prints the next step', async () => {
    const heard: [number, number][] = [];
    const key = newKey();
    const answer = await provisionAt(url, key, { name: 'Loner' }, (hashes, expected) =>
      heard.push([hashes, expected]),
    );
    expect(answer).toMatchObject({ role: 'HOLDER', passport: { name: 'Loner', public_key: key.publicKey } });
    expect(heard[0]).toEqual([0, 4096]);
    await expect(provisionAt(url, key, {}, () => undefined)).rejects.toThrow(/is already enrolled there/);
  });

  test('its work alone enrolls nothing, and makes the first key of an agent without a sponsor', async () => {
    const key = newKey();
    const { subject_commitment } = await enrollAt(url, key, {}, null);
    const path = `/api/v1/passport/agents/${subject_commitment}/keys`;
    const call = { method: 'POST', path, audience: await audienceOf(app) };
    const anyone = client(app.fetch, 'http://localhost', null);
    expect((await anyone.post(path, authorizedBody(key, {}, call, {}))).body.reason_code).toBe(
      'invalid_proof',
    );
    const work = await proveWorkAt(url, key, () => undefined);
    const made = await anyone.post(path, authorizedBody(key, {}, call, { ...work }));
    expect([made.status, made.body.role]).toEqual([201, 'holder']);
    // It is used up.
    const again = await anyone.post(path, authorizedBody(newKey(), {}, call, { ...work }));
    expect(again.status).toBe(401);
  });

  test('refuses work that would take hours, and an invalid number of zeros', async () => {
    for (const difficulty of [9, -1, 1.5, 'three']) {
      const answer = (host: string): string =>
        JSON.stringify({ challenge_nonce: nonceOf({ host }), pow_difficulty: difficulty });
      const said = await askedOf(answer, (service) => provisionAt(service, newKey(), {}, () => undefined));
      expect(said).toContain('at most 8 are accepted');
    }
  });
});

describe('a call that an agent has authorized', () => {
  const asked = async (path: string, body: JsonObject) => {
    const { status, body: answer } = await client(app.fetch, 'http://localhost', null).post(path, body);
    return { status, answer };
  };

  test('gives an agent that lost its holder key a new one', async () => {
    const key = newKey();
    await enrollAt(url, key, { context: 'night' }, null);
    const commitment = subjectCommitment(nativePrimitives, key.publicKey, 'night');
    const path = `/api/v1/passport/agents/${commitment}/keys`;
    const audience = await audienceOf(app);
    const call = { method: 'POST', path, audience };
    const body = authorizedBody(key, { context: 'night' }, call, {
      revoke_others: true,
      ...(await workFor(app, key.publicKey)),
    });
    expect(await asked(path, body)).toMatchObject({ status: 201, answer: { role: 'holder' } });
    for (const wrong of [
      authorizedBody(key, {}, call, {}),
      authorizedBody(key, { context: 'night' }, { ...call, audience: 'elsewhere' }, {}),
      authorizedBody(newKey(), { context: 'night' }, call, {}),
    ]) {
      expect((await asked(path, wrong)).status).toBe(401);
    }
  });

  test('is not authorized twice', () => {
    const call = { method: 'POST', path: '/', audience: 'a' };
    const body = authorizedBody(newKey(), {}, call, {});
    expect(() => authorizedBody(newKey(), {}, call, body)).toThrow(/already has a member agent_auth/);
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
