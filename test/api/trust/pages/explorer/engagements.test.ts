import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DELIVERABLE, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { BROWSER, openPage, wordsOf } from '../../../../support/explorer.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.app.close());

const open = (task: string) => openPage(market.app, `/engagements/${encodeURIComponent(task)}`);

describe('the page of an engagement, for everybody', () => {
  test('shows its state, credits, deliverable, evidence and receipt, but neither its parties nor its work', async () => {
    const { app, hirer, worker } = market;
    const task = await market.hire(hirer, worker, { description: 'A secret plan', amount: 25 });
    const held = await open(task);
    expect(wordsOf(held)).toContain('Held');
    await market.deliver(worker, task);
    await app.own.post(`${ENGAGEMENTS}/${task}/accept`);
    await app.service.trust.log.publisher.publish();
    const paid = await open(task);
    const words = wordsOf(paid);
    for (const part of ['Paid', '25', DELIVERABLE, 'the holder of the service token'])
      expect(words).toContain(part);
    expect(paid.links).toContain('/logs/evidence?index=0');
    expect(paid.links.some((link) => /^\/receipts\/rcpt_[0-9a-f]{32}$/.test(link))).toBe(true);
    for (const page of [held, paid]) {
      for (const secret of [hirer.commitment, worker.commitment, 'A secret plan'])
        expect(page.text).not.toContain(secret);
    }
  });

  test.each([
    [
      'DISPUTED',
      'The hirer does not agree',
      async (task: string) => {
        await market.deliver(market.worker, task);
        const { status } = await market.app.own.post(`${ENGAGEMENTS}/${task}/dispute`, {
          reason: 'between us',
        });
        expect(status).toBe(200);
      },
    ],
    [
      'DECLINED',
      'The worker declined',
      async (task: string) => {
        const { status } = await market.app.other.post(`${ENGAGEMENTS}/${task}/decline`);
        expect(status).toBe(200);
      },
    ],
    [
      'CANCELLED',
      'the credits are back',
      async (task: string) => {
        await market.app.own.post(`${ENGAGEMENTS}/${task}/cancel`);
      },
    ],
  ])('says what %s means', async (_, says, act) => {
    const task = await market.hire(market.hirer, market.worker);
    await act(task);
    const words = wordsOf(await open(task));
    expect(words).toContain(says);
    expect(words).not.toContain('between us');
  });

  test('has task_ids of strangers as text, also in the command', async () => {
    const task = await market.hire(market.hirer, market.worker, { task_id: `"><b>'; rm -rf ~/` });
    const page = await open(task);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<b>&apos;');
    expect(page.text).toContain("/api/v1/acp/task/%22%3E%3Cb%3E%27%3B%20rm%20-rf%20~%2F'");
  });

  test('is not found for an unknown task', async () => {
    expect((await open('no-such-task')).status).toBe(404);
  });

  test('is where a browser gets from the task of ACP', async () => {
    const task = await market.hire(market.hirer, market.worker);
    const url = `http://localhost/api/v1/acp/task/${task}`;
    const response = await market.app.fetch(new Request(url, { headers: { accept: BROWSER } }));
    expect([response.status, response.headers.get('location')]).toEqual([303, `/engagements/${task}`]);
  });
});
