import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { failPayoutIn, payoutById } from '../../../../src/trust/payments/payouts/queue.ts';
import { Negotiation, PROPOSALS } from '../../../support/agora.ts';
import { paidSession, refunded } from '../../../support/billing-app.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { disputed } from '../../../support/disputes.ts';
import { ENGAGEMENTS } from '../../../support/engagements.ts';
import { type EventStory, endPayout, openEventStory, type Told } from '../../../support/event-story.ts';
import { WITHDRAWALS } from '../../../support/payouts.ts';
import { sendSettlement } from '../../../support/settlements.ts';
import { TABLE } from '../../../support/webhooks.ts';

let story: EventStory;
beforeAll(async () => {
  story = await openEventStory();
});
afterAll(() => story.close());

const WITHDRAW = '/api/v1/agent-pay/withdraw';

type Party = keyof EventStory['parties'];

/** Hires by the key of the hirer's sponsor. @returns the task_id */
async function hire(more: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const { parties, hirer, worker } = story;
  const task_id = `task-${randomUUID()}`;
  const request = {
    task_id,
    hirer_commitment: hirer.commitment,
    worker_commitment: worker.commitment,
    amount: 10,
    ...more,
  };
  const { status, body } = await parties.hirer.post(ENGAGEMENTS, request, headers);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return task_id;
}

const act = (party: Party, task_id: string, action: string) =>
  story.parties[party].post(`${ENGAGEMENTS}/${task_id}/${action}`);

async function delivered() {
  const task_id = await hire();
  await story.market.deliver(story.worker, task_id);
  return task_id;
}

async function withdraw() {
  const { hirer, parties } = story;
  const request = { subject_commitment: hirer.commitment, amount: 10, reference: randomUUID() };
  return String((await parties.hirer.post(WITHDRAW, request)).body.withdrawal_id);
}

async function pay() {
  const { app, parties } = story;
  const session = await app.topUp(1000, 'credits', parties.hirer.key ?? '');
  await app.send(paidSession(session, 1000));
  return session;
}

async function finalized(): Promise<string> {
  const { body } = await story.parties.hirer.issue();
  const outcome = { status: 'timeout', terminal_reason: 'too late' };
  return String((await story.parties.hirer.finalize(body.receipt_id, outcome)).body.receipt_id);
}

/** How to read what an event says with a key. */
type Read = (data: Record<string, unknown>, party: Party) => Promise<unknown>;

const read: Record<string, Read> = {
  engagement: async ({ task_id }, party) =>
    (await story.parties[party].get(`${ENGAGEMENTS}/${task_id}`)).body.engagement,
  proposal: async ({ proposal_id }, party) =>
    (await story.parties[party].get(`${PROPOSALS}/${proposal_id}`)).body,
  payout: async ({ withdrawal_id }, party) =>
    (await story.parties[party].get(`${WITHDRAWALS}/${withdrawal_id}`)).body.withdrawal,
  payment: async ({ reference }, party) => {
    const { payments } = Object((await story.parties[party].get('/api/v1/account/payments')).body);
    return payments.find((one: Record<string, unknown>) => one.reference === reference);
  },
  receipt: async ({ receipt_id }, party) =>
    (await story.parties[party].get(`/api/v1/receipts/${receipt_id}`)).body,
  agent: async ({ subject_commitment }, party) =>
    (await story.parties[party].get(`/api/v1/passport/agents/${subject_commitment}/passport`)).body,
};

const SIDES = ['hirer', 'worker'] as const;
const EVERYBODY = [...SIDES, 'admin'] as const;
const OWN = ['hirer'] as const;

/** What happens, the event that tells it, who receives it, and how a receiver reads the same. */
type Case = readonly [
  what: string,
  event: string,
  receivers: readonly Party[],
  act: () => Promise<unknown>,
  reading: string | null,
];

const negotiation = () => new Negotiation(story.app, story.hirer, story.worker);

/** Some begin with what happens before, of which they do not speak. */
const CASES: readonly Case[] = [
  ['a hire', 'engagement.held', SIDES, () => hire(), 'engagement'],
  ['a delivery', 'engagement.delivered', SIDES, delivered, 'engagement'],
  [
    'an acceptance',
    'engagement.paid',
    SIDES,
    async () => act('hirer', await delivered(), 'accept'),
    'engagement',
  ],
  [
    'a cancellation',
    'engagement.cancelled',
    SIDES,
    async () => act('hirer', await hire(), 'cancel'),
    'engagement',
  ],
  [
    'a refund of the worker',
    'engagement.cancelled',
    SIDES,
    async () => act('worker', await delivered(), 'refund'),
    'engagement',
  ],
  ['an offer', 'agora.proposal', EVERYBODY, () => negotiation().propose(), 'proposal'],
  ['a withdrawal', 'payout.queued', OWN, withdraw, 'payout'],
  [
    'a payout that was paid',
    'payout.confirmed',
    OWN,
    async () => endPayout(story.app, await withdraw(), 'confirm'),
    'payout',
  ],
  [
    'a payout that failed',
    'payout.failed',
    OWN,
    async () => endPayout(story.app, await withdraw(), 'fail'),
    'payout',
  ],
  ['a payment', 'payment.booked', OWN, pay, 'payment'],
  [
    'a settlement',
    'payment.booked',
    OWN,
    () =>
      sendSettlement(
        story.app,
        { rail: 'x402', reference: 'stl-1', subject_commitment: story.hirer.commitment, credits: 5 },
        { now: story.app.time.now() },
      ),
    'payment',
  ],
  [
    'a refund of a payment',
    'payment.refunded',
    OWN,
    async () => story.app.send(refunded(`pi_${await pay()}`, 400)),
    null,
  ],
  [
    'a dispute',
    'payment.disputed',
    OWN,
    async () => story.app.send(disputed(`pi_${await pay()}`, 'created')),
    'payment',
  ],
  ['a finalization', 'receipt.finalized', OWN, finalized, 'receipt'],
  [
    'a freeze',
    'agent.frozen',
    ['hirer', 'admin'],
    async () => {
      const { commitment } = await creditedAgent(story.app, { sponsor: story.parties.hirer.id });
      await story.app.own.post(`/api/v1/passport/agents/${commitment}/freeze`, { reason: 'stolen key' });
    },
    null,
  ],
  [
    'a revocation',
    'agent.revoked',
    ['hirer', 'admin'],
    async () => {
      const { commitment } = await creditedAgent(story.app, { sponsor: story.parties.hirer.id });
      const body = { reason: 'retired' };
      await story.parties.hirer.post(`/api/v1/passport/agents/${commitment}/revoke`, body);
    },
    'agent',
  ],
];

/** Returns one event as each party was told it; a party that was told it twice counts twice. */
const only = (told: Record<string, Told[]>, event: string) =>
  Object.entries(told).flatMap(([party, all]) =>
    all.flatMap((one) => (one.event === event ? [{ party, ...one }] : [])),
  );

describe('an event', () => {
  test.each(CASES)('of %s is %s, for %p, with its members', async (_, event, receivers, make, reading) => {
    const told = only(await story.telling(make), event);
    expect(told.map(({ party }) => party).sort()).toEqual([...receivers].sort());
    const [first] = told;
    for (const { data } of told) expect(data).toEqual(first?.data ?? {});
    const members = Object.keys(first?.data ?? {});
    expect(members).toEqual(Object.keys(TABLE[event]?.properties ?? {}));
    if (reading === null) return;
    // What it says is what its receivers read with their keys.
    for (const party of receivers) {
      const seen: Record<string, unknown> = Object(await read[reading]?.(first?.data ?? {}, party));
      const same = members.filter((name) => Object.hasOwn(seen, name));
      expect(same.length).toBeGreaterThan(0);
      expect(Object.fromEntries(same.map((name) => [name, seen[name]]))).toEqual(
        Object.fromEntries(same.map((name) => [name, first?.data[name]])),
      );
    }
  });

  test('has the signatures of its webhook', async () => {
    await story.telling(() => hire());
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = story.received;
    const { secret, signing_secret } = story.webhooks[path.slice(1)] ?? {};
    expect(headers['x-service-signature']).toBe(String(secret));
    expect(new Webhook(String(signing_secret)).verify(body, headers)).toMatchObject({
      event: 'engagement.held',
    });
  });

  test('about a receipt of the administrator itself reaches its webhook for all agents, once', async () => {
    const { admin } = story.parties;
    const told = await story.telling(async () => {
      const { body } = await admin.issue();
      await admin.finalize(body.receipt_id, { status: 'timeout', terminal_reason: 'too late' });
    });
    expect(only(told, 'receipt.finalized').map(({ party }) => party)).toEqual(['admin']);
  });

  test('of one transaction that is repeated is told once', async () => {
    const task_id = `task-${randomUUID()}`;
    const told = await story.telling(async () => {
      const key = { 'Idempotency-Key': randomUUID() };
      await Promise.all([hire({ task_id }, key), hire({ task_id }, key)]);
      await story.market.deliver(story.worker, task_id);
      await story.market.deliver(story.worker, task_id);
      await Promise.all([act('hirer', task_id, 'accept'), act('hirer', task_id, 'accept')]);
    });
    for (const event of ['engagement.held', 'engagement.delivered', 'engagement.paid'])
      expect([event, only(told, event)]).toEqual([event, [expect.anything(), expect.anything()]]);
  });

  test('of a payment is told once, however often the processor sends it', async () => {
    const session = await story.app.topUp(1000, 'credits', story.parties.hirer.key ?? '');
    const told = await story.telling(async () => {
      for (const id of ['evt_a', 'evt_a', 'evt_b'])
        await story.app.send({ ...paidSession(session, 1000), id });
      for (const id of ['evt_c', 'evt_c']) await story.app.send({ ...refunded(`pi_${session}`, 100), id });
    });
    expect(Object.keys(told)).toEqual(['hirer']);
    expect(told.hirer?.map(({ event }) => event)).toEqual(['payment.booked', 'payment.refunded']);
    expect(told.hirer?.[1]?.data).toMatchObject({ kind: 'refund', amount: -100, reference: session });
  });

  test('of a refund and a dispute that came before their payment is told with it', async () => {
    const session = await story.app.topUp(1000, 'credits', story.parties.hirer.key ?? '');
    const waiting = await story.telling(async () => {
      await story.app.send(disputed(`pi_${session}`, 'created'));
      await story.app.send(refunded(`pi_${session}`, 100));
    });
    expect(waiting).toEqual({});
    const told = await story.telling(() => story.app.send(paidSession(session, 1000)));
    expect(told.hirer?.map(({ event }) => event).sort()).toEqual([
      'payment.booked',
      'payment.disputed',
      'payment.refunded',
    ]);
  });

  test.each([
    ['a refused request', async () => expect(hire({ amount: 1_000_000 })).rejects.toThrow()],
    [
      'a transaction that rolls back',
      async () => {
        const withdrawalId = await withdraw();
        const { trust } = story.app.service;
        await expect(
          trust.store.writeAsService(async (tx) => {
            const queued = await payoutById(tx, withdrawalId);
            if (queued !== null) await failPayoutIn(tx, trust, queued, 'the bank refused it');
            throw new Error('rolled back');
          }),
        ).rejects.toThrow('rolled back');
      },
    ],
  ])('of %s is told to nobody', async (_, make) => {
    const told = await story.telling(make);
    expect([...only(told, 'engagement.held'), ...only(told, 'payout.failed')]).toEqual([]);
  });

  test('reaches the suspended sponsor of a side, and the other side', async () => {
    const { app, parties, worker, market } = story;
    const task_id = await hire();
    await setAccountStatus(app.service.trust, parties.hirer.id, 'SUSPENDED');
    const told = only(await story.telling(() => market.deliver(worker, task_id)), 'engagement.delivered');
    await setAccountStatus(app.service.trust, parties.hirer.id, 'ACTIVE');
    expect(told.map(({ party }) => party).sort()).toEqual(['hirer', 'worker']);
  });

  test.each([
    ['engagement.expired', 'a deadline is over', () => hire({ deadline: inAnHour() })],
    ['engagement.paid', 'accept_by is over', delivered],
  ])('%s is told by the scheduler when %s', async (event, _, before) => {
    const task_id = await before();
    story.app.time.advance(40 * 86_400_000);
    const told = await story.telling(() => story.market.endDue());
    const ofTask = only(told, event).filter(({ data }) => data.task_id === task_id);
    expect(ofTask.map(({ party }) => party).sort()).toEqual(['hirer', 'worker']);
  });

  test('engagement.cancelled is told by the scheduler when a party was revoked', async () => {
    const { app, parties, market } = story;
    const other = await creditedAgent(app, { sponsor: parties.worker.id });
    const task_id = await hire({ worker_commitment: other.commitment });
    await parties.worker.post(`/api/v1/passport/agents/${other.commitment}/revoke`);
    const told = only(await story.telling(() => market.refundInactive()), 'engagement.cancelled');
    expect(told.map(({ party, data }) => [party, data.task_id]).sort()).toEqual([
      ['hirer', task_id],
      ['worker', task_id],
    ]);
  });
});

const inAnHour = () => new Date(story.app.time.now() + 3_600_000).toISOString();
