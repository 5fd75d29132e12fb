import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { paidSession, refunded } from '../../../support/billing-app.ts';
import { disputed, openDisputes } from '../../../support/disputes.ts';
import { localAdministrator } from '../../../support/local-administrator.ts';

let holds: Awaited<ReturnType<typeof openDisputes>>;
let call: Awaited<ReturnType<typeof localAdministrator>>;
beforeEach(async () => {
  holds = await openDisputes();
  call = await localAdministrator(holds.app);
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

type Row = Record<string, unknown>;

/** Returns members of the rows of a list, in all pages of two. */
async function listed(
  members: readonly string[],
  values: Record<string, unknown> = {},
): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: unknown; cursor !== null; ) {
    const page = await call('listAllPayments', {
      ...values,
      limit: '2',
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...(page.payments as Row[]).map((row) => members.map((name) => row[name])));
    cursor = page.next_cursor;
  }
  return found;
}

describe('the administrator lists', () => {
  test('the payments of all, with what was not booked and why, newest first', async () => {
    const { app } = holds;
    const session = await app.topUp(100);
    await holds.send(
      paidSession(session, 100),
      paidSession('cs_foreign_1', 5000, { currency: 'eur' }),
      paidSession('cs_foreign_2', 700),
    );
    holds.time.advance(1000);
    const mine = await app.topUp(300, 'credits', app.apiKey);
    await holds.send(paidSession(mine, 300), paidSession('cs_foreign_3', 900));
    expect(await listed(['kind', 'status', 'amount', 'currency', 'reference'])).toEqual([
      ['topup', 'paid', 300, 'usd', mine],
      ['unbooked', 'unknown_order', 900, 'usd', 'cs_foreign_3'],
      ['topup', 'paid', 100, 'usd', session],
      ['unbooked', 'unknown_order', 700, 'usd', 'cs_foreign_2'],
      ['unbooked', 'currency', 5000, 'eur', 'cs_foreign_1'],
    ]);
    expect((await listed(['reference'], { kind: 'unbooked' })).length).toBe(3);
    expect(await listed(['reference'], { of: app.otherId })).toEqual([[session]]);
    const foreign = paidSession('cs_foreign_4', 50, {
      currency: 'eur',
      metadata: { countersign_operator: app.otherId },
    });
    await holds.send(foreign);
    expect(await listed(['reference'], { of: app.otherId })).toEqual([['cs_foreign_4'], [session]]);
    expect(await listed(['reference'], { of: app.otherId, kind: 'unbooked' })).toEqual([['cs_foreign_4']]);
    expect(await listed(['reference'], { of: app.otherId, status: 'paid' })).toEqual([[session]]);
    await holds.send(refunded('pi_cs_foreign_4', 50, { currency: 'eur' }));
    expect(await listed(['reference'], { kind: 'topup', status: 'paid' })).toEqual([[mine], [session]]);
    const from = new Date(holds.time.now()).toISOString();
    expect(await listed(['reference'], { from })).toEqual([[mine], ['cs_foreign_3']]);
    await holds.send(refunded('pi_cs_foreign_3', 900));
    expect((await listed(['reference'], { kind: 'unbooked' })).length).toBe(2);
    expect(await call('listAllPayments', { of: 'op_none' }).catch((error: Error) => error.message)).toContain(
      'There is no operator op_none.',
    );
  });
});

describe('the administrator shows', () => {
  test('a payment with all that followed, by each of its ids', async () => {
    const { app } = holds;
    const session = await app.topUp(1000);
    const intent = `pi_${session}`;
    await holds.send(
      {
        type: 'charge.succeeded',
        object: { id: 'ch_1', payment_intent: intent, payment_method_details: {} },
      },
      paidSession(session, 1000),
      disputed(intent, 'created', { id: 'dp_1', amount: 300 }),
    );
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'closed', { id: 'dp_1', amount: 300, status: 'lost' }));
    const shown = await call('showPayment', { reference: session });
    expect(shown).toMatchObject({ operator_id: app.otherId, unbooked: null });
    expect((shown.entries as Row[]).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
      ['topup', 'partly_refunded', 1000],
      ['dispute', 'lost', 300],
      ['chargeback', 'made', -300],
    ]);
    for (const reference of [intent, 'ch_1', 'dp_1'])
      expect(await call('showPayment', { reference })).toEqual(shown);
  });

  test('a payment by the charge that only its refund, or only its dispute, has named', async () => {
    const [intent, other] = [await holds.pay(1000), await holds.pay(700)];
    await holds.send(refunded(intent, 100), disputed(other, 'created', { amount: 300 }));
    for (const each of [intent, other])
      expect(await call('showPayment', { reference: `ch_${each}` })).toEqual(
        await call('showPayment', { reference: each }),
      );
  });

  test('why a payment was not booked', async () => {
    await holds.send(paidSession('cs_foreign', 5000, { currency: 'eur' }));
    for (const reference of ['cs_foreign', 'pi_cs_foreign']) {
      const { entries, unbooked } = await call('showPayment', { reference });
      expect(entries).toEqual([]);
      expect(unbooked).toMatchObject({ reason: 'currency', amount: 5000, currency: 'eur' });
    }
    const error = await call('showPayment', { reference: 'pi_none' }).catch((one: Error) => one.message);
    expect(error).toContain('No payment has the id pi_none.');
  });
});
