import { createOperator } from '../../src/trust/operators/create-operator.ts';
import {
  confirmPayoutIn,
  failPayoutIn,
  payoutById,
  submitPayoutIn,
} from '../../src/trust/payments/payouts/queue.ts';
import { type BillingApp, openBillingApp } from './billing-app.ts';
import { client } from './client.ts';
import { creditedAgent, fundPool, grantFrom } from './credits.ts';
import { marketOf, SERVICE_TOKEN } from './engagements.ts';
import { receiver } from './receiver.ts';
import { settlementSettings } from './settlements.ts';
import { EVENTS } from './webhooks.ts';

/** An event as a receiver got it. */
export interface Told {
  event: string;
  data: Record<string, unknown>;
  timestamp: string;
}

/**
 * Opens a service in which five parties are subscribed to all events: the sponsors of a hirer and of its
 * worker, the sponsor that the hirer had before, a stranger, and an administrator with the events of all.
 */
export async function openEventStory() {
  const app = await openBillingApp({
    settings: { service_token: SERVICE_TOKEN, 'webhooks.allow_private': 'on', ...settlementSettings },
  });
  const { trust } = app.service;
  const operatorOf = async (name: string) => {
    const { operator_id, api_key } = await createOperator(trust, { name, admin: false });
    return { id: operator_id, ...client(app.fetch, 'http://localhost', api_key) };
  };
  const parties = {
    hirer: await operatorOf('hirer'),
    worker: await operatorOf('worker'),
    former: await operatorOf('former'),
    stranger: await operatorOf('stranger'),
    admin: { id: app.service.firstStart.operatorId, ...app.own },
  };
  const to = receiver(() => new Response());
  const webhooks: Record<string, Record<string, unknown>> = {};
  for (const [name, party] of Object.entries(parties)) {
    const url = `http://127.0.0.1:${to.port}/${name}`;
    const more = name === 'admin' ? { all: true } : {};
    webhooks[name] = (await party.post('/api/v1/webhooks', { url, events: EVENTS, ...more })).body;
  }
  const hirer = await creditedAgent(app, { sponsor: parties.former.id });
  await moveTo(app, hirer, parties.hirer.id);
  const credits = { promotional: 1000, paid: 1000 };
  await fundPool(app, parties.hirer.id, credits);
  await grantFrom(app, parties.hirer.id, hirer.agent, credits);
  const worker = await creditedAgent(app, { sponsor: parties.worker.id });
  await app.service.webhooks.dispatcher.idle();
  to.received.length = 0;
  return {
    app,
    parties,
    hirer,
    worker,
    webhooks,
    market: marketOf(app),
    received: to.received,
    /** Does something. @returns what each party was told, by party */
    async telling(act: () => Promise<unknown>): Promise<Record<string, Told[]>> {
      to.received.length = 0;
      await act();
      await app.service.webhooks.dispatcher.idle();
      const told: Record<string, Told[]> = {};
      for (const { path, body } of to.received) {
        const party = path.slice(1);
        told[party] = [...(told[party] ?? []), JSON.parse(body)];
      }
      return told;
    },
    async close(): Promise<void> {
      await app.close();
      await to.stop();
    },
  };
}

export type EventStory = Awaited<ReturnType<typeof openEventStory>>;

/** Gives an agent another sponsor, as an administrator. */
async function moveTo(app: BillingApp, { commitment }: { commitment: string }, operator_id: string) {
  const path = `/api/v1/passport/agents/${commitment}/sponsor`;
  const { status } = await app.own.call('PUT', path, { operator_id });
  if (status !== 200) throw new Error(`the sponsor was not changed: ${status}`);
}

/** Ends a payout as a rail does. */
export async function endPayout(app: BillingApp, withdrawalId: string, how: 'confirm' | 'fail') {
  const { trust } = app.service;
  await trust.store.writeAsService(async (tx) => {
    const queued = await payoutById(tx, withdrawalId);
    if (queued === null) throw new Error(withdrawalId);
    if (how === 'fail') return failPayoutIn(tx, trust, queued, 'the bank refused it');
    const submitted = await submitPayoutIn(tx, trust, queued.payout.payoutSeq, 'manual');
    if (submitted === null) throw new Error(withdrawalId);
    await confirmPayoutIn(tx, trust, submitted, 'transfer 1');
  });
}
