import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { proposalIn } from '../../../../../src/proof/agora/proposal.ts';
import { proposalProblems } from '../../../../../src/proof/agora/verify-proposal.ts';
import { canonicalJson } from '../../../../../src/proof/encoding/canonical-json.ts';
import { type JsonObject, parseJson } from '../../../../../src/proof/encoding/json.ts';
import { deleteNoncesUntil } from '../../../../../src/trust/agents/store.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type Agent, NEGOTIATE, Negotiation, signedStep, TERMS } from '../../../../support/agora.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let buyer: Agent;
let seller: Agent;
let stranger: Agent;
let deal: Negotiation;

beforeAll(async () => {
  app = await openTrustApp();
  buyer = await enrolledAgent(app);
  seller = await enrolledAgent(app, { sponsor: app.otherId });
  stranger = await enrolledAgent(app, { sponsor: null });
});
afterAll(() => app.close());
beforeEach(() => {
  deal = new Negotiation(app, buyer, seller);
});

const refusal = ({ status, body }: ApiResponse): string => `${status} ${body.reason_code}`;

describe('a negotiation', () => {
  test('goes from a proposal over a counter-offer to an acceptance; its document proves itself', async () => {
    const proposed = await deal.propose();
    expect(proposed.body).toMatchObject({ agora_version: '1.0', status: 'proposed', action: 'propose' });
    const terms = { ...TERMS, credits: 150 };
    expect((await deal.step(seller, 'counter', { terms })).body.status).toBe('countered');
    const accepted = await deal.step(buyer, 'accept');
    expect(accepted).toMatchObject({ status: 201, body: { status: 'accepted', action: 'accept' } });
    const proposal = await deal.read();
    expect(proposal).toMatchObject({
      ...accepted.body,
      from_commitment: buyer.commitment,
      to_commitment: seller.commitment,
      terms,
    });
    const { timeline } = Object(proposal);
    expect(timeline.map(({ action, commitment }: Record<string, string>) => [action, commitment])).toEqual([
      ['propose', buyer.commitment],
      ['counter', seller.commitment],
      ['accept', buyer.commitment],
    ]);
    const read = proposalIn(JSON.parse(JSON.stringify(proposal)));
    expect(read === null ? null : proposalProblems(nativePrimitives, read)).toEqual([]);
  });

  test('appends to one ledger: each entry names the hash of the entry before it, also of another proposal', async () => {
    const other = new Negotiation(app, stranger, buyer);
    const first = Object((await deal.propose()).body.ledger_anchor);
    const second = Object((await other.propose()).body.ledger_anchor);
    const third = Object((await deal.step(seller, 'reject')).body.ledger_anchor);
    expect([second.index, second.prev_hash]).toEqual([first.index + 1, first.entry_hash]);
    expect([third.index, third.prev_hash]).toEqual([first.index + 2, second.entry_hash]);
  });

  test.each([
    ['the receiver of the offer can reject it', 'seller', 'reject', 'rejected'],
    ['the maker of the offer can withdraw it', 'buyer', 'withdraw', 'withdrawn'],
  ] as const)('%s', async (_, by, action, status) => {
    await deal.propose();
    const { body } = await deal.step(by === 'buyer' ? buyer : seller, action);
    expect(body.status).toBe(status);
    expect(await deal.read()).toMatchObject({ status, terms: TERMS });
  });
});

describe('a step of the wrong party', () => {
  beforeEach(() => deal.propose());

  test.each(['accept', 'reject', 'counter'])('%s of the own offer is refused', async (action) => {
    const more = action === 'counter' ? { terms: TERMS } : {};
    const answer = await deal.step(buyer, action, more);
    expect(refusal(answer)).toBe('403 forbidden');
    expect(answer.body.error).toContain(`Only the party that received the current offer can ${action} it`);
  });

  test('withdrawing the offer of the other party is refused', async () => {
    expect(refusal(await deal.step(seller, 'withdraw'))).toBe('403 forbidden');
  });

  test('after a counter-offer the roles are exchanged: its maker cannot accept it', async () => {
    await deal.step(seller, 'counter', { terms: { credits: 1 } });
    expect(refusal(await deal.step(seller, 'accept'))).toBe('403 forbidden');
    expect((await deal.step(buyer, 'accept')).status).toBe(201);
  });

  test('an agent that is no party is refused, also if it names one of them', async () => {
    const request = await signedStep(app, stranger, buyer, {
      action: 'accept',
      proposal_id: deal.proposalId,
      prev_hash: deal.head,
    });
    expect(refusal(await app.anyone.post(NEGOTIATE, request))).toBe('403 forbidden');
  });

  test('a party cannot answer in the name of the other one', async () => {
    const forged = await signedStep(
      app,
      seller,
      buyer,
      { action: 'accept', proposal_id: deal.proposalId, prev_hash: deal.head },
      { signer: buyer },
    );
    expect(refusal(await app.anyone.post(NEGOTIATE, forged))).toBe('401 invalid_proof');
    const renamed = { ...forged, agent_auth: { ...forged.agent_auth, commitment: seller.commitment } };
    expect(refusal(await app.anyone.post(NEGOTIATE, renamed))).toBe('401 invalid_proof');
  });
});

describe('an acceptance', () => {
  beforeEach(() => deal.propose());

  test('is final: a second one, a change of the terms and a withdrawal are refused', async () => {
    await deal.step(seller, 'accept');
    const before = await deal.read();
    for (const answer of [
      await deal.step(seller, 'accept'),
      await deal.step(buyer, 'accept'),
      await deal.step(buyer, 'counter', { terms: { credits: 1 } }),
      await deal.step(seller, 'counter', { terms: { credits: 1 } }),
      await deal.step(buyer, 'withdraw'),
      await deal.step(seller, 'reject'),
    ]) {
      expect(refusal(answer)).toBe('409 invalid_state');
      expect(answer.body.error).toContain('The proposal is accepted, which is final.');
    }
    expect(await deal.read()).toEqual(before);
  });

  test('counts only for the offer that the agent signed: after another step its prev_hash is refused', async () => {
    const stale = await deal.request(buyer, 'accept');
    const early = await deal.request(seller, 'accept');
    await deal.step(seller, 'counter', { terms: { credits: 999 } });
    expect(refusal(await app.anyone.post(NEGOTIATE, stale))).toBe('409 conflict');
    expect(refusal(await app.anyone.post(NEGOTIATE, early))).toBe('403 forbidden');
    expect((await deal.step(buyer, 'accept')).status).toBe(201);
  });

  test('cannot be sent twice: its authorization is used up', async () => {
    const request = await deal.request(seller, 'accept');
    expect((await app.anyone.post(NEGOTIATE, request)).status).toBe(201);
    expect(refusal(await app.anyone.post(NEGOTIATE, request))).toBe('409 nonce_reused');
    expect(Object(await deal.read()).timeline).toHaveLength(2);
  });

  test('of two at the same moment, one counts', async () => {
    const requests = [await deal.request(seller, 'accept'), await deal.request(seller, 'accept')];
    const answers = await Promise.all(requests.map((request) => app.anyone.post(NEGOTIATE, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(Object(await deal.read()).timeline).toHaveLength(2);
  });

  test('and a withdrawal at the same moment: one counts', async () => {
    const requests = [await deal.request(seller, 'accept'), await deal.request(buyer, 'withdraw')];
    const answers = await Promise.all(requests.map((request) => app.anyone.post(NEGOTIATE, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('an authorization', () => {
  test('of a proposal cannot be used for a second proposal', async () => {
    const request = await signedStep(app, buyer, seller, { action: 'propose', terms: TERMS });
    const taken = await app.anyone.post(NEGOTIATE, request);
    expect(taken.status).toBe(201);
    const again = await app.anyone.post(NEGOTIATE, request);
    expect(refusal(again)).toBe('409 nonce_reused');
    // The agent may have lost the first response, and with it the id of its proposal.
    expect(again.body.negotiation).toEqual(taken.body);
    expect(again.body.error).toEndWith('Do not sign it again.');
    const nonce = request.agent_auth.nonce;
    const other = await signedStep(app, buyer, seller, { action: 'propose', terms: { other: 1 } }, { nonce });
    const refused = await app.anyone.post(NEGOTIATE, other);
    expect([refusal(refused), refused.body.negotiation]).toEqual(['409 nonce_reused', undefined]);
  });

  test('is refused a second time also after its nonce was deleted', async () => {
    const request = await signedStep(app, buyer, seller, { action: 'propose', terms: TERMS });
    expect((await app.anyone.post(NEGOTIATE, request)).status).toBe(201);
    await app.service.trust.store.writeAsService((tx) =>
      deleteNoncesUntil(tx, { until: '9999-12-31T23:59:59.999Z', limit: 1000 }),
    );
    expect(refusal(await app.anyone.post(NEGOTIATE, request))).toBe('409 nonce_reused');
  });

  test('does not cover other terms than the agent signed', async () => {
    const request = await signedStep(app, buyer, seller, { action: 'propose', terms: TERMS });
    const changed = { ...request, terms: { ...TERMS, credits: 1 } };
    expect(refusal(await app.anyone.post(NEGOTIATE, changed))).toBe('401 invalid_proof');
  });

  test('that has expired is refused', async () => {
    const now = Date.now() - 3_600_000;
    const request = await signedStep(app, buyer, seller, { action: 'propose', terms: TERMS }, { now });
    expect(refusal(await app.anyone.post(NEGOTIATE, request))).toBe('401 invalid_proof');
  });

  test('is refused with a query string, which it does not cover', async () => {
    const request = await signedStep(app, buyer, seller, { action: 'propose', terms: TERMS });
    expect(refusal(await app.anyone.post(`${NEGOTIATE}?x=1`, request))).toBe('400 validation_error');
  });

  test('that was refused can be sent again when the cause is gone', async () => {
    const late = await enrolledAgent(app, { sponsor: app.otherId });
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    const request = await signedStep(app, buyer, late, { action: 'propose', terms: TERMS });
    expect(refusal(await app.anyone.post(NEGOTIATE, request))).toBe('403 forbidden');
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect((await app.anyone.post(NEGOTIATE, request)).status).toBe(201);
  });
});

test('a frozen agent agrees to nothing, and the refusal says that it may be frozen', async () => {
  const [left, right] = [await enrolledAgent(app), await enrolledAgent(app)];
  await app.own.post(`/api/v1/passport/agents/${right.commitment}/freeze`, { reason: 'disputed payment' });
  const request = await signedStep(app, left, right, { action: 'propose', terms: TERMS });
  const refused = await app.anyone.post(NEGOTIATE, request);
  expect(refusal(refused)).toBe('403 forbidden');
  expect(String(refused.body.error)).toContain(`The agent ${right.commitment} is frozen, or the account of`);
});

describe('a revoked agent', () => {
  test('agrees to nothing any more; the other party can still end the negotiation', async () => {
    const agents = [await enrolledAgent(app), await enrolledAgent(app)] as const;
    const [left, right] = agents;
    const one = new Negotiation(app, left, right);
    const two = new Negotiation(app, right, left);
    await one.propose();
    await two.propose();
    await app.own.post(`/api/v1/passport/agents/${right.commitment}/revoke`);
    expect(refusal(await one.step(right, 'accept'))).toBe('403 agent_not_enrolled');
    expect(refusal(await two.step(left, 'accept'))).toBe('403 agent_not_enrolled');
    expect(refusal(await two.step(left, 'counter', { terms: TERMS }))).toBe('403 agent_not_enrolled');
    expect((await one.step(left, 'withdraw')).body.status).toBe('withdrawn');
    expect((await two.step(left, 'reject')).body.status).toBe('rejected');
  });

  test('gets no new proposals', async () => {
    const gone = await enrolledAgent(app);
    await app.own.post(`/api/v1/passport/agents/${gone.commitment}/revoke`);
    expect(refusal(await new Negotiation(app, buyer, gone).propose())).toBe('403 agent_not_enrolled');
  });
});

test('a proposal has at most 32 steps, and the last one ends it', async () => {
  await deal.propose();
  for (let taken = 1; taken < 31; taken++) {
    const by = taken % 2 === 1 ? seller : buyer;
    expect((await deal.step(by, 'counter', { terms: { credits: taken } })).status).toBe(201);
  }
  const answer = await deal.step(seller, 'counter', { terms: { credits: 31 } });
  expect(refusal(answer)).toBe('409 invalid_state');
  expect(answer.body.error).toContain('the last of 32 must end it');
  expect((await deal.step(seller, 'accept')).status).toBe(201);
  expect(refusal(await deal.step(buyer, 'counter', { terms: TERMS }))).toBe('409 invalid_state');
  const proposal = proposalIn(JSON.parse(JSON.stringify(await deal.read())));
  expect(proposal?.timeline).toHaveLength(32);
  expect(proposal === null ? null : proposalProblems(nativePrimitives, proposal)).toEqual([]);
});

describe('terms', () => {
  test('of 16 KiB as canonical JSON are stored; of one byte more they are refused', async () => {
    const text = (length: number) => ({ text: 'é'.repeat(10), fill: 'x'.repeat(length) });
    const overhead = Buffer.byteLength(JSON.stringify(text(0)));
    expect((await deal.propose(text(16_384 - overhead))).status).toBe(201);
    const answer = await deal.propose(text(16_385 - overhead));
    expect(refusal(answer)).toBe('400 validation_error');
    expect(answer.body.issues).toEqual({
      terms: ['must be at most 16384 bytes of canonical JSON; they have 16385'],
    });
  });

  test.each([
    ['with a large integer that its canonical form repeats are stored', '9007199254740994', '201 undefined'],
    // The canonical form of 2^60 is 1152921504606847000, which strict parsers refuse: nobody could read the
    // ledger.
    [
      'with an integer that its canonical form cannot repeat are refused',
      '1152921504606846976',
      '400 validation_error',
    ],
  ])('%s', async (_, literal, expected) => {
    const step = { action: 'propose', terms: { credits: Number(literal) } };
    const request = JSON.stringify(await signedStep(app, buyer, seller, step));
    const { status, body } = await app.anyone.post(NEGOTIATE, request.replace(`${Number(literal)}`, literal));
    expect(`${status} ${body.reason_code}`).toBe(expected);
    if (status === 400) expect(Object(body.issues).terms).toHaveLength(1);
  });

  test('of 60 levels are read again from the published proposal; of 61 they are refused', async () => {
    const nested = (levels: number): JsonObject => (levels === 1 ? { end: true } : { a: nested(levels - 1) });
    expect((await deal.propose(nested(60))).status).toBe(201);
    const { body } = await app.anyone.get(`/api/v1/agora/proposals/${deal.proposalId}`);
    expect(proposalIn(parseJson(JSON.stringify(body)))).not.toBeNull();
    const answer = await deal.propose(nested(61));
    expect([refusal(answer), Object.keys(Object(answer.body.issues))]).toEqual([
      '400 validation_error',
      ['terms'],
    ]);
  });

  test('keep every value, also members that look like numbers or prototypes', async () => {
    const terms = JSON.parse(
      '{"10":1,"9":{"__proto__":{"x":null}},"e":1e-7,"text":"\\u2028é","list":[[],{}]}',
    );
    await deal.propose(terms);
    expect(canonicalJson(Object(await deal.read()).terms)).toBe(canonicalJson(terms));
    const proposal = proposalIn(JSON.parse(JSON.stringify(await deal.read())));
    expect(proposal === null ? null : proposalProblems(nativePrimitives, proposal)).toEqual([]);
  });
});

describe('a malformed request', () => {
  const body = (changes: Record<string, unknown>) => () => ({
    from_commitment: buyer.commitment,
    to_commitment: seller.commitment,
    action: 'propose',
    terms: TERMS,
    agent_auth: {
      commitment: buyer.commitment,
      nonce: '0123456789abcdef',
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      signature: '0'.repeat(128),
    },
    ...changes,
  });
  const POST = `POST ${NEGOTIATE}`;
  const auth = `{"commitment":"${'1'.repeat(64)}","nonce":"0123456789abcdef","expires_at":"2030-01-31T12:00:00Z","signature":"${'0'.repeat(128)}"}`;
  const INFINITE = `{"from_commitment":"${'1'.repeat(64)}","to_commitment":"${'2'.repeat(64)}","action":"propose","terms":{"n":1e999},"agent_auth":${auth}}`;
  const hash = '0'.repeat(64);
  scenarios(
    () => app,
    [
      [
        'a proposal without terms is refused',
        POST,
        '400 validation_error: terms',
        { body: body({ terms: undefined }) },
      ],
      ['empty terms are refused', POST, '400 validation_error: terms', { body: body({ terms: {} }) }],
      [
        'terms that are a list are refused',
        POST,
        '400 validation_error: terms',
        { body: body({ terms: [1] }) },
      ],
      [
        'terms with half of a surrogate pair are refused',
        POST,
        '400 invalid_json',
        { body: body({ terms: { text: '\ud800' } }) },
      ],
      [
        'terms with a number that is too large for a double are refused',
        POST,
        '400 validation_error: terms',
        { raw: INFINITE },
      ],
      [
        'a proposal with an id is refused, since the service makes it',
        POST,
        '400 validation_error: proposal_id',
        { body: body({ proposal_id: `agora_${'1'.repeat(32)}` }) },
      ],
      [
        'an acceptance with terms is refused: it accepts those of the offer',
        POST,
        '400 validation_error: terms',
        { body: body({ action: 'accept', proposal_id: `agora_${'1'.repeat(32)}`, prev_hash: hash }) },
      ],
      [
        'an acceptance that names no proposal and no step is refused',
        POST,
        '400 validation_error: proposal_id, prev_hash',
        { body: body({ action: 'accept', terms: undefined }) },
      ],
      [
        'an agent cannot negotiate with itself',
        POST,
        '400 validation_error: to_commitment',
        { body: () => ({ ...body({})(), to_commitment: buyer.commitment }) },
      ],
      [
        'an unknown action is refused',
        POST,
        '400 validation_error: action',
        { body: body({ action: 'sign' }) },
      ],
      ['an unknown member is refused', POST, '400 validation_error: price', { body: body({ price: 1 }) }],
      [
        'a request without the signature of the agent is refused, also with an API key',
        POST,
        '400 validation_error: agent_auth',
        { body: body({ agent_auth: undefined }) },
      ],
      ['a forged signature is refused', POST, '401 invalid_proof', { by: 'anyone', body: body({}) }],
      [
        'an agent that never enrolled is refused',
        POST,
        '403 agent_not_enrolled',
        {
          body: () => ({
            ...body({})(),
            from_commitment: hash,
            agent_auth: { ...body({})().agent_auth, commitment: hash },
          }),
        },
      ],
      [
        'an unknown proposal is not found',
        `GET /api/v1/agora/proposals/agora_${'0'.repeat(32)}`,
        '404 not_found',
      ],
      ['text that is no id of a proposal is not found', 'GET /api/v1/agora/proposals/x', '404 not_found'],
      [
        'a proposal id in upper case is not found',
        `GET /api/v1/agora/proposals/agora_${'A'.repeat(32)}`,
        '404 not_found',
      ],
    ],
  );

  test.each([`agora_${'0'.repeat(32)}`, 'agora_x', ''])(
    'a step of the unknown proposal "%s" is not found',
    async (id) => {
      await deal.propose();
      expect(refusal(await deal.step(seller, 'accept', { proposal_id: id }))).toBe('404 not_found');
    },
  );
});

describe('the quota of an agent without a sponsor', () => {
  test('ends its offers, and refuses neither its answers nor the withdrawal of its own offer', async () => {
    const small = await openTrustApp({ 'quotas.free.stored_bytes': '65536' });
    const lone = await enrolledAgent(small, { sponsor: null });
    const partner = await enrolledAgent(small);
    const offered = new Negotiation(small, partner, lone);
    await offered.propose();
    const own = new Negotiation(small, lone, partner);
    const terms = { text: 'x'.repeat(16_000) };
    // Until there is room for nothing, not even for a small step.
    for (const [offer, most] of [
      [terms, 8],
      [TERMS, 100],
    ] as const) {
      const answers: string[] = [];
      for (let count = 0; count < most && answers.at(-1) !== '403 quota_exceeded'; count++)
        answers.push(refusal(await own.propose(offer)));
      expect([answers[0], answers.at(-1)]).toEqual(['201 undefined', '403 quota_exceeded']);
    }
    expect(refusal(await offered.step(lone, 'counter', { terms: TERMS }))).toBe('403 quota_exceeded');
    expect((await offered.step(lone, 'accept')).body.status).toBe('accepted');
    expect((await own.step(lone, 'withdraw')).body.status).toBe('withdrawn');
    expect((await new Negotiation(small, partner, lone).propose(terms)).status).toBe(201);
    await small.close();
  });

  test('is not used up by requests that the agent did not sign', async () => {
    const small = await openTrustApp({ 'quotas.free.writes_per_minute': '2', rate_limits: 'on' });
    const lone = await enrolledAgent(small, { sponsor: null });
    const partner = await enrolledAgent(small);
    for (let count = 0; count < 4; count++) {
      const forged = await signedStep(
        small,
        lone,
        partner,
        { action: 'propose', terms: TERMS },
        { signer: partner },
      );
      const named = { ...forged, agent_auth: { ...forged.agent_auth, commitment: lone.commitment } };
      expect(refusal(await small.anyone.post(NEGOTIATE, named))).toBe('401 invalid_proof');
    }
    const own = new Negotiation(small, lone, partner);
    expect((await own.propose()).status).toBe(201);
    expect((await own.propose()).status).toBe(201);
    expect(refusal(await own.propose())).toBe('429 rate_limit_exceeded');
    await small.close();
  });
});
