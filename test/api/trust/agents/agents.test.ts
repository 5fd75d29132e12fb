import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import fc from 'fast-check';
import { nativePrimitives, sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { readChallengeNonce } from '../../../../src/proof/agent/challenge.ts';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import {
  type Authorizing,
  agentAuth,
  audienceOf,
  enrolledAgent,
  newAgentKey,
} from '../../../support/agent.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { mixedOrderKeys } from '../../../support/mixed-order.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';
const START = `${AGENTS}/enroll/start`;
const COMPLETE = `${AGENTS}/enroll/complete`;
const CHALLENGE = `${AGENTS}/autonomous/challenge`;
const PROVISION = `${AGENTS}/autonomous/provision`;
const NIL = '0'.repeat(64);

const time = new VirtualTime();
let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '2' }, time);
  audience = await audienceOf(app);
});
afterAll(() => app.close());

type Caller = TrustApp['own'];
type AgentKey = ReturnType<typeof newAgentKey>;

/** Starts and completes an enrollment. */
async function enroll(key: AgentKey, caller: Caller = app.own, more: Record<string, unknown> = {}) {
  const started = await caller.post(START, { public_key: key.publicKey, ...more });
  expect([started.body, started.status]).toEqual([started.body, 200]);
  return caller.post(COMPLETE, {
    subject_commitment: started.body.subject_commitment,
    signature: key.signText(String(started.body.challenge_nonce)),
  });
}

function codeOf({ status, body }: ApiResponse): unknown[] {
  return [status, body.reason_code];
}

/** Whether the published key of purpose `credentials` signed a passport. */
async function isSigned(passport: Record<string, unknown>): Promise<boolean> {
  const { body } = await app.anyone.get('/api/v1/public-key?purpose=credentials');
  const { signature, kid, ...said } = passport;
  return (
    kid === body.kid &&
    verifyStrict(
      nativePrimitives,
      hexToBytes(String(signature)),
      Buffer.from(digest(nativePrimitives, said as JsonObject)),
      hexToBytes(String(body.public_key)),
    )
  );
}

describe('an enrollment', () => {
  test('is a nonce, a signature over it, and a signed passport', async () => {
    const key = newAgentKey();
    const start = await app.own.post(START, { public_key: key.publicKey, name: 'Clerk' });
    const commitment = sha256Hex(`agent-id:${key.publicKey}:passport-v1`);
    expect(start.body).toEqual({
      subject_commitment: commitment,
      status: 'PENDING',
      challenge_nonce: expect.stringMatching(/^chal_[\w-]+$/),
      expires_at: new Date(time.now() + 300_000).toISOString(),
    });
    expect(readChallengeNonce(String(start.body.challenge_nonce))).toEqual({
      purpose: 'enroll',
      host: 'localhost:3000',
      subjectCommitment: commitment,
      expiresAt: String(start.body.expires_at),
      random: expect.stringMatching(/^[\w-]{43}$/),
    });
    const signature = key.signText(String(start.body.challenge_nonce));
    const done = await app.own.post(COMPLETE, { subject_commitment: commitment, signature });
    expect([done.status, await isSigned(done.body)]).toEqual([201, true]);
    const read = await app.anyone.get(`${AGENTS}/${commitment}/passport`);
    expect([read.status, read.body]).toEqual([200, done.body]);
    expect(done.body).toMatchObject({
      type: 'passport',
      passport_id: expect.stringMatching(/^pass_[0-9a-f]{32}$/),
      subject_commitment: commitment,
      public_key: key.publicKey,
      did: expect.stringMatching(/^did:key:z6Mk/),
      context: 'passport-v1',
      name: 'Clerk',
      state: 'ISSUED',
      issuer: expect.stringMatching(/^did:key:z6Mk/),
      sponsor: expect.stringMatching(/^op_cus_\w{4}…\w{4}$/),
      presentation: null,
    });
  });

  test('emits its event once, after it is durable', async () => {
    const heard: unknown[] = [];
    app.service.trust.events.listen((event) => heard.push(event));
    const key = newAgentKey();
    const { body } = await enroll(key, app.own, { context: 'night shift' });
    await enroll(key, app.own, { context: 'night shift' });
    expect(heard).toEqual([
      {
        event: 'enrollment.completed',
        data: {
          subject_commitment: body.subject_commitment,
          public_key: key.publicKey,
          context: 'night shift',
        },
        timestamp: body.issued_at,
        operators: [1],
      },
    ]);
  });

  test('that is made again gives the same passport, and changes neither name nor sponsor', async () => {
    const key = newAgentKey();
    const first = await enroll(key, app.own, { name: 'First' });
    const again = await enroll(key, app.other, { name: 'Second' });
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
  });

  test('needs no key, and then has no sponsor', async () => {
    const { status, body } = await enroll(newAgentKey(), app.anyone);
    expect([status, body.sponsor]).toEqual([201, null]);
  });

  test('takes the sponsor from either call, and refuses two', async () => {
    for (const [starter, completer, status] of [
      [app.anyone, app.own, 201],
      [app.own, app.anyone, 201],
      [app.own, app.other, 403],
    ] as const) {
      const key = newAgentKey();
      const start = await starter.post(START, { public_key: key.publicKey });
      const done = await completer.post(COMPLETE, {
        subject_commitment: start.body.subject_commitment,
        signature: key.signText(String(start.body.challenge_nonce)),
      });
      expect([done.status, done.body.sponsor === null]).toEqual([status, false]);
    }
  });

  test('is refused if its sponsor is suspended meanwhile', async () => {
    const { operator_id, api_key } = await createOperator(app.service.trust, { name: null, admin: false });
    const key = newAgentKey();
    const sponsor = client(app.fetch, 'http://localhost', api_key);
    const start = await sponsor.post(START, { public_key: key.publicKey });
    await setAccountStatus(app.service.trust, operator_id, 'SUSPENDED');
    const proof = {
      subject_commitment: start.body.subject_commitment,
      signature: key.signText(String(start.body.challenge_nonce)),
    };
    expect(codeOf(await app.anyone.post(COMPLETE, proof))).toEqual([403, 'forbidden']);
    const agent = await enrolledAgent(app);
    const moved = await app.own.call('PUT', `${AGENTS}/${agent.commitment}/sponsor`, { operator_id });
    expect([codeOf(moved), moved.body.issues]).toEqual([
      [400, 'validation_error'],
      { operator_id: ['must be an active operator'] },
    ]);
  });

  test('of another context is another agent', async () => {
    const key = newAgentKey();
    const one = await enroll(key);
    const two = await enroll(key, app.own, { context: 'b' });
    expect(two.body.subject_commitment).toBe(subjectCommitment(nativePrimitives, key.publicKey, 'b'));
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.passport_id).not.toBe(two.body.passport_id);
  });

  test('is issued once to many at once', async () => {
    const key = newAgentKey();
    const starts = await Promise.all(
      Array.from({ length: 5 }, () => app.own.post(START, { public_key: key.publicKey })),
    );
    const ends = await Promise.all(
      starts.map(({ body }) =>
        app.own.post(COMPLETE, {
          subject_commitment: body.subject_commitment,
          signature: key.signText(String(body.challenge_nonce)),
        }),
      ),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(ends.map(({ body }) => body.passport_id)).size).toBe(1);
  });

  test('consumes a challenge once, also for two concurrent requests', async () => {
    const key = newAgentKey();
    const { body } = await app.own.post(START, { public_key: key.publicKey });
    const proof = {
      subject_commitment: body.subject_commitment,
      signature: key.signText(String(body.challenge_nonce)),
    };
    const ends = await Promise.all([app.own.post(COMPLETE, proof), app.own.post(COMPLETE, proof)]);
    expect(ends.map(codeOf).sort()).toEqual([
      [201, undefined],
      [404, 'challenge_not_found'],
    ]);
    expect(codeOf(await app.own.post(COMPLETE, proof))).toEqual([404, 'challenge_not_found']);
  });

  test('allows five pending challenges, changes none of them, and refuses the sixth', async () => {
    const key = newAgentKey();
    const nonces: string[] = [];
    for (let count = 0; count < 5; count++) {
      nonces.push(String((await app.anyone.post(START, { public_key: key.publicKey })).body.challenge_nonce));
    }
    const sixth = await app.anyone.post(START, { public_key: key.publicKey });
    expect([codeOf(sixth), sixth.headers.get('retry-after')]).toEqual([[429, 'rate_limit_exceeded'], '300']);
    const done = await app.anyone.post(COMPLETE, {
      subject_commitment: subjectCommitment(nativePrimitives, key.publicKey),
      signature: key.signText(nonces[0] ?? ''),
    });
    expect(done.status).toBe(201);
  });

  test('expires after five minutes, and is deleted ten minutes later', async () => {
    const key = newAgentKey();
    const { body } = await app.own.post(START, { public_key: key.publicKey });
    const proof = {
      subject_commitment: body.subject_commitment,
      signature: key.signText(String(body.challenge_nonce)),
    };
    await time.advance(300_000);
    expect(codeOf(await app.own.post(COMPLETE, proof))).toEqual([410, 'challenge_expired']);
    const deleteExpired = (await app.service.background()).tasks.find(
      ({ name }) => name === 'forget old challenges',
    );
    await deleteExpired?.run();
    expect(codeOf(await app.own.post(COMPLETE, proof))).toEqual([410, 'challenge_expired']);
    await time.advance(600_000);
    await deleteExpired?.run();
    expect(codeOf(await app.own.post(COMPLETE, proof))).toEqual([404, 'challenge_not_found']);
  });

  test('accepts only a signature over its nonce', async () => {
    const key = newAgentKey();
    const other = newAgentKey();
    const { body } = await app.own.post(START, { public_key: key.publicKey });
    const nonce = String(body.challenge_nonce);
    for (const signature of [
      other.signText(nonce),
      key.signText(`${nonce} `),
      key.signText(sha256Hex(nonce)),
      key.sign({ nonce }),
      '0'.repeat(128),
    ]) {
      const done = await app.own.post(COMPLETE, { subject_commitment: body.subject_commitment, signature });
      expect(codeOf(done)).toEqual([401, 'invalid_proof']);
    }
  });

  test('succeeds with any context and name', async () => {
    const text = (maxLength: number) =>
      fc.string({ minLength: 1, maxLength, unit: 'grapheme' }).filter((value) => {
        const length = [...value].length;
        return value.isWellFormed() && length <= maxLength && !/\p{Cc}/u.test(value);
      });
    await fc.assert(
      fc.asyncProperty(text(128), text(256), async (context, name) => {
        const { status, body } = await enroll(newAgentKey(), app.anyone, { context, name });
        expect([status, body.context, body.name]).toEqual([201, context, name]);
        expect(await isSigned(body)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  scenarios(
    () => app,
    [
      [
        'with a key that is none, an empty context and a stray member is refused by their names',
        `POST ${START}`,
        '400 validation_error: public_key, context, more',
        { body: { public_key: 'AB', context: '', more: 1 } },
      ],
      ...[
        ['of small order', `${'00'.repeat(32)}`],
        ['of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
        ['that is not canonical', `ee${'ff'.repeat(30)}7f`],
        ['off the curve', `02${'00'.repeat(31)}`],
        ...mixedOrderKeys(newAgentKey().publicKey).map(({ order, key }) => [
          `of mixed order, with a component of order ${order}`,
          key,
        ]),
      ].flatMap(([what, publicKey]) =>
        [START, CHALLENGE].map(
          (path): Scenario => [
            `with a key ${what} is refused by ${path}`,
            `POST ${path}`,
            '400 validation_error: public_key',
            { body: { public_key: publicKey } },
          ],
        ),
      ),
      [
        'with an API key that is none is refused before the body is read',
        `POST ${START}`,
        '401 unauthorized',
        { headers: { authorization: `Bearer pp_${NIL}` }, raw: '{' },
      ],
      ['that is no JSON is refused', `POST ${START}`, '400 invalid_json', { raw: '{' }],
      [
        'that was never started is not completed',
        `POST ${COMPLETE}`,
        '404 challenge_not_found',
        { body: { subject_commitment: NIL, signature: '0'.repeat(128) } },
      ],
      [
        'is not completed without a signature',
        `POST ${COMPLETE}`,
        '400 validation_error: signature',
        { body: { subject_commitment: NIL } },
      ],
      ['that never was has no passport', `GET ${AGENTS}/${NIL}/passport`, '404 not_found'],
      ['of what is no commitment has no passport', `GET ${AGENTS}/x/passport`, '404'],
    ],
    { by: 'anyone' },
  );
});

describe('an agent that enrolls itself', () => {
  /** Finds a proof-of-work nonce. */
  function work(nonce: string, difficulty: number): string {
    for (let count = 0; ; count++) {
      if (sha256Hex(`${nonce}:${count}`).startsWith('0'.repeat(difficulty))) return String(count);
    }
  }

  async function challenge(key: AgentKey): Promise<string> {
    const { status, body } = await app.anyone.post(CHALLENGE, { public_key: key.publicKey });
    expect([status, body]).toEqual([
      200,
      {
        challenge_nonce: expect.stringMatching(/^chal_[\w-]+$/),
        pow_difficulty: 2,
        pow_algorithm: 'sha256-leading-hex-zeros',
        expires_at: new Date(time.now() + 120_000).toISOString(),
      },
    ]);
    expect(readChallengeNonce(String(body.challenge_nonce))).toEqual({
      purpose: 'autonomous',
      host: 'localhost:3000',
      subjectCommitment: null,
      expiresAt: String(body.expires_at),
      random: expect.stringMatching(/^[\w-]{43}$/),
    });
    return String(body.challenge_nonce);
  }

  function proof(key: AgentKey, nonce: string, powNonce = work(nonce, 2)) {
    return {
      public_key: key.publicKey,
      challenge_nonce: nonce,
      pow_nonce: powNonce,
      signature: key.signText(sha256Hex(`${nonce}:${powNonce}:${key.publicKey}`)),
    };
  }

  test('gets a holder key, an operator of its own and a passport', async () => {
    const key = newAgentKey();
    const { status, body } = await app.anyone.post(PROVISION, {
      ...proof(key, await challenge(key)),
      display_name: 'Loner',
    });
    const commitment = subjectCommitment(nativePrimitives, key.publicKey);
    expect([status, body]).toMatchObject([
      201,
      { role: 'HOLDER', subject_commitment: commitment, did: expect.stringMatching(/^did:key:z6Mk/) },
    ]);
    expect(body.passport).toMatchObject({ name: 'Loner', state: 'ISSUED', did: body.did });
    const holder = client(app.fetch, 'http://localhost', String(body.api_key));
    const issued = await holder.issue({ agent_id: commitment });
    expect([issued.status, issued.body.operator_id]).toEqual([201, body.operator_id]);
    expect((await holder.issue({ agent_id: 'another' })).status).toBe(403);
  });

  test('may sign the raw digest as well', async () => {
    const { privateKey, ...key } = newAgentKey();
    const nonce = await challenge({ privateKey, ...key });
    const powNonce = work(nonce, 2);
    const raw = Buffer.from(sha256Hex(`${nonce}:${powNonce}:${key.publicKey}`), 'hex');
    const signature = sign(null, raw, privateKey).toString('hex');
    const body = { public_key: key.publicKey, challenge_nonce: nonce, pow_nonce: powNonce, signature };
    expect((await app.anyone.post(PROVISION, body)).status).toBe(201);
  });

  test('is refused for too little work, which leaves the challenge as it is', async () => {
    const key = newAgentKey();
    const nonce = await challenge(key);
    const lazy = Array.from({ length: 99 }, (_, count) => `x${count}`).find(
      (candidate) => !sha256Hex(`${nonce}:${candidate}`).startsWith('00'),
    );
    const refused = await app.anyone.post(PROVISION, proof(key, nonce, lazy));
    expect(codeOf(refused)).toEqual([401, 'invalid_proof']);
    expect((await app.anyone.post(PROVISION, proof(key, nonce))).status).toBe(201);
  });

  test('is refused for wrong signatures, challenges of others, and a second use', async () => {
    const key = newAgentKey();
    const other = newAgentKey();
    const nonce = await challenge(key);
    const good = proof(key, nonce);
    const cases: [Record<string, unknown>, number, string][] = [
      [{ ...good, signature: '0'.repeat(128) }, 401, 'invalid_proof'],
      [{ ...good, signature: other.signText(nonce) }, 401, 'invalid_proof'],
      [{ ...proof(other, nonce) }, 404, 'challenge_not_found'],
      [{ ...good, challenge_nonce: `chal_${'A'.repeat(43)}` }, 404, 'challenge_not_found'],
      [{ ...good, pow_nonce: 'x'.repeat(65) }, 400, 'validation_error'],
    ];
    for (const [body, status, code] of cases) {
      expect(codeOf(await app.anyone.post(PROVISION, body))).toEqual([status, code]);
    }
    const both = await Promise.all([app.anyone.post(PROVISION, good), app.anyone.post(PROVISION, good)]);
    expect(both.map(({ status }) => status === 201).sort()).toEqual([false, true]);
    expect(codeOf(await app.anyone.post(PROVISION, good))).toEqual([404, 'challenge_not_found']);
    expect(codeOf(await app.anyone.post(PROVISION, proof(key, await challenge(key))))).toEqual([
      409,
      'conflict',
    ]);
  });

  test('is too late after two minutes', async () => {
    const key = newAgentKey();
    const body = proof(key, await challenge(key));
    await time.advance(120_000);
    expect(codeOf(await app.anyone.post(PROVISION, body))).toEqual([410, 'challenge_expired']);
  });

  test('cannot use a challenge of the other kind', async () => {
    const key = newAgentKey();
    const nonce = await challenge(key);
    const commitment = subjectCommitment(nativePrimitives, key.publicKey);
    const done = await app.anyone.post(COMPLETE, {
      subject_commitment: commitment,
      signature: key.signText(nonce),
    });
    expect(codeOf(done)).toEqual([404, 'challenge_not_found']);
    const start = await app.anyone.post(START, { public_key: key.publicKey });
    const crossed = proof(key, String(start.body.challenge_nonce));
    expect(codeOf(await app.anyone.post(PROVISION, crossed))).toEqual([404, 'challenge_not_found']);
  });
});

describe('the presentation of an agent', () => {
  const photo = (name: string) => ({
    photo_url: `https://agents.example/${name}.png`,
    photo_content_sha256: sha256Hex(name),
    photo_mime_type: 'image/png',
  });
  const NOTHING = { photo_url: null, photo_content_sha256: null, photo_mime_type: null };

  function signed(agent: AgentKey & { commitment: string }, presentation: Record<string, string | null>) {
    return {
      ...presentation,
      signature: agent.sign({ subject_commitment: agent.commitment, ...presentation }),
    };
  }

  const put = (caller: Caller, commitment: string, body: unknown) =>
    caller.call('PUT', `${AGENTS}/${commitment}/presentation`, body);

  test('is set and cleared with the signature of the agent, and is in the passport', async () => {
    const agent = await enrolledAgent(app);
    const set = await put(app.anyone, agent.commitment, signed(agent, photo('a')));
    expect([set.status, set.body]).toEqual([
      200,
      { subject_commitment: agent.commitment, presentation: photo('a') },
    ]);
    const passport = await app.anyone.get(`${AGENTS}/${agent.commitment}/passport`);
    expect(passport.body.presentation).toEqual(photo('a'));
    expect(await isSigned(passport.body)).toBe(true);
    const { signature } = signed(agent, NOTHING);
    const cleared = await put(app.anyone, agent.commitment, { photo_url: null, signature });
    expect([cleared.status, cleared.body.presentation]).toEqual([200, null]);
  });

  test('accepts the signature formats that clients use', async () => {
    const agent = await enrolledAgent(app);
    const presentation = photo('raw');
    const said = { subject_commitment: agent.commitment, ...presentation };
    const raw = Buffer.from(digest(nativePrimitives, said), 'hex');
    const body = { ...presentation, signature: sign(null, raw, agent.privateKey).toString('hex') };
    expect((await put(app.anyone, agent.commitment, body)).status).toBe(200);
  });

  test('that was replaced returns only with a key that may act for the agent', async () => {
    const agent = await enrolledAgent(app);
    const [a, b] = [signed(agent, photo('a')), signed(agent, photo('b'))];
    for (const body of [a, a, b]) expect((await put(app.anyone, agent.commitment, body)).status).toBe(200);
    for (const caller of [app.anyone, app.other]) {
      expect(codeOf(await put(caller, agent.commitment, a))).toEqual([409, 'conflict']);
    }
    expect((await put(app.own, agent.commitment, a)).body.presentation).toEqual(photo('a'));
    const holder = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: agent.commitment,
    });
    const asHolder = client(app.fetch, 'http://localhost', String(holder.body.api_key));
    expect((await put(asHolder, agent.commitment, b)).body.presentation).toEqual(photo('b'));
  });

  test('is refused for an invalid photo, or without the agent', async () => {
    const agent = await enrolledAgent(app);
    const other = newAgentKey();
    const said = { subject_commitment: agent.commitment, ...photo('x') };
    const cases: [Record<string, unknown>, number, unknown][] = [
      [{ ...photo('x'), signature: other.sign(said) }, 401, 'invalid_proof'],
      [{ ...photo('x'), signature: '0'.repeat(128) }, 401, 'invalid_proof'],
      [
        { ...photo('x'), signature: agent.sign({ ...said, photo_mime_type: 'image/gif' }) },
        401,
        'invalid_proof',
      ],
      [signed(agent, { ...photo('x'), photo_mime_type: 'image/svg+xml' }), 400, 'validation_error'],
      [signed(agent, { ...photo('x'), photo_url: 'http://agents.example/x.png' }), 400, 'validation_error'],
      [signed(agent, { ...photo('x'), photo_url: 'https://u:p@agents.example/x' }), 400, 'validation_error'],
      [signed(agent, { ...photo('x'), photo_url: 'https://a.example/\r\nx: y' }), 400, 'validation_error'],
      ...[
        'javascript:alert(1)',
        'https:///example.org',
        'https://@b/',
        'https://a.example/\u0000',
        'https://a.example/\u202e',
        `https://a.example/${'x'.repeat(2040)}`,
        '',
      ].map((photo_url): [Record<string, unknown>, number, string] => [
        signed(agent, { ...photo('x'), photo_url }),
        400,
        'validation_error',
      ]),
      [{ ...signed(agent, NOTHING), photo_mime_type: 'image/png' }, 400, 'validation_error'],
      [{ photo_url: 'https://a.example/x', signature: '0'.repeat(128) }, 400, 'validation_error'],
      [{ ...photo('x') }, 400, 'validation_error'],
    ];
    for (const [body, status, code] of cases) {
      expect([body, ...codeOf(await put(app.anyone, agent.commitment, body))]).toEqual([body, status, code]);
    }
    expect(codeOf(await put(app.anyone, NIL, signed(agent, photo('x'))))).toEqual([
      403,
      'agent_not_enrolled',
    ]);
  });
});

describe('the revocation of an agent', () => {
  const revoke = (caller: Caller, commitment: string, body?: unknown) =>
    caller.post(`${AGENTS}/${commitment}/revoke`, body);

  test('is permanent, and every operation respects it', async () => {
    const agent = await enrolledAgent(app);
    const start = await app.anyone.post(START, { public_key: agent.publicKey });
    const revoked = await revoke(app.own, agent.commitment, { reason: 'its key was lost' });
    expect([revoked.status, revoked.body.state]).toEqual([200, 'REVOKED']);
    expect(JSON.stringify(revoked.body)).not.toContain('lost');
    expect(await isSigned(revoked.body)).toBe(true);
    const passport = await app.anyone.get(`${AGENTS}/${agent.commitment}/passport`);
    expect(passport.body).toEqual(revoked.body);
    expect(codeOf(await app.anyone.post(START, { public_key: agent.publicKey }))).toEqual([403, 'forbidden']);
    const late = await app.anyone.post(COMPLETE, {
      subject_commitment: agent.commitment,
      signature: agent.signText(String(start.body.challenge_nonce)),
    });
    expect(codeOf(late)).toEqual([403, 'forbidden']);
    const board = await app.anyone.get('/api/v1/leaderboard?limit=100');
    expect(JSON.stringify(board.body)).not.toContain(agent.commitment);
    const profile = await app.anyone.get(`/api/v1/profiles/${agent.commitment}`);
    expect([profile.status, profile.body.state]).toEqual([200, 'REVOKED']);
    const evidence = signedEvidence(agent, 'otel_genai_trace', PAYLOADS.otel_genai_trace());
    expect(codeOf(await app.own.post(evidencePath(agent.commitment), evidence))).toEqual([
      403,
      'agent_not_enrolled',
    ]);
    const again = await revoke(app.own, agent.commitment);
    expect([codeOf(again), again.body.passport]).toEqual([[409, 'invalid_state'], revoked.body]);
  });

  test('is made by its sponsor or an admin', async () => {
    const sponsored = await enrolledAgent(app, { sponsor: app.otherId });
    const loner = await enrolledAgent(app, { sponsor: null });
    const own = await enrolledAgent(app);
    expect(codeOf(await revoke(app.other, own.commitment))).toEqual([403, 'forbidden']);
    expect(codeOf(await revoke(app.other, loner.commitment))).toEqual([403, 'forbidden']);
    expect(codeOf(await revoke(app.anyone, own.commitment))).toEqual([401, 'unauthorized']);
    expect(codeOf(await revoke(app.own, NIL))).toEqual([404, 'not_found']);
    expect((await revoke(app.other, sponsored.commitment)).status).toBe(200);
    expect((await revoke(app.own, loner.commitment)).status).toBe(200);
  });

  test('happens once of two at once', async () => {
    const agent = await enrolledAgent(app);
    const both = await Promise.all([revoke(app.own, agent.commitment), revoke(app.own, agent.commitment)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('another sponsor of an agent', () => {
  const path = (commitment: string) => `${AGENTS}/${commitment}/sponsor`;

  /** The agent's authorization of a change. */
  function authorization(
    agent: AgentKey & { commitment: string },
    body: JsonObject,
    changes: Partial<Authorizing> = {},
  ) {
    const call = { method: 'PUT', path: path(agent.commitment), body, audience, ...changes };
    return agentAuth(agent, call, time.now());
  }

  const put = (caller: Caller, commitment: string, body: unknown) =>
    caller.call('PUT', path(commitment), body);

  test('is named by an admin, whichever it is', async () => {
    const agent = await enrolledAgent(app, { sponsor: null });
    const given = await put(app.own, agent.commitment, { operator_id: app.otherId });
    expect([given.status, given.body.sponsor]).toEqual([200, expect.stringMatching(/^op_cus_\w{4}…/)]);
    const taken = await put(app.own, agent.commitment, { operator_id: null });
    expect([taken.status, taken.body.sponsor]).toEqual([200, null]);
    const nobody = await put(app.own, agent.commitment, { operator_id: 'op_cus_nobody' });
    expect([codeOf(nobody), nobody.body.issues]).toEqual([
      [400, 'validation_error'],
      { operator_id: ['must be an operator of this service'] },
    ]);
  });

  test('takes the agent over with its authorization, once', async () => {
    const agent = await enrolledAgent(app);
    const body = { operator_id: app.otherId };
    const agent_auth = authorization(agent, body);
    expect((await put(app.other, agent.commitment, { ...body, agent_auth })).status).toBe(200);
    const again = await put(app.other, agent.commitment, { ...body, agent_auth });
    expect(codeOf(again)).toEqual([409, 'nonce_reused']);
  });

  test('is not authorized without an audience: what was signed for one service could be used at another', async () => {
    const agent = await enrolledAgent(app);
    const body = { operator_id: app.otherId };
    const { signature: _signature, ...auth } = authorization(agent, body);
    const said = { type: 'agent-auth', method: 'PUT', path: path(agent.commitment), body, ...auth };
    const sent = { ...body, agent_auth: { ...auth, signature: agent.sign(said) } };
    const refused = await put(app.other, agent.commitment, sent);
    expect(codeOf(refused)).toEqual([401, 'invalid_proof']);
    expect(String(refused.body.error)).toContain(audience);
  });

  test('is not authorized by a call with a query string, which no signature is over', async () => {
    const agent = await enrolledAgent(app);
    const body = { operator_id: app.otherId };
    const sent = { ...body, agent_auth: authorization(agent, body) };
    const asked = await app.other.call('PUT', `${path(agent.commitment)}?operator_id=x`, sent);
    expect([codeOf(asked), Object.keys(Object(asked.body.issues))]).toEqual([
      [400, 'validation_error'],
      ['agent_auth'],
    ]);
    expect((await put(app.other, agent.commitment, sent)).status).toBe(200);
  });

  test('ends the rights of the previous sponsor and its holder keys', async () => {
    const agent = await enrolledAgent(app);
    const holder = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: agent.commitment,
    });
    expect(holder.status).toBe(201);
    const asHolder = client(app.fetch, 'http://localhost', String(holder.body.api_key));
    const presentation = {
      photo_url: 'https://agents.example/a.png',
      photo_content_sha256: NIL,
      photo_mime_type: 'image/png',
    };
    const show = (of: Record<string, string | null>, caller: Caller) =>
      caller.call('PUT', `${AGENTS}/${agent.commitment}/presentation`, {
        ...of,
        signature: agent.sign({ subject_commitment: agent.commitment, ...of }),
      });
    expect((await show(presentation, asHolder)).status).toBe(200);
    const nothing = { photo_url: null, photo_content_sha256: null, photo_mime_type: null };
    expect((await show(nothing, asHolder)).status).toBe(200);
    await put(app.own, agent.commitment, { operator_id: app.otherId });
    expect(codeOf(await show(presentation, asHolder))).toEqual([409, 'conflict']);
    expect((await show(presentation, app.other)).status).toBe(200);
  });

  let asked: Awaited<ReturnType<typeof enrolledAgent>>;
  beforeAll(async () => {
    asked = await enrolledAgent(app);
  });
  const later = (milliseconds: number) => new Date(time.now() + milliseconds).toISOString();
  const taking = () => ({ operator_id: app.otherId });
  /** The call with an authorization in which something is wrong. */
  const authorized = (changes: () => Partial<Authorizing>) => () => ({
    ...taking(),
    agent_auth: authorization(asked, taking(), changes()),
  });
  const refusals: [name: string, answer: Scenario[2], body: () => unknown][] = [
    ['without an authorization', '403 forbidden', taking],
    [
      'with an authorization for another body',
      '401 invalid_proof',
      authorized(() => ({ body: { operator_id: null } })),
    ],
    ['with an authorization for another path', '401 invalid_proof', authorized(() => ({ path: path(NIL) }))],
    ['with an authorization for another method', '401 invalid_proof', authorized(() => ({ method: 'POST' }))],
    ['with an authorization for no audience', '401 invalid_proof', authorized(() => ({ audience: '' }))],
    [
      'with an authorization for another audience',
      '401 invalid_proof',
      authorized(() => ({ audience: 'trust.example' })),
    ],
    [
      'with an authorization for a longer audience',
      '401 invalid_proof',
      authorized(() => ({ audience: `${audience}x` })),
    ],
    [
      'with an authorization for the audience of a former name',
      '401 invalid_proof',
      authorized(() => ({ audience: audience.replace('+', '-2+') })),
    ],
    [
      'with an authorization for an audience without its key',
      '401 invalid_proof',
      authorized(() => ({ audience: audience.replace(/\+.*/, '') })),
    ],
    [
      'with an authorization that ends now',
      '401 invalid_proof',
      authorized(() => ({ expires_at: later(0) })),
    ],
    [
      'with an authorization for longer than ten minutes',
      '400 validation_error',
      authorized(() => ({ expires_at: later(600_001) })),
    ],
    [
      'with an authorization with a short nonce',
      '400 validation_error',
      authorized(() => ({ nonce: 'short' })),
    ],
    [
      'with an authorization of another agent',
      '401 invalid_proof',
      () => ({ ...taking(), agent_auth: { ...authorization(asked, taking()), commitment: NIL } }),
    ],
    [
      'with an authorization for another sponsor than the caller',
      '403 forbidden',
      () => {
        const first = { operator_id: app.service.firstStart.operatorId };
        return { ...first, agent_auth: authorization(asked, first) };
      },
    ],
  ];
  scenarios(
    () => app,
    refusals.map(([name, response, body]) => [
      `is refused ${name}`,
      () => `PUT ${path(asked.commitment)}`,
      response,
      { body },
    ]),
    { by: 'other' },
  );
});

describe('a holder key', () => {
  test('of a revoked agent can read but not write, and no new one is created', async () => {
    const agent = await enrolledAgent(app);
    const body = { role: 'holder', subject_commitment: agent.commitment };
    const made = await app.own.post('/api/v1/operator/api-keys', body);
    const holder = client(app.fetch, 'http://localhost', String(made.body.api_key));
    expect((await holder.issue({ agent_id: agent.commitment })).status).toBe(201);
    await app.own.post(`${AGENTS}/${agent.commitment}/revoke`);
    expect(codeOf(await holder.issue({ agent_id: agent.commitment }))).toEqual([403, 'agent_not_enrolled']);
    expect((await holder.get('/api/v1/receipts')).status).toBe(200);
    expect(codeOf(await app.own.post('/api/v1/operator/api-keys', body))).toEqual([
      403,
      'agent_not_enrolled',
    ]);
  });

  test('is created only by the sponsor of the agent', async () => {
    const agent = await enrolledAgent(app);
    const body = { role: 'holder', subject_commitment: agent.commitment };
    expect(codeOf(await app.other.post('/api/v1/operator/api-keys', body))).toEqual([403, 'forbidden']);
    expect((await app.own.post('/api/v1/operator/api-keys', body)).status).toBe(201);
  });
});
