import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { BROWSER, openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const time = new VirtualTime(Date.parse('2026-10-30T12:00:00Z'));
let app: TrustApp;
let payer: CreditedAgent;
let worker: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  payer = await creditedAgent(app, { credits: { promotional: 1000, sandbox: 5 } });
  worker = await creditedAgent(app);
  for (let amount = 1; amount <= 25; amount++) {
    const [from_commitment, to_commitment] = [payer.commitment, worker.commitment];
    const body = { from_commitment, to_commitment, amount, memo: 'a secret' };
    expect((await app.own.post('/api/v1/passport/credits/transfers', body)).status).toBe(201);
  }
  time.advance(Date.parse('2026-12-02T00:00:00Z') - time.now());
});
afterAll(() => app.close());

const pathOf = ({ commitment }: CreditedAgent) => `/agents/${commitment}/journal`;

test('the journal of an agent is shown as strangers see it, newest first, with its totals', async () => {
  expect((await openPage(app, `/agents/${payer.commitment}`)).links).toContain(pathOf(payer));
  const page = await openPage(app, pathOf(payer));
  const words = wordsOf(page);
  const { body } = await app.anyone.get(
    `/api/v1/passport/agents/${payer.commitment}/credit-journal?limit=20`,
  );
  expect(page.text.match(/>Task payment /g)?.length).toBe(20);
  const first = Object(Array.isArray(body.entries) ? body.entries[0] : null);
  for (const part of [
    `Entries 27 Newest entry ${body.head}`,
    'Promotional 1,000 0 325 0 675',
    'Sandbox 5 0 0 0 5',
    `Task payment promotional ${first.counterparty}`,
    '2026-10-30 12:00:00 −25 675',
  ])
    expect([part, words.includes(part)]).toEqual([part, true]);
  for (const secret of [worker.commitment, 'a secret'])
    expect([secret, page.text.includes(secret)]).toEqual([secret, false]);
});

test('a key shows no more on the page', async () => {
  const { text } = await openPage(app, pathOf(payer));
  const authorized = await openPage(app, pathOf(payer), { authorization: `Bearer ${app.apiKey}` });
  expect(authorized.text === text).toBe(true);
});

test('older entries follow, and lead back to the newest', async () => {
  const page = await openPage(app, pathOf(payer));
  const older = page.links.find((link) => link.includes('?cursor=')) ?? '';
  const second = await openPage(app, older.replace('#entries', ''));
  expect([second.text.match(/>Task payment /g)?.length, second.links.includes(pathOf(payer))]).toEqual([
    5,
    true,
  ]);
  expect(second.links.some((link) => link.includes('?cursor='))).toBe(false);
  // A cursor of another journal.
  const other = await openPage(
    app,
    older.replace(payer.commitment, worker.commitment).replace('#entries', ''),
  );
  expect(other.status).toBe(400);
});

test('each month since the enrolment has a statement, which is a page too', async () => {
  const page = await openPage(app, pathOf(worker));
  const months = page.links.filter((link) => link.includes('/statements/'));
  expect(months.map((link) => link.slice(-7))).toEqual(['2026-12', '2026-11', '2026-10']);
  for (const link of months) {
    const request = new Request(`http://localhost${link}`, { headers: { accept: BROWSER } });
    const response = await app.fetch(request);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    await response.text();
  }
});

test('an agent without credits has an empty journal; one that never enrolled has none', async () => {
  const fresh = await creditedAgent(app, { sponsor: null });
  const words = wordsOf(await openPage(app, pathOf(fresh)));
  expect(words.includes('The agent never had credits.')).toBe(true);
  for (const hash of ['0'.repeat(64), 'x'])
    expect((await openPage(app, `/agents/${hash}/journal`)).status).toBe(404);
  expect((await openPage(app, `${pathOf(payer)}?cursor=x`)).status).toBe(400);
});
