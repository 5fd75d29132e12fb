import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { cycle, paidSession, refunded, subscribed, type TestEvent } from '../../../support/billing-app.ts';
import { disputed, openDisputes, refund, warned } from '../../../support/disputes.ts';
import { sendSettlement, settlementSettings } from '../../../support/settlements.ts';

type Disputes = Awaited<ReturnType<typeof openDisputes>>;
type Row = Record<string, string | number | boolean | null>;

const PATH = '/api/v1/account/payments';

let holds: Disputes;
beforeEach(async () => {
  holds = await openDisputes(settlementSettings);
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

/** Returns the list of the second operator. */
async function list(query = '', by = holds.app.other): Promise<Row[]> {
  const { status, body } = await by.get(`${PATH}?${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.payments as Row[];
}

/** Returns members of the rows of the list, oldest first. */
async function rows(members: readonly string[], query = ''): Promise<unknown[][]> {
  return (await list(query)).reverse().map((row) => members.map((name) => row[name]));
}

/** An event about a charge that succeeded. */
const charged = (intent: string, more: JsonObject = {}): TestEvent => ({
  type: 'charge.succeeded',
  object: {
    id: `ch_${intent}`,
    object: 'charge',
    payment_intent: intent,
    created: 1_700_000_000,
    receipt_url: `https://pay.example/receipts/${intent}`,
    payment_method_details: { type: 'card' },
    ...more,
  },
});

test('Of 10,000 receipts of payments that are not booked, a newer one takes the place of the oldest', async () => {
  await holds.app.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO payment_document (source_id, receipt_url, waiting, received_at)
    SELECT 'pi_' || i, 'https://pay.example/' || i, 1, i FROM n`,
  );
  await holds.send(charged('pi_newer'));
  const waiting = await holds.app.rows<{ id: string }>(
    'SELECT source_id AS id FROM payment_document WHERE waiting = 1 ORDER BY received_at',
  );
  expect([waiting.length, waiting[0]?.id, waiting.at(-1)?.id]).toEqual([10_000, 'pi_2', 'pi_newer']);
});

describe('the list of payments has', () => {
  test('what a card paid, until when it is held, and its receipt, whichever event is first', async () => {
    const session = await holds.app.topUp(1000);
    await holds.send(charged(`pi_${session}`), paidSession(session, 1000));
    const other = await holds.pay(2500);
    await holds.send(charged(other));
    expect(await rows(['kind', 'status', 'amount', 'credits', 'receipt_url', 'charge_id'])).toEqual(
      [`pi_${session}`, other].map((intent, at) => [
        'topup',
        'paid',
        [1000, 2500][at],
        [1000, 2500][at],
        `https://pay.example/receipts/${intent}`,
        `ch_${intent}`,
      ]),
    );
    const [{ held_until: until = null } = {}] = await list();
    expect(Date.parse(String(until)) - holds.time.now()).toBe(7 * DAY_MS);
    holds.time.advance(7 * DAY_MS);
    expect(await rows(['held_until'])).toEqual([[null], [null]]);
  });

  test('refunds and what of them is owed, and a refund that failed', async () => {
    const intent = await holds.dispersed(7);
    await holds.send(refund(intent, 'created', { amount: 300 }), refunded(intent, 300));
    holds.time.advance(1000);
    await holds.send(refund(intent, 'created', { id: 're_2', amount: 700 }), refunded(intent, 1000));
    holds.time.advance(1000);
    await holds.send(refund(intent, 'failed', { id: 're_2', amount: 700 }));
    const found = await rows(['kind', 'status', 'amount', 'credits']);
    expect(found).toEqual([
      ['topup', 'partly_refunded', 1000, 1000],
      ['refund', 'made', -300, -300],
      ['debt', 'owed', null, 400],
      ['refund', 'made', -700, -700],
      ['debt_payment', 'paid', null, 400],
      ['refund', 'reversed', 700, 700],
    ]);
  });

  test('the charge of a refund, by which the journal of the pool names what it took', async () => {
    const [refundedOnly, disputedOnly] = [await holds.pay(1000), await holds.pay(1000)];
    await holds.send(refunded(refundedOnly, 300));
    holds.time.advance(1000);
    await holds.send(disputed(disputedOnly, 'funds_withdrawn', { amount: 400 }));
    const charges = [...(await list('kind=refund')), ...(await list('kind=chargeback'))];
    const { body } = await holds.app.other.get('/api/v1/operator/journal?kind=ADJUSTMENT&limit=2');
    const taken = body.entries as { reference: string; amount: number; direction: string }[];
    expect(
      taken.toReversed().map(({ direction, reference, amount }) => [direction, reference, amount]),
    ).toEqual(charges.map(({ charge_id, credits }) => ['debit', String(charge_id), -Number(credits)]));
  });

  test('disputes with their state and hold, and what a lost one took', async () => {
    const intent = await holds.pay(1000);
    await holds.send(warned(intent), disputed(intent, 'created', { amount: 400 }));
    expect(await rows(['kind', 'status', 'amount'])).toEqual([
      ['topup', 'paid', 1000],
      ['warning', 'open', 1000],
      ['dispute', 'open', 400],
    ]);
    const [{ held_until: until = null } = {}] = await list('kind=dispute');
    expect(Date.parse(String(until)) - holds.time.now()).toBe(30 * DAY_MS);
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'funds_withdrawn', { amount: 400 }));
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'closed', { amount: 400, status: 'lost' }));
    await holds.send(refund(intent, 'created', { amount: 100 }), refunded(intent, 100));
    expect(await rows(['kind', 'status', 'amount', 'held_until'], 'status=made')).toEqual([
      ['chargeback', 'made', -400, null],
      ['refund', 'made', -100, null],
    ]);
    expect(await rows(['status'], 'kind=dispute')).toEqual([['lost']]);
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'funds_reinstated', { amount: 400, status: 'won' }));
    expect(await rows(['amount'], 'kind=chargeback')).toEqual([[-400], [400]]);
    expect(await rows(['status', 'held_until'], 'kind=dispute')).toEqual([['released', null]]);
    // The decision about the dispute is one about the warning before it.
    expect(await rows(['status', 'held_until'], 'kind=warning')).toEqual([['open', null]]);
  });

  test('what was reported before its payment', async () => {
    const session = await holds.app.topUp(1000);
    const intent = `pi_${session}`;
    await holds.send(disputed(intent, 'created'), refunded(intent, 200), paidSession(session, 1000));
    expect((await rows(['kind', 'amount'])).sort()).toEqual([
      ['dispute', 1000],
      ['refund', -200],
      ['topup', 1000],
    ]);
  });

  test('a stake, settlements for own agents, and nothing of others', async () => {
    const { app, payer, stranger } = holds;
    const session = await app.topUp(500, 'stake');
    await holds.send(paidSession(session, 500));
    for (const [agent, reference] of [
      [payer, 'mine'],
      [stranger, 'theirs'],
    ] as const) {
      const body = { rail: 'x402', reference, subject_commitment: agent.commitment, credits: 7 };
      expect((await sendSettlement(app, body, { now: holds.time.now() })).status).toBe(201);
    }
    expect(await rows(['kind', 'credits', 'stake_cents', 'reference', 'subject_commitment'])).toEqual([
      ['topup', 0, 500, session, null],
      ['settlement', 7, 0, 'x402:mine', payer.commitment],
    ]);
    expect((await list('', app.own)).map(({ reference }) => reference)).toEqual(['x402:theirs']);
  });

  test('months of a subscription with their invoices, only by https', async () => {
    const order = await holds.app.subscribe();
    await holds.send(
      {
        type: 'invoice.payment_succeeded',
        object: {
          id: `in_${order.sessionId}_0`,
          billing_reason: 'subscription_create',
          hosted_invoice_url: 'https://pay.example/i/1',
          invoice_pdf: 'https://pay.example/i/1.pdf',
        },
      },
      subscribed(order),
      cycle(order, 1, { hosted_invoice_url: 'javascript:alert(1)', invoice_pdf: 'http://pay.example/x' }),
      cycle(order, 2, {
        hosted_invoice_url: `https://pay.example/${'x'.repeat(3000)}`,
        invoice_pdf: 'https://a@b.example/',
      }),
    );
    const { body } = await holds.app.claim(order.sessionId, order.claimToken);
    const response = await holds.app.fetch(
      new Request(`http://localhost${PATH}`, { headers: { authorization: `Bearer ${body.api_key}` } }),
    );
    const { payments } = (await response.json()) as { payments: Row[] };
    expect(
      payments.map((row) => [row.kind, row.promotional_credits, row.invoice_url, row.invoice_pdf]),
    ).toEqual([
      ['subscription', 5100, null, null],
      ['subscription', 5100, null, null],
      ['subscription', 5100, 'https://pay.example/i/1', 'https://pay.example/i/1.pdf'],
    ]);
  });
});

describe('pages and filters of the list', () => {
  test('follow each other without gaps while rows are added', async () => {
    const intents: string[] = [];
    for (const cents of [100, 200, 300, 400, 500]) intents.push(await holds.pay(cents));
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await holds.app.other.get(
        `${PATH}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...(body.payments as Row[]).map(({ amount }) => amount));
      await holds.pay(900);
      if (body.next_cursor === null) break;
      cursor = String(body.next_cursor);
    }
    expect(seen).toEqual([500, 400, 300, 200, 100]);
  });

  test('select by kind, status and time', async () => {
    const intent = await holds.pay(100);
    holds.time.advance(DAY_MS);
    const from = new Date(holds.time.now()).toISOString();
    await holds.send(refunded(intent, 100));
    await holds.pay(200);
    const amounts = async (query: string) => (await list(query)).map(({ amount }) => amount);
    expect(await amounts('kind=topup')).toEqual([200, 100]);
    expect(await amounts('kind=topup&status=paid')).toEqual([200]);
    expect(await amounts('status=refunded')).toEqual([100]);
    expect(await amounts('kind=debt&status=paid')).toEqual([]);
    expect(await amounts(`from=${from}`)).toEqual([200, -100]);
    expect(await amounts(`to=${from}`)).toEqual([100]);
    expect(await amounts(`from=${from}&kind=topup`)).toEqual([200]);
  });

  test.each(['kind=gold', 'status=won', 'from=yesterday', 'cursor=x', 'limit=0'])(
    'refuse %s',
    async (query) => {
      expect((await holds.app.other.get(`${PATH}?${query}`)).status).toBe(400);
    },
  );

  test('refuse the cursor of other filters, and of another operator', async () => {
    for (const cents of [100, 200]) await holds.pay(cents);
    const { body } = await holds.app.other.get(`${PATH}?limit=1`);
    const cursor = String(body.next_cursor);
    expect((await holds.app.other.get(`${PATH}?cursor=${cursor}&kind=topup`)).status).toBe(400);
    expect((await holds.app.own.get(`${PATH}?cursor=${cursor}`)).status).toBe(400);
  });

  test('are refused to strangers, and open to a suspended operator', async () => {
    const intent = await holds.dispersed(7);
    await holds.send(refunded(intent, 1000));
    expect(await holds.state()).toMatchObject({ status: 'SUSPENDED' });
    expect((await list('kind=debt')).length).toBe(1);
    expect((await holds.app.anyone.get(PATH)).status).toBe(401);
  });
});

describe('the list as CSV', () => {
  const csv = async (query = '') => {
    const response = await holds.app.fetch(
      new Request(`http://localhost${PATH}?${query}`, {
        headers: { authorization: `Bearer ${holds.app.otherKey}`, accept: 'text/csv' },
      }),
    );
    return { response, lines: (await response.text()).split('\r\n') };
  };

  test('has a header, all entries, and a link to the next page of a limit', async () => {
    for (let cents = 1; cents <= 120; cents++) await holds.pay(100);
    const { response, lines } = await csv();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect([lines[0]?.slice(0, 30), lines.length, response.headers.get('link')]).toEqual([
      'created_at,kind,status,amount,',
      122,
      null,
    ]);
    const page = await csv('limit=100&kind=topup');
    const next = /^<\?(.*)>; rel="next"$/.exec(page.response.headers.get('link') ?? '')?.[1];
    expect([page.lines.length, (await csv(next)).lines.length]).toEqual([102, 22]);
  });

  test('has an apostrophe where a spreadsheet would compute', async () => {
    const session = await holds.app.topUp(100);
    await holds.send(paidSession(session, 100, { payment_intent: '=1+1,"x"' }));
    expect((await csv()).lines[1]).toContain(`,"'=1+1,""x""",`);
  });
});

test.each([
  'DELETE FROM payment_entry',
  'INSERT INTO payment_entry SELECT 9, operator_seq, kind, status, created_at, payment_seq, settlement_seq, report_id, transaction_id, cents, cents_after FROM payment_entry',
])('fsck finds a settlement that is not in the list once: %s', async (damage) => {
  const app = await openDisputes(settlementSettings);
  const body = { rail: 'x402', reference: 'one', subject_commitment: app.payer.commitment, credits: 7 };
  await sendSettlement(app.app, body, { now: app.time.now() });
  await app.app.run('DROP TRIGGER payment_entry_stays');
  await app.app.run(damage);
  expect(JSON.stringify(await app.closed())).toContain('it is not in the list of payments once');
});
