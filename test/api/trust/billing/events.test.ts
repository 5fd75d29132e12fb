import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type BillingApp, openBillingApp, paidSession } from '../../../support/billing-app.ts';

let app: BillingApp;
beforeEach(async () => {
  app = await openBillingApp();
});
afterEach(() => app.close());

const rows = <Row>(sql: string) =>
  app.service.trust.store.read(({ connection }) => connection.sqlite.query<Row, []>(sql).all());

/** The balances of an operator that are not zero. */
async function balances(operatorId = app.otherId): Promise<Record<string, number>> {
  const found = await rows<{ name: string; balance: number }>(
    `SELECT kind || ' ' || asset AS name, balance FROM ledger_account JOIN operator ON operator_seq = owner_seq
    WHERE kind IN ('pool', 'stake', 'receivable') AND balance <> 0 AND operator_id = '${operatorId}' ORDER BY name`,
  );
  return Object.fromEntries(found.map(({ name, balance }) => [name, balance]));
}

describe('a payment is booked once,', () => {
  test('as credits, by what the processor says was paid, whatever was ordered and metadata say', async () => {
    const session = await app.topUp(2500);
    const event = paidSession(session, 1999, {
      metadata: { countersign_operator: 'op_cus_x', amount: '999999' },
    });
    expect(await app.send(event)).toMatchObject({ status: 200, body: { received: true } });
    expect(await balances()).toEqual({ 'pool paid': 1999 });
  });
});
