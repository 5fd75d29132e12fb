import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Visitor } from '../../../../../support/account.ts';
import { type Market, openMarket } from '../../../../../support/engagements.ts';

const PATH = '/account/engagements';

let market: Market;
/** The sponsor of the hirer, with an admin key, and the sponsor of the worker. */
let hirerSide: Visitor;
let workerSide: Visitor;

beforeAll(async () => {
  market = await openMarket();
  hirerSide = await visitor(market.app.apiKey);
  workerSide = await visitor(market.app.otherKey);
});
afterAll(() => market.app.close());

async function visitor(key: string): Promise<Visitor> {
  const person = new Visitor(market.app.fetch);
  expect((await person.logIn(key)).status).toBe(200);
  return person;
}

const STATES = {
  HELD: async (task: string) => task,
  DELIVERED: async (task: string) => {
    await market.deliver(market.worker, task);
    return task;
  },
  DISPUTED: async (task: string) => {
    await STATES.DELIVERED(task);
    await market.app.own.post(`/api/v1/passport/engagements/${task}/dispute`, { reason: 'Late <b>&' });
    return task;
  },
  PAID: async (task: string) => {
    await STATES.DELIVERED(task);
    await market.app.own.post(`/api/v1/passport/engagements/${task}/accept`);
    return task;
  },
};

/** Returns a hire of 10 credits in a state. */
const hireIn = async (state: keyof typeof STATES): Promise<string> =>
  STATES[state](await market.hire(market.hirer, market.worker, { description: 'Print 20 posters' }));

/** Returns the moves that a page has forms for. */
const formsOf = (text: string) =>
  [...text.matchAll(/action="\/account\/engagements\/[^"]*\/(\w+)"/g)].map(([, move]) => move);

describe('the page of a hire', () => {
  test.each([
    ['HELD', ['cancel'], ['decline']],
    ['DELIVERED', ['accept', 'dispute'], ['refund']],
    ['DISPUTED', ['accept', 'resolve'], ['refund']],
    ['PAID', [], []],
  ] as const)('has the moves of each side while it is %s', async (state, ofHirer, ofWorker) => {
    const task = await hireIn(state);
    const shown = await hirerSide.get(`${PATH}/${task}`);
    expect([shown.status, formsOf(shown.text)]).toEqual([200, [...ofHirer]]);
    expect(formsOf((await workerSide.get(`${PATH}/${task}`)).text)).toEqual([...ofWorker]);
  });

  test('shows terms, parties, history and who ended it, with texts of strangers as text', async () => {
    const { text } = await hirerSide.get(`${PATH}/${await hireIn('DISPUTED')}`);
    for (const words of [
      'Print 20 posters',
      '10 credits locked',
      'by evidence that the service token sent',
      'Late &lt;b&gt;&amp;',
      'Ends without a decision at',
    ])
      expect(text).toContain(words);
    const { text: paid } = await workerSide.get(`${PATH}/${await hireIn('PAID')}`);
    expect(paid).toContain('<strong>Paid</strong> by the hirer');
    expect(paid).toMatch(/href="\/receipts\/rcpt_[0-9a-f]{32}"/);
    const { text: held } = await workerSide.get(`${PATH}/${await hireIn('HELD')}`);
    expect(held).toContain('without a deadline');
    expect(held).toContain('countersign engagements deliver');
  });

  test('shows the consent of an arbiter, a deadline, and that a hire stands still', async () => {
    const { app, hirer, worker, hire, deliverSigned, freeze, independentAgent, read } = market;
    const deadline = new Date(Date.now() + 86_400_000).toISOString();
    const held = await hire(hirer, worker, { deadline });
    expect((await hirerSide.get(`${PATH}/${held}`)).text).toContain('Expires if it is not delivered before');
    const task = await hire(hirer, worker);
    const arbiter = await independentAgent();
    await deliverSigned(worker, task, { arbiter_commitment: arbiter.commitment });
    const { terms_digest } = await read(task);
    const payload = { type: 'arbiter-consent', task_id: task, terms_digest: String(terms_digest) };
    const path = `/api/v1/passport/engagements/${task}/arbiter-consent`;
    await app.anyone.post(path, { payload, signature: arbiter.sign(payload) });
    const { text } = await workerSide.get(`${PATH}/${task}`);
    expect(text).toContain('The arbiter consented to decide');
    expect(text).toContain('own signed delivery');
    await freeze(hirer);
    expect((await hirerSide.get(`${PATH}/${task}`)).text).toContain('Stands still since');
    await freeze(hirer, false);
  });

  test('names the receipt of what the worker got, and that of the rest, which returned', async () => {
    const task = await hireIn('DISPUTED');
    await hirerSide.get(`${PATH}/${task}`);
    await hirerSide.send(`${PATH}/${task}/resolve`, { worker_amount: '4', note: 'Four of ten.' });
    const { receipt_id, resolution } = await market.read(task);
    const rest = String(Object(resolution).return_receipt_id);
    expect([receipt_id === rest, rest]).toEqual([false, expect.stringMatching(/^rcpt_/)]);
    const { text } = await hirerSide.get(`${PATH}/${task}`);
    expect(text).toContain(`/receipts/${receipt_id}`);
    expect(text).toContain(`/receipts/${rest}`);
    expect(text).toContain('Receipt of the rest');
  });

  test('finds a hire by any task_id, and the shell gets it as one word', async () => {
    const task = await market.hire(market.hirer, market.worker, { task_id: "a/b ?#%'; rm -rf" });
    const { status, text } = await workerSide.get(`${PATH}/${encodeURIComponent(task)}`);
    expect([status, formsOf(text).length]).toEqual([200, 1]);
    expect(text).toContain('&apos;a/b ?#%&apos;\\&apos;&apos;; rm -rf&apos;');
    const done = await workerSide.send(`${PATH}/${encodeURIComponent(task)}/decline`);
    expect([done.status, done.location]).toEqual([303, `${PATH}/${encodeURIComponent(task)}?done`]);
    expect((await workerSide.get(done.location ?? '')).text).toContain('The hire is declined now.');
  });

  test('is not found for strangers, and unknown tasks', async () => {
    const task = await market.hire(market.hirer, await market.independentAgent());
    expect((await workerSide.get(`${PATH}/${task}`)).status).toBe(404);
    expect((await workerSide.get(`${PATH}/no-such-task`)).status).toBe(404);
    expect((await workerSide.send(`${PATH}/${task}/decline`)).status).toBe(404);
    expect((await market.read(task)).status).toBe('HELD');
  });
});

describe('a form of the page of a hire', () => {
  test('to dispute refuses the arbiter that the worker named, where there is one', async () => {
    const { hirer, worker, hire, deliverSigned, independentAgent } = market;
    const box = 'name="refuse_arbiter"';
    expect((await hirerSide.get(`${PATH}/${await hireIn('DELIVERED')}`)).text).not.toContain(box);
    const task = await hire(hirer, worker);
    const { commitment } = await independentAgent();
    expect((await deliverSigned(worker, task, { arbiter_commitment: commitment })).status).toBe(200);
    expect((await hirerSide.get(`${PATH}/${task}`)).text).toContain(box);
    await hirerSide.send(`${PATH}/${task}/dispute`, { reason: 'Late.', refuse_arbiter: 'true' });
    expect((await market.read(task)).dispute).toMatchObject({ reason: 'Late.', arbiter_refused: true });
  });

  test.each([
    ['HELD', 'cancel', 'hirer', {}, 'CANCELLED', 'hirer'],
    ['HELD', 'decline', 'worker', {}, 'DECLINED', 'worker'],
    ['DELIVERED', 'accept', 'hirer', {}, 'PAID', 'hirer'],
    ['DELIVERED', 'dispute', 'hirer', { reason: ' Too late.\r\nReally. ' }, 'DISPUTED', null],
    ['DELIVERED', 'refund', 'worker', {}, 'CANCELLED', 'worker'],
    ['DISPUTED', 'accept', 'hirer', {}, 'PAID', 'hirer'],
    ['DISPUTED', 'refund', 'worker', {}, 'CANCELLED', 'worker'],
    [
      'DISPUTED',
      'resolve',
      'hirer',
      { worker_amount: '4', note: 'Four of ten.' },
      'RESOLVED',
      'administrator',
    ],
  ] as const)('makes the move of %s: %s by the %s', async (state, move, side, fields, status, endedBy) => {
    const task = await hireIn(state);
    const person = side === 'hirer' ? hirerSide : workerSide;
    await person.get(`${PATH}/${task}`);
    const { status: sent, location } = await person.send(`${PATH}/${task}/${move}`, fields);
    expect([sent, location]).toEqual([303, `${PATH}/${task}?done`]);
    expect(await market.read(task)).toMatchObject({ status, ended_by: endedBy });
    if (move === 'dispute')
      expect(await market.read(task)).toMatchObject({ dispute: { reason: 'Too late.\nReally.' } });
    // Sent twice, it is refused and changes nothing.
    const again = await person.send(`${PATH}/${task}/${move}`, fields);
    expect(again.status).toBe(409);
    expect(await market.read(task)).toMatchObject({ status });
  });

  test.each([
    ['the side that may not', 'DELIVERED', 'accept', () => workerSide, {}, 403],
    ['a dispute without a reason', 'DELIVERED', 'dispute', () => hirerSide, { reason: ' ' }, 400],
    ['more than the amount', 'DISPUTED', 'resolve', () => hirerSide, { worker_amount: '11', note: 'x' }, 400],
    ['no whole number', 'DISPUTED', 'resolve', () => hirerSide, { worker_amount: '-1', note: 'x' }, 400],
    [
      'a decision by a party',
      'DISPUTED',
      'resolve',
      () => workerSide,
      { worker_amount: '1', note: 'x' },
      403,
    ],
    ['an unknown move', 'HELD', 'pay', () => hirerSide, {}, 400],
    ['an unknown field', 'HELD', 'cancel', () => hirerSide, { force: 'yes' }, 400],
  ] as const)('refuses %s, and changes nothing', async (_, state, move, by, fields, expected) => {
    const task = await hireIn(state);
    await by().get(`${PATH}/${task}`);
    const { status } = await by().send(`${PATH}/${task}/${move}`, fields);
    expect(status).toBe(expected);
    expect((await market.read(task)).status).toBe(state);
  });

  test('keeps what was entered in a form that was refused', async () => {
    const task = await hireIn('DISPUTED');
    await hirerSide.get(`${PATH}/${task}`);
    const { text } = await hirerSide.send(`${PATH}/${task}/resolve`, {
      worker_amount: '11',
      note: 'Most of it',
    });
    expect(text).toContain('must be at most 10');
    expect(text).toContain('value="Most of it"');
    expect(text).toContain('<details class="add" open>');
  });

  test('needs the token of the session, and GET makes no move', async () => {
    const task = await hireIn('HELD');
    await hirerSide.get(`${PATH}/${task}`);
    expect((await hirerSide.post(`${PATH}/${task}/cancel`)).status).toBe(403);
    const seen = await hirerSide.get(`${PATH}/${task}/cancel`);
    expect([seen.status, seen.location]).toEqual([303, `${PATH}/${task}`]);
    expect((await market.read(task)).status).toBe('HELD');
  });
});
