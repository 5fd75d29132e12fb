import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../../../src/trust/operators/create-operator.ts';
import { Visitor } from '../../../../../support/account.ts';
import { enrolledAgent } from '../../../../../support/agent.ts';
import { Negotiation } from '../../../../../support/agora.ts';
import { client } from '../../../../../support/client.ts';
import { creditedAgent } from '../../../../../support/credits.ts';
import { type Market, openMarket } from '../../../../../support/engagements.ts';

const PATH = '/account/engagements';
const STRANGE = '<b>"bold" & strange';

let market: Market;
let person: Visitor;
let other: Visitor;
/** The tasks by what happened to them, the oldest first. */
let tasks: Record<'held' | 'delivered' | 'disputed' | 'paid' | 'cancelled' | 'strange', string>;

beforeAll(async () => {
  market = await openMarket();
  const { app, hirer, worker, hire, deliver } = market;
  tasks = {
    held: await hire(hirer, worker),
    delivered: await hire(hirer, worker),
    disputed: await hire(hirer, worker),
    paid: await hire(hirer, worker, { amount: 25 }),
    cancelled: await hire(hirer, worker),
    strange: await hire(hirer, worker, { task_id: STRANGE }),
  };
  await deliver(worker, tasks.delivered);
  await deliver(worker, tasks.disputed);
  await app.own.post(`/api/v1/passport/engagements/${tasks.disputed}/dispute`, {
    reason: 'Half is missing.',
  });
  await deliver(worker, tasks.paid);
  await app.own.post(`/api/v1/passport/engagements/${tasks.paid}/accept`);
  await app.own.post(`/api/v1/passport/engagements/${tasks.cancelled}/cancel`);
  person = await visitor(app.apiKey);
  other = await visitor(app.otherKey);
});
afterAll(() => market.app.close());

async function visitor(key: string): Promise<Visitor> {
  const person = new Visitor(market.app.fetch);
  expect((await person.logIn(key)).status).toBe(200);
  return person;
}

/** Returns the cells of each row of the first table of a page, as text. */
const rowsOf = (text: string): string[][] =>
  [...(/<tbody>([\s\S]*?)<\/tbody>/.exec(text)?.[1] ?? '').matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(
    ([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
        cell
          .replace(/<[^>]*>/g, ' ')
          .replace(/[\u2066-\u2069]/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
  );

/** The word of a state, without what follows it. */
const stateOf = (cell = '') => cell.split(' ')[0];

const short = (commitment: string) => `${commitment.slice(0, 12)}…`;

describe('the page of hires', () => {
  test.each([
    ['the hirer', () => person, 'hirer', () => market.worker.commitment],
    ['the worker', () => other, 'worker', () => market.hirer.commitment],
  ])('shows the sponsor of %s all hires, newest first, with their status', async (_, by, side, against) => {
    const { status, text } = await by().get(PATH);
    expect(status).toBe(200);
    const rows = rowsOf(text);
    expect(rows.map(([, state, own, party, , credits]) => [stateOf(state), own, party, credits])).toEqual([
      ['Held', side, short(against()), '10'],
      ['Cancelled', side, short(against()), '10'],
      ['Paid', side, short(against()), '25'],
      ['Disputed', side, short(against()), '10'],
      ['Delivered', side, short(against()), '10'],
      ['Held', side, short(against()), '10'],
    ]);
    expect(text).toContain(`href="/agents/${against()}"`);
    expect(text).toContain(`href="${PATH}/${tasks.paid}"`);
    expect(text).toContain(`href="${PATH}/${encodeURIComponent(STRANGE)}"`);
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('\u202e');
  });

  test.each([
    ['open', ['Held', 'Disputed', 'Delivered', 'Held']],
    ['ended', ['Cancelled', 'Paid']],
    ['disputed', ['Disputed']],
  ])('shows only hires that are %s', async (show, states) => {
    const { text } = await person.get(`${PATH}?show=${show}`);
    expect(rowsOf(text).map(([, state]) => stateOf(state))).toEqual(states);
  });

  test('shows all hires of one agent in pages, and its newest proposals', async () => {
    const { app, hirer, worker, hire } = market;
    const agent = { ...hirer, ...(await enrolledAgent(app)) };
    await app.own.post('/api/v1/passport/credits/grants', {
      subject_commitment: agent.commitment,
      amount: 500,
    });
    for (let count = 0; count < 22; count++) await hire(agent, worker, { amount: count + 1 });
    const deal = new Negotiation(app, agent, worker);
    await deal.propose();
    const { text } = await person.get(`${PATH}?agent=${agent.commitment}`);
    const amounts = (page: string) => rowsOf(page).map((row) => Number(row[5]));
    expect(amounts(text)).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
    expect(text).toContain(`href="/agreements/${deal.proposalId}"`);
    const older = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(amounts((await person.get(older)).text)).toEqual([2, 1]);
  });

  test('is one list over all agents of the operator, in pages', async () => {
    const { app, worker } = market;
    const { operator_id, api_key } = await createOperator(app.service.trust, { name: 'many', admin: false });
    const key = client(app.fetch, 'http://localhost', api_key);
    for (let count = 0; count < 23; count++) {
      const agent = await creditedAgent(app, { sponsor: operator_id, credits: { promotional: 50 } });
      const terms = { hirer_commitment: agent.commitment, worker_commitment: worker.commitment };
      const { status } = await key.post('/api/v1/passport/engagements', { ...terms, amount: count + 1 });
      expect(status).toBe(201);
    }
    const many = await visitor(api_key);
    const { text } = await many.get(`${PATH}?show=open`);
    const amounts = (page: string) => rowsOf(page).map((row) => Number(row[5]));
    expect(amounts(text)).toEqual(Array.from({ length: 20 }, (_, index) => 23 - index));
    const older = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(amounts((await many.get(older)).text)).toEqual([3, 2, 1]);
    // The cursor is of this list only.
    expect((await many.get(older.replace('show=open', 'show=ended'))).status).toBe(400);
    expect((await person.get(older)).status).toBe(400);
  });

  test('is empty for an operator without agents, and for an agent without hires', async () => {
    const { app } = market;
    const { api_key } = await createOperator(app.service.trust, { name: 'new', admin: false });
    expect((await (await visitor(api_key)).get(PATH)).text).toContain('No hires yet.');
    const lone = await enrolledAgent(app);
    const { text } = await person.get(`${PATH}?agent=${lone.commitment}`);
    expect(text).toContain('No hires yet.');
    expect(text).toContain('No proposals yet.');
  });

  test.each([
    ["another operator's agent", () => market.worker.commitment, 403],
    ['an agent that never enrolled', () => '0'.repeat(64), 404],
    ['no commitment', () => 'agent-7', 400],
  ])('refuses %s', async (_, agent, expected) => {
    expect((await person.get(`${PATH}?agent=${agent()}`)).status).toBe(expected);
  });

  test('has the newest hires of all agents, however many there are', async () => {
    const { app, hire } = market;
    const firm = await createOperator(app.service.trust, { name: 'many', admin: false });
    const sponsor = firm.operator_id;
    const first = await creditedAgent(app, { sponsor, credits: { promotional: 30 } });
    // More than are looked at at once.
    for (let made = 0; made < 110; made++) await enrolledAgent(app, { sponsor });
    const last = await creditedAgent(app, { sponsor, credits: { promotional: 30 } });
    const key = client(app.fetch, 'http://localhost', firm.api_key);
    const parties = [
      [first, market.worker],
      [last, market.worker],
      [market.hirer, first],
      [last, first],
    ] as const;
    for (const [hirer, worker] of parties) {
      if (hirer === market.hirer) await hire(hirer, worker);
      else
        await key.post('/api/v1/passport/engagements', {
          ...{ hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 5 },
        });
    }
    const rows = rowsOf((await (await visitor(firm.api_key)).get(PATH)).text);
    expect(rows.map(([, , own, party]) => [own, party])).toEqual([
      ['both', short(first.commitment)],
      ['worker', short(market.hirer.commitment)],
      ['hirer', short(market.worker.commitment)],
      ['hirer', short(market.worker.commitment)],
    ]);
  });

  test('refuses an unknown parameter and a cursor of another list, and asks strangers to log in', async () => {
    expect((await person.get(`${PATH}?status=HELD`)).status).toBe(400);
    expect((await person.get(`${PATH}?show=paid`)).status).toBe(400);
    expect((await person.get(`${PATH}?agents=abc`)).status).toBe(400);
    const stranger = await new Visitor(market.app.fetch).get(PATH);
    expect(stranger.text).toContain('name="api_key"');
    expect(rowsOf(stranger.text)).toEqual([]);
  });
});
