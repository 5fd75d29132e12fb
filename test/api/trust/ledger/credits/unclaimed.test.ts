import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Portions } from '../../../../../src/trust/ledger/portions.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { client } from '../../../../support/client.ts';
import { availableIn, journalOf, verifiedJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { marketOf } from '../../../../support/engagements.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const TRANSFERS = '/api/v1/passport/credits/transfers';
const NIL = '0'.repeat(64);

let app: TrustApp;
let call: Awaited<ReturnType<typeof localAdministrator>>;
let payee: CreditedAgent;
let revoked: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  call = await localAdministrator(app);
  payee = await creditedAgent(app, { sponsor: app.otherId });
  revoked = await creditedAgent(app, { sponsor: null, credits: { promotional: 10, paid: 20, sandbox: 40 } });
  expect((await app.own.post(`/api/v1/passport/agents/${revoked.commitment}/revoke`)).status).toBe(200);
  await marketOf(app).returnCredits();
});
afterAll(() => app.close());

const unclaimed = async (): Promise<Portions> => Object(await call('showUnclaimed'));
const transfer = (to: string, amount: number, more: object = {}) =>
  call('transferCredits', { from_commitment: 'unclaimed', to_commitment: to, amount, ...more });

/** The body of a transfer from `unclaimed` to the agent. */
const body = (changes: Record<string, unknown> = {}) => ({
  from_commitment: 'unclaimed',
  to_commitment: payee.commitment,
  amount: 1,
  ...changes,
});

describe('a transfer of unclaimed credits', () => {
  scenarios(
    () => app,
    [
      ['without a key is refused', `POST ${TRANSFERS}`, '401 unauthorized', { by: 'anyone', body }],
      [
        'with the key of another operator is refused',
        `POST ${TRANSFERS}`,
        '403 forbidden',
        { by: 'other', body, contains: ['Only an admin key'] },
      ],
      [
        'of more than there are is refused',
        `POST ${TRANSFERS}`,
        '402 insufficient_credits',
        {
          body: () => body({ amount: 41 }),
          contains: ['The account unclaimed has 40 credits', 'Transfer fewer.'],
        },
      ],
      [
        'with a kind is refused',
        `POST ${TRANSFERS}`,
        '400 validation_error: kind',
        { body: () => body({ kind: 'PEER_GIFT' }) },
      ],
      [
        'to an agent that never enrolled is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        { body: () => body({ to_commitment: NIL }) },
      ],
      [
        'back to the revoked agent is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        { body: () => body({ to_commitment: revoked.commitment }) },
      ],
      [
        'to `unclaimed` is refused',
        `POST ${TRANSFERS}`,
        '400 validation_error: to_commitment',
        { body: () => body({ to_commitment: 'unclaimed' }) },
      ],
      [
        'from a name that is not it is refused',
        `POST ${TRANSFERS}`,
        '400 validation_error: from_commitment',
        { body: () => body({ from_commitment: 'Unclaimed' }) },
      ],
      [
        'with an admin key pays the agent, promotional credits first',
        `POST ${TRANSFERS}`,
        '201',
        {
          body: () => body({ amount: 12, memo: 'found again' }),
          effects: async (_, response) => {
            expect(response).toMatchObject({
              kind: 'ADJUSTMENT',
              amount: 12,
              balances: { earned: 12, available: 12 },
            });
            expect(await unclaimed()).toEqual({ promotional: 0, paid: 18, sandbox: 40 });
            const entries = await journalOf(app.other, payee.commitment);
            expect(
              entries
                .slice(0, 2)
                .map(({ kind, asset, amount, counterparty, memo }) => [
                  kind,
                  asset,
                  amount,
                  counterparty,
                  memo,
                ]),
            ).toEqual([
              ['ADJUSTMENT', 'paid', 2, 'unclaimed', 'found again'],
              ['ADJUSTMENT', 'promotional', 10, 'unclaimed', 'found again'],
            ]);
            expect(availableIn(verifiedJournal(payee.commitment, entries))).toEqual({
              promotional: 10,
              paid: 2,
            });
          },
        },
      ],
    ],
  );

  test('that an agent signed is refused, even with an admin key', async () => {
    const plain = body();
    const line = { method: 'POST', path: TRANSFERS, body: plain, audience: await audienceOf(app) };
    for (const by of [app.anyone, app.own]) {
      const { status, body: problem } = await by.post(TRANSFERS, {
        ...plain,
        agent_auth: agentAuth(payee, line),
      });
      expect([status, problem.reason_code]).toEqual([403, 'forbidden']);
    }
  });

  test('is limited by the scope of the admin key', async () => {
    const { firstStart, trust } = app.service;
    const { api_key: key } = await createKeyFor(trust, firstStart.operatorId, {
      admin: true,
      scope: { max_credits: 2 },
    });
    const limited = client(app.fetch, 'http://localhost', key);
    expect((await limited.post(TRANSFERS, body({ amount: 3 }))).body.reason_code).toBe('scope_violation');
  });

  test('that is sent twice with one Idempotency-Key pays once', async () => {
    const before = await unclaimed();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [one, again] = [
      await app.own.post(TRANSFERS, body(), headers),
      await app.own.post(TRANSFERS, body(), headers),
    ];
    expect([one?.status, again?.body]).toEqual([201, one?.body]);
    expect((await unclaimed()).paid).toBe(before.paid - 1);
  });

  test('64 times at once pays no more than there is', async () => {
    const { paid, sandbox } = await unclaimed();
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => app.own.post(TRANSFERS, body({ amount: 3 }))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(
      Math.floor(paid / 3) + Math.floor(sandbox / 3),
    );
    expect(await unclaimed()).toEqual({ promotional: 0, paid: paid % 3, sandbox: sandbox % 3 });
  });
});

test('the administrator transfers unclaimed credits by a command, to enrolled agents and without a kind', async () => {
  expect(await transfer(payee.commitment, 1)).toMatchObject({ kind: 'ADJUSTMENT', amount: 1 });
  await expect(transfer(NIL, 1)).rejects.toThrow(/has not completed enrollment/);
  await expect(transfer(payee.commitment, 1, { kind: 'PEER_GIFT' })).rejects.toMatchObject({ exitCode: 2 });
  await expect(transfer(payee.commitment, 100)).rejects.toThrow(/credit/);
});
