import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives, sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { readChallengeNonce } from '../../../../src/proof/agent/challenge.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { newAgentKey } from '../../../support/agent.ts';
import { createKeyFor, deleteKeyOf } from '../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';
const START = `${AGENTS}/enroll/start`;
const COMPLETE = `${AGENTS}/enroll/complete`;
const CHALLENGE = `${AGENTS}/autonomous/challenge`;
const PROVISION = `${AGENTS}/autonomous/provision`;

const time = new VirtualTime();
let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '0' }, time);
});
afterAll(() => app.close());

type AgentKey = ReturnType<typeof newAgentKey>;
type Caller = TrustApp['own'];

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const commitmentOf = (key: AgentKey): string => subjectCommitment(nativePrimitives, key.publicKey);

/** A caller at an address of its own, with a key or with none. */
function at(address: string, apiKey: string | null = null): Caller {
  return client((request) => app.fetch(request, address), 'http://localhost', apiKey);
}

async function start(caller: Caller, key: AgentKey): Promise<string> {
  const { status, body } = await caller.post(START, { public_key: key.publicKey });
  expect([body, status]).toEqual([body, 200]);
  return String(body.challenge_nonce);
}

function complete(caller: Caller, key: AgentKey, signed: string, named?: string): Promise<ApiResponse> {
  return caller.post(COMPLETE, {
    subject_commitment: commitmentOf(key),
    signature: key.signText(signed),
    ...(named === undefined ? {} : { challenge_nonce: named }),
  });
}

function rows(key: AgentKey): Promise<number> {
  return app.service.trust.store.read(
    ({ connection }) =>
      connection.sqlite
        .query<{ rows: number }, [Uint8Array]>('SELECT count(*) AS rows FROM challenge WHERE public_key = ?')
        .get(Buffer.from(key.publicKey, 'hex'))?.rows ?? 0,
  );
}

describe('challenges of strangers', () => {
  test("do not use up an agent's, however many they ask for", async () => {
    const key = newAgentKey();
    for (let stranger = 1; stranger <= 10; stranger++) {
      for (let count = 0; count < 5; count++) await start(at(`203.0.113.${stranger}`), key);
    }
    const nonce = await start(at('198.51.100.1'), key);
    expect((await complete(at('198.51.100.1'), key, nonce)).status).toBe(201);
  });

  test('at one address do not use up those of a key that comes from there', async () => {
    const key = newAgentKey();
    for (let count = 0; count < 5; count++) await start(at('203.0.113.1'), key);
    expect(codeOf(await at('203.0.113.1').post(START, { public_key: key.publicKey }))).toEqual([
      429,
      'rate_limit_exceeded',
    ]);
    for (let count = 0; count < 5; count++) await start(at('203.0.113.1', app.apiKey), key);
    const sixth = await at('198.51.100.1', app.apiKey).post(START, { public_key: key.publicKey });
    expect([codeOf(sixth), sixth.headers.get('retry-after')]).toEqual([[429, 'rate_limit_exceeded'], '300']);
    await start(at('203.0.113.1', app.otherKey), key);
  });

  test('in one IPv6 network of 64 bits are those of one caller', async () => {
    const key = newAgentKey();
    for (let count = 1; count <= 5; count++) await start(at(`2001:db8::${count}`), key);
    const body = { public_key: key.publicKey };
    expect((await at('2001:db8::6').post(START, body)).status).toBe(429);
    expect((await at('2001:db8:0:1::6').post(START, body)).status).toBe(200);
  });

  test('crowd out a proof from another address that names no nonce, and none that does', async () => {
    const key = newAgentKey();
    const nonce = await start(at('198.51.100.1'), key);
    for (let stranger = 1; stranger <= 4; stranger++) {
      for (let count = 0; count < 5; count++) await start(at(`203.0.113.${stranger}`), key);
      await time.advance(1);
    }
    const elsewhere = at('198.51.100.2');
    // No more than so many signatures are checked for a stranger.
    expect(codeOf(await complete(elsewhere, key, nonce))).toEqual([401, 'invalid_proof']);
    expect((await complete(elsewhere, key, nonce, nonce)).status).toBe(201);
  });

  test('that are asked for by proof of work are five an address and key', async () => {
    const key = newAgentKey();
    const body = { public_key: key.publicKey };
    for (let count = 0; count < 5; count++) {
      expect((await at('203.0.113.1').post(CHALLENGE, body)).status).toBe(200);
    }
    const sixth = await at('203.0.113.1').post(CHALLENGE, body);
    expect([codeOf(sixth), sixth.headers.get('retry-after')]).toEqual([[429, 'rate_limit_exceeded'], '120']);
    expect((await at('203.0.113.2').post(CHALLENGE, body)).status).toBe(200);
    await start(at('203.0.113.1'), key);
    await time.advance(120_000);
    expect((await at('203.0.113.1').post(CHALLENGE, body)).status).toBe(200);
  });
});

describe('a challenge', () => {
  test('names the service as it is configured, whatever host a request names', async () => {
    const key = newAgentKey();
    const elsewhere = client(app.fetch, 'http://evil.example', null);
    const { body } = await elsewhere.call(
      'POST',
      START,
      { public_key: key.publicKey },
      { host: 'evil.example' },
    );
    expect(readChallengeNonce(String(body.challenge_nonce))?.host).toBe('localhost:3000');
  });

  test('that is named is used, even if others are pending', async () => {
    const key = newAgentKey();
    const [first, second] = [await start(app.anyone, key), await start(app.anyone, key)];
    expect(codeOf(await complete(app.anyone, key, first, second))).toEqual([401, 'invalid_proof']);
    expect((await complete(app.anyone, key, first, first)).status).toBe(201);
    expect((await complete(app.anyone, key, second, second)).status).toBe(200);
  });

  test('that is consumed is 404 and one that expired is 410, named or not, while another waits', async () => {
    const key = newAgentKey();
    const consumed = await start(app.anyone, key);
    const expired = await start(app.anyone, key);
    expect((await complete(app.anyone, key, consumed)).status).toBe(201);
    await time.advance(300_000);
    const live = await start(app.anyone, key);
    for (const caller of [app.anyone, at('198.51.100.9')]) {
      for (const named of [true, false]) {
        const answers = [consumed, expired].map((nonce) =>
          complete(caller, key, nonce, named ? nonce : undefined),
        );
        expect((await Promise.all(answers)).map(codeOf)).toEqual([
          [404, 'challenge_not_found'],
          [410, 'challenge_expired'],
        ]);
      }
    }
    expect((await complete(app.anyone, key, live)).status).toBe(200);
  });

  test('of another agent, of another purpose or of nobody is not found', async () => {
    const [key, other] = [newAgentKey(), newAgentKey()];
    const nonce = await start(app.anyone, other);
    const autonomous = await app.anyone.post(CHALLENGE, { public_key: key.publicKey });
    for (const named of [nonce, String(autonomous.body.challenge_nonce), 'x']) {
      expect(codeOf(await complete(app.anyone, key, named, named))).toEqual([404, 'challenge_not_found']);
    }
    const pow = '0';
    const provisioning = await app.anyone.post(PROVISION, {
      public_key: other.publicKey,
      challenge_nonce: nonce,
      pow_nonce: pow,
      signature: other.signText(sha256Hex(`${nonce}:${pow}:${other.publicKey}`)),
    });
    expect(codeOf(provisioning)).toEqual([404, 'challenge_not_found']);
  });

  test.each([[''], ['x'.repeat(1025)], [7], [null]])('is never %p', async (named) => {
    const body = { subject_commitment: '0'.repeat(64), signature: '0'.repeat(128), challenge_nonce: named };
    const response = await app.anyone.post(COMPLETE, body);
    expect([codeOf(response), Object.keys(Object(response.body.issues))]).toEqual([
      [400, 'validation_error'],
      ['challenge_nonce'],
    ]);
  });

  const deletions: [string, (keyHash: string) => Promise<unknown>][] = [
    ['another key', (keyHash) => app.own.call('DELETE', `/api/v1/operator/api-keys/${keyHash}`)],
    [
      'the administrator',
      (keyHash) => deleteKeyOf(app.service.trust, app.service.firstStart.operatorId, keyHash),
    ],
  ];
  test.each(deletions)(
    'that a key started makes nobody a sponsor once %s has deleted the key, not even by another key',
    async (_who, remove) => {
      const { trust, firstStart } = app.service;
      const stolen = await createKeyFor(trust, firstStart.operatorId, { name: 'stolen' });
      const key = newAgentKey();
      const nonce = await start(at('203.0.113.1', stolen.api_key), key);
      await remove(sha256Hex(stolen.api_key));
      for (const caller of [app.anyone, app.own]) {
        expect(codeOf(await complete(caller, key, nonce, nonce))).toEqual([403, 'forbidden']);
      }
      const passport = await app.anyone.get(`${AGENTS}/${commitmentOf(key)}/passport`);
      expect(codeOf(passport)).toEqual([404, 'not_found']);
    },
  );

  test('is good for one of many proofs that come at once', async () => {
    const key = newAgentKey();
    const nonce = await start(app.anyone, key);
    const ends = await Promise.all([1, 2, 3, 4].map(() => complete(app.anyone, key, nonce, nonce)));
    expect(ends.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
  });

  test('stays for ten minutes after its time, and goes with all others of its age', async () => {
    const key = newAgentKey();
    const nonce = await start(app.anyone, key);
    expect((await complete(app.anyone, key, nonce)).status).toBe(201);
    for (let stranger = 0; stranger < 101; stranger++) {
      for (let count = 0; count < 5; count++) await start(at(`203.0.113.${stranger}`), key);
    }
    const deleteExpired = (await app.service.background()).tasks.find(
      ({ name }) => name === 'forget old challenges',
    );
    await time.advance(300_000 + 599_999);
    await deleteExpired?.run();
    expect([await rows(key), codeOf(await complete(app.anyone, key, nonce, nonce))]).toEqual([
      506,
      [404, 'challenge_not_found'],
    ]);
    await time.advance(1);
    await deleteExpired?.run();
    expect(await rows(key)).toBe(0);
  });

  test.each([
    ['be met twice', "consumed_at = '2030-01-01T00:00:00.000Z'"],
    ['be met no more', 'consumed_at = NULL'],
    ['speak for another key', "public_key = zeroblob(32), consumed_at = '2030-01-01T00:00:00.000Z'"],
    ['end later', "expires_at = '2036-01-01T00:00:00.000Z'"],
  ])('cannot %s, which the database sees to', async (_what, change) => {
    const key = newAgentKey();
    const nonce = await start(app.anyone, key);
    if (change.startsWith('consumed_at =')) await complete(app.anyone, key, nonce);
    const changed = app.service.trust.store.writeAsService(({ connection }) => {
      connection.sqlite.query(`UPDATE challenge SET ${change} WHERE nonce = ?`).run(nonce);
    });
    await expect(changed).rejects.toThrow('a challenge is consumed once and changes in nothing else');
  });
});
