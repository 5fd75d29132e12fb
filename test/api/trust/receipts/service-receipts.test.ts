import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { audited } from '../../../support/audit.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { creditedAgent, holderOf } from '../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../support/engagements.ts';
import { accountEntries, link, sequenceProblems } from '../../../support/linked.ts';
import { ingested, telemetryOf } from '../../../support/telemetry.ts';

let market: Market;
/** An administrator of another operator than those of the receipts. */
let admin: Market['app']['own'];
beforeAll(async () => {
  market = await openMarket();
  const { app } = market;
  const { operator_id: id } = await createOperator(app.service.trust, { name: 'third', admin: false });
  admin = as(String((await createKeyFor(app.service.trust, id, { admin: true })).api_key));
});
afterAll(() => market.app.close());

const as = (key: string) => client((request) => market.app.fetch(request), 'http://localhost', key);
const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
let hours = 0;

/** The receipts that the service issues in the name of the second operator, which is no administrator. */
const RECEIPTS: Record<string, () => Promise<unknown>> = {
  async 'a paid engagement'() {
    const { app, deliver } = market;
    const hirer = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 50 } });
    const worker = await creditedAgent(app);
    const task_id = `task-${hirer.commitment.slice(0, 16)}`;
    const parties = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment };
    await app.other.post(ENGAGEMENTS, { task_id, ...parties, amount: 10 });
    await deliver(worker, task_id);
    const { status, body } = await app.other.post(`${ENGAGEMENTS}/${task_id}/accept`);
    expect(status).toBe(200);
    return body.receipt_id;
  },
  async 'a withdrawal'() {
    const { app } = market;
    const { commitment } = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 50 } });
    const request = { subject_commitment: commitment, amount: 10, reference: `for ${commitment}` };
    return (await app.other.post('/api/v1/agent-pay/withdraw', request)).body.receipt_id;
  },
  async telemetry() {
    const { receipt } = await ingested(market.app.other, telemetryOf(hours++));
    return Object(receipt).receipt_id;
  },
};

describe.each(Object.entries(RECEIPTS))('the receipt of %s', (_of, issued) => {
  test('is not revoked by its operator, and says why', async () => {
    const { app } = market;
    const id = await issued();
    const refused = await app.other.revoke(id, { reason: 'we want it back' });
    expect([codeOf(refused), refused.body.error]).toEqual([
      [403, 'forbidden'],
      'The service issued this receipt itself, about what it booked or took in, so only an admin key of an active operator can revoke it. ' +
        'Ask the administrator of the service.',
    ]);
    expect((await app.other.get(`/api/v1/receipts/${id}`)).body.revocation_status).toBe('active');
    expect((await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`)).body.enforcement).toMatchObject({
      revocation_status: 'active',
    });
  });

  test('is revoked once by an admin key, also of another operator, which gets it whole', async () => {
    const { app } = market;
    const id = await issued();
    const own = (await app.other.get(`/api/v1/receipts/${id}`)).body;
    const both = await Promise.all([admin.revoke(id), app.own.revoke(id)]);
    expect(both.map(codeOf).sort()).toEqual([
      [200, undefined],
      [409, 'receipt_already_revoked'],
    ]);
    const { body } = both.find(({ status }) => status === 200) ?? {};
    expect(body).toMatchObject({
      receipt_id: id,
      operator_id: own.operator_id,
      revocation_status: 'revoked',
    });
    expect((await app.other.get(`/api/v1/receipts/${id}`)).body).toEqual(Object(body));
    expect(codeOf(await app.other.revoke(id))).toEqual([403, 'forbidden']);
  });
});

describe('an admin key', () => {
  test('finds no other receipt of another operator', async () => {
    const { app } = market;
    const { receipt_id } = (await app.other.issue()).body;
    expect(codeOf(await admin.revoke(receipt_id))).toEqual([404, 'receipt_not_found']);
    expect(codeOf(await admin.revoke(`rcpt_${'0'.repeat(32)}`))).toEqual([404, 'receipt_not_found']);
    expect(codeOf(await admin.revoke('rcpt_'))).toEqual([404, 'receipt_not_found']);
    expect((await app.other.revoke(receipt_id)).status).toBe(200);
  });

  test('of a suspended operator revokes its own receipts only', async () => {
    const { app } = market;
    const { trust } = app.service;
    const { operator_id: id } = await createOperator(trust, { name: null, admin: false });
    const suspended = as(String((await createKeyFor(trust, id, { admin: true })).api_key));
    const { receipt_id } = (await suspended.issue()).body;
    await setAccountStatus(trust, id, 'SUSPENDED');
    expect(codeOf(await suspended.revoke(await RECEIPTS.telemetry?.()))).toEqual([403, 'forbidden']);
    expect((await suspended.revoke(receipt_id)).status).toBe(200);
  });
});

test('a receipt of the service is known by what is stored, not by the words of its scope', async () => {
  const { app } = market;
  const { body } = await app.other.issue({ authority_scope: 'engagement:task-of-nobody' });
  expect((await app.other.revoke(body.receipt_id)).status).toBe(200);
});

test('a receipt of the service is not revoked by the holder key of its agent', async () => {
  const { app } = market;
  const agent = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 50 } });
  const holder = await holderOf(app, agent, { operatorId: app.otherId });
  const request = { subject_commitment: agent.commitment, amount: 10, reference: 'by its holder' };
  const { receipt_id } = (await holder.post('/api/v1/agent-pay/withdraw', request)).body;
  expect(codeOf(await holder.revoke(receipt_id))).toEqual([403, 'forbidden']);
});

test('a revocation by another operator stands in the account of the operator of the receipt', async () => {
  const { app } = market;
  await link(app.other);
  const id = await RECEIPTS.telemetry?.();
  const { length } = await accountEntries(app);
  expect((await admin.revoke(id)).status).toBe(200);
  const added = await accountEntries(app, length);
  expect(added.map(({ event, receipt_id }) => [event, receipt_id])).toEqual([['revoked', String(id)]]);
  expect(added[0]?.account).toBe(
    (await accountEntries(app)).find(({ event }) => event === 'linked')?.account,
  );
  expect(sequenceProblems(await accountEntries(app))).toEqual([]);
  expect((await audited(app.directory)).reported).toEqual([]);
});
