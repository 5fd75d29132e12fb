import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { creditFigures } from '../../../../../src/trust/ledger/balances.ts';
import { confirmPayout } from '../../../../../src/trust/payments/payouts/confirm.ts';
import { failPayout } from '../../../../../src/trust/payments/payouts/fail.ts';
import { getPayout } from '../../../../../src/trust/payments/payouts/get-payout.ts';
import { changeAllHolds, holdPayout, releasePayout } from '../../../../../src/trust/payments/payouts/hold.ts';
import { listPayouts } from '../../../../../src/trust/payments/payouts/list-payouts.ts';
import { submitPayoutIn } from '../../../../../src/trust/payments/payouts/queue.ts';
import type { PayoutRail } from '../../../../../src/trust/payments/payouts/rail.ts';
import { RailUnavailable } from '../../../../../src/trust/payments/payouts/rail.ts';
import { setHeld } from '../../../../../src/trust/payments/payouts/store.ts';
import { audited } from '../../../../support/audit.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let agent: CreditedAgent;
/** The same service with the rail evm, without its code. */
let withEvm: TrustApp['service']['trust'];

beforeAll(async () => {
  app = await openTrustApp();
  agent = await creditedAgent(app, { credits: { promotional: 7, paid: 100_000 } });
  const { trust } = app.service;
  withEvm = { ...trust, policy: { ...trust.policy, payoutRail: 'evm' } };
});
afterAll(() => app.close());

const figures = () =>
  app.service.trust.store.read(
    async (snapshot) => (await creditFigures(snapshot, agent.agent.agentSeq)).paid,
  );

/** A rail that says of every payout whether it can be failed. */
const railThat = (mayFail: boolean) => async (): Promise<PayoutRail> => ({
  name: 'evm',
  work: async () => false,
  mayFail: async () => mayFail,
});
const unavailable = async (): Promise<PayoutRail> => {
  throw new RailUnavailable('rpc', 'no response');
};

/** Queues a payout and gives it to the rail evm. */
async function submitted(): Promise<string> {
  const id = await queuePayout(app, agent);
  const { payout } = await payoutOf(app, id);
  await app.service.trust.store.writeAsService((tx) =>
    submitPayoutIn(tx, app.service.trust, payout.payoutSeq, 'evm'),
  );
  return id;
}

const refused = (message: RegExp) => ({ code: 'invalid_state', message: expect.stringMatching(message) });

describe('the manual rail', () => {
  test('a confirmed payout burns its credits, once', async () => {
    const before = await figures();
    const id = await queuePayout(app, agent, { amount: 40 });
    expect(await figures()).toMatchObject({ locked: before.locked + 40, available: before.available - 40 });
    const { payout } = await confirmPayout(app.service.trust, id, 'transfer 1');
    expect(payout).toMatchObject({
      status: 'confirmed',
      rail: 'manual',
      external_reference: 'transfer 1',
      waiting_for: null,
    });
    const after = { ...before, available: before.available - 40, spent: before.spent + 40 };
    expect(await figures()).toEqual(after);
    // The same confirmation again, as after a lost response.
    expect((await confirmPayout(app.service.trust, id, 'transfer 1')).payout).toEqual(payout);
    expect(await figures()).toEqual(after);
    await expect(confirmPayout(app.service.trust, id, 'transfer 2')).rejects.toMatchObject(
      refused(/is confirmed, so it cannot be confirmed/),
    );
    await expect(failPayout(app.service.trust, id, { reason: 'x', isUnpaid: true })).rejects.toMatchObject(
      refused(/is confirmed/),
    );
    expect(await figures()).toEqual(after);
  });

  test('a failed payout returns its credits, once', async () => {
    const before = await figures();
    const id = await queuePayout(app, agent);
    const failed = await failPayout(app.service.trust, id, {
      reason: 'no such wallet',
      isUnpaid: false,
    });
    expect(failed.payout).toMatchObject({
      status: 'failed',
      rail: null,
      failure_reason: 'no such wallet',
      external_reference: null,
    });
    expect(await figures()).toEqual(before);
    await expect(
      failPayout(app.service.trust, id, { reason: 'again', isUnpaid: false }),
    ).rejects.toMatchObject(refused(/is failed/));
    await expect(confirmPayout(app.service.trust, id, 'late')).rejects.toMatchObject(refused(/is failed/));
    expect(await figures()).toEqual(before);
  });

  test('of confirmations and failures at once, one wins', async () => {
    const before = await figures();
    const id = await queuePayout(app, agent);
    const results = await Promise.allSettled([
      confirmPayout(app.service.trust, id, 'one'),
      failPayout(app.service.trust, id, { reason: 'two', isUnpaid: false }),
      confirmPayout(app.service.trust, id, 'three'),
      failPayout(app.service.trust, id, { reason: 'four', isUnpaid: false }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await figures()).locked).toBe(before.locked);
  });

  test.each(['wdr_', 'wdr_00', `wdr_${'0'.repeat(32)}`, `WDR_${'0'.repeat(32)}`, "'; --"])(
    'there is no withdrawal %s',
    async (id) => {
      const missing = { code: 'not_found' };
      const { trust } = app.service;
      await expect(getPayout(trust, id)).rejects.toMatchObject(missing);
      await expect(confirmPayout(trust, id, 'x')).rejects.toMatchObject(missing);
      await expect(failPayout(trust, id, { reason: 'x', isUnpaid: true })).rejects.toMatchObject(missing);
      await expect(holdPayout(trust, id)).rejects.toMatchObject(missing);
    },
  );
});

describe('another rail', () => {
  test('a queued payout is confirmed by hand only after it was held', async () => {
    const id = await queuePayout(app, agent);
    await expect(confirmPayout(withEvm, id, 'x')).rejects.toMatchObject(
      refused(/The rail evm may pay the withdrawal at any moment. Run countersign payouts hold wdr_/),
    );
    expect((await holdPayout(withEvm, id)).payout).toMatchObject({
      held: 'administrator',
      waiting_for: 'administrator',
    });
    expect((await confirmPayout(withEvm, id, 'x')).payout).toMatchObject({
      status: 'confirmed',
      rail: 'manual',
      held: null,
    });
  });

  test('a submitted payout is never failed while it may still be paid', async () => {
    const id = await submitted();
    const request = { reason: 'gone', isUnpaid: true };
    for (const open of [railThat(false), unavailable]) {
      await expect(failPayout(withEvm, id, request, open)).rejects.toMatchObject(
        refused(/which may still be paid/),
      );
    }
    // The real rail, which is not configured here.
    await expect(failPayout(withEvm, id, request)).rejects.toMatchObject(refused(/may still be paid/));
    expect((await failPayout(withEvm, id, request, railThat(true))).payout).toMatchObject({
      status: 'failed',
      rail: 'evm',
    });
  });

  test('a submitted payout is confirmed with one of its transactions, or when none can be paid', async () => {
    const id = await submitted();
    await expect(confirmPayout(withEvm, id, 'by hand', railThat(false))).rejects.toMatchObject(
      refused(/may still pay the withdrawal, and by hand is none of its transactions/),
    );
    await expect(confirmPayout(withEvm, id, `0x${'ab'.repeat(32)}`, unavailable)).rejects.toMatchObject(
      refused(/none of its transactions/),
    );
    expect((await confirmPayout(withEvm, id, 'by hand', railThat(true))).payout).toMatchObject({
      status: 'confirmed',
      external_reference: 'by hand',
    });
  });

  test('what the rail does while it is asked counts', async () => {
    const id = await queuePayout(app, agent);
    const { payout } = await payoutOf(app, id);
    const { trust } = app.service;
    const paying = failPayout(withEvm, id, { reason: 'x', isUnpaid: true });
    const submitting = trust.store.writeAsService((tx) => submitPayoutIn(tx, trust, payout.payoutSeq, 'evm'));
    const [failed, given] = await Promise.allSettled([paying, submitting]);
    const isFailed = failed.status === 'fulfilled';
    const isGiven = given.status === 'fulfilled' && given.value !== null;
    expect(isFailed).not.toBe(isGiven);
    // Nobody leaves it open.
    if (isGiven) await failPayout(withEvm, id, { reason: 'x', isUnpaid: true }, railThat(true));
  });
});

test('payouts are listed by status and by agent, in pages', async () => {
  const { trust } = app.service;
  const other = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 1000 } });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await queuePayout(app, other, { amount: n + 1 }));
  const listed: string[] = [];
  let cursor: { cursor?: string } | null = {};
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof listPayouts>> = await listPayouts(trust, {
      agent: other.commitment,
      limit: '2',
      ...cursor,
    });
    listed.push(...page.payouts.map(({ withdrawal_id }) => withdrawal_id));
    cursor = page.next_cursor === null ? null : { cursor: page.next_cursor };
  }
  expect(listed).toEqual(ids);
  const of = async (status?: 'queued' | 'failed') =>
    (await listPayouts(trust, { status, limit: '100' })).payouts;
  expect((await of('queued')).map(({ withdrawal_id }) => withdrawal_id)).toEqual(ids);
  expect((await of('queued'))[0]).toMatchObject({ operator_id: app.otherId, amount: 5, usd_cents: 5 });
  expect((await of('failed')).every(({ status }) => status === 'failed')).toBe(true);
  expect((await of()).length).toBeGreaterThan(5);
  await expect(
    listPayouts(trust, { agent: other.commitment, status: 'failed', limit: '2' }),
  ).rejects.toMatchObject({ code: 'validation_error' });
  for (const id of ids) await failPayout(trust, id, { reason: 'x', isUnpaid: false });
});

test('a payout of a restored database stays known as such when it is held again', async () => {
  const { trust } = app.service;
  const id = await queuePayout(app, agent);
  const { payout } = await payoutOf(app, id);
  await trust.store.writeAsService((tx) =>
    setHeld(tx, { payoutSeq: payout.payoutSeq, held: 'restored', updatedAt: payout.updatedAt }),
  );
  expect((await holdPayout(trust, id)).payout.held).toBe('restored');
  expect((await getPayout(trust, id)).payout.held).toBe('restored');
  expect(await changeAllHolds(trust, 'administrator')).toEqual({ payouts: 0 });
  await expect(failPayout(trust, id, { reason: 'x', isUnpaid: false })).rejects.toMatchObject(
    refused(/is a restored backup/),
  );
  await failPayout(trust, id, { reason: 'x', isUnpaid: true });
});

test('all open payouts are held and released, and no ended one', async () => {
  const { trust } = app.service;
  const [one, two] = [await queuePayout(app, agent), await submitted()];
  expect(await changeAllHolds(trust, 'administrator')).toEqual({ payouts: 2 });
  expect(await changeAllHolds(trust, 'administrator')).toEqual({ payouts: 0 });
  const { payout } = await payoutOf(app, one);
  const given = await trust.store.writeAsService((tx) => submitPayoutIn(tx, trust, payout.payoutSeq, 'evm'));
  expect(given).toBeNull();
  expect((await releasePayout(trust, one)).payout.held).toBeNull();
  expect(await changeAllHolds(trust, null)).toEqual({ payouts: 1 });
  await confirmPayout(trust, one, 'x');
  await confirmPayout(trust, two, 'x', railThat(true));
  await expect(holdPayout(trust, one)).rejects.toMatchObject(refused(/is confirmed, so no rail pays/));
});

test('nothing of all this is a problem for fsck', async () => {
  const { reported } = await audited(app.directory);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
});
