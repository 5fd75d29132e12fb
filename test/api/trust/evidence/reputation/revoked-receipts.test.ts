import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { type ErrorTranche, OUTCOMES, type Outcome } from '../../../../../src/proof/receipt/receipt.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { ending } from '../../../../support/outcomes.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { emittedEvents } from '../../../../support/work.ts';

let time: VirtualTime;
let app: TrustApp;
let commitment: string;

async function opened(settings: Record<string, string> = {}): Promise<void> {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00.000Z'));
  app = await openTrustApp(settings, time);
  ({ commitment } = await enrolledAgent(app));
}
beforeEach(() => opened());
afterEach(() => app.close());

async function finalized(status: Outcome, tranche?: ErrorTranche): Promise<string> {
  const { status: issued, body } = await app.own.issue({ agent_id: commitment });
  expect(issued).toBe(201);
  const response = await app.own.finalize(body.receipt_id, ending(status, tranche));
  expect(response.status).toBe(200);
  return String(body.receipt_id);
}

async function revoke(receiptId: string): Promise<void> {
  expect((await app.own.revoke(receiptId)).status).toBe(200);
}

const profile = async () => Object((await app.anyone.get(`/api/v1/profiles/${commitment}`)).body);

const gate = async (domain = 'CODE_GENERATION') => {
  const { body } = await app.own.get('/api/v1/operator/status');
  return (await app.anyone.post('/api/v1/gate/verify', { operator_id: body.operator_id, domain })).body
    .reason;
};

/** What fsck says of the counts. */
const miscounted = () => app.service.trust.store.read(wrongCounts);

describe('a finalized receipt', () => {
  test.each<[Outcome, ErrorTranche | undefined, 'success' | 'failure' | 'neither']>([
    ['success', undefined, 'success'],
    ['refusal', undefined, 'neither'],
    ['refusal', 'LOGIC_DETECTION', 'failure'],
    ['null', undefined, 'neither'],
    ['null', 'SLA_BREACH', 'failure'],
    ['terminal', undefined, 'neither'],
    ['terminal', 'DATA_LEAKAGE', 'failure'],
    ['graceful_shutdown', undefined, 'neither'],
    ['timeout', undefined, 'failure'],
    ['timeout', 'NONE', 'failure'],
    ['failure_tombstone', undefined, 'failure'],
    ['failure_tombstone', 'NONE', 'failure'],
  ])('with status %s and tranche %p counts as %s', async (status, tranche, counts) => {
    await finalized(status, tranche);
    const failure = counts === 'failure' ? 1 : 0;
    const rates =
      counts === 'neither'
        ? { success_rate: null, failure_rate: null, sample_size: 0 }
        : { success_rate: 1 - failure, failure_rate: failure, sample_size: 1 };
    expect(await profile()).toMatchObject({
      totals: { receipts_count: 1, failure_count: failure },
      rolling_30d: rates,
    });
    expect(await miscounted()).toEqual([]);
  });

  test('counts no longer once it is revoked, for the agent and at the gate', async () => {
    const receiptId = await finalized('success');
    expect(await gate()).toBe('OK');
    await revoke(receiptId);
    expect(await profile()).toMatchObject({
      totals: { receipts_count: 0, failure_count: 0 },
      rolling_30d: { success_rate: null, failure_rate: null, sample_size: 0 },
    });
    expect(await gate()).toBe('ZERO_TENANCY_REJECT');
    expect(await miscounted()).toEqual([]);
  });

  test('is taken out of its own day when it is revoked after the 30 days', async () => {
    const old = [await finalized('timeout'), await finalized('success')];
    time.advance(31 * DAY_MS);
    await finalized('success');
    for (const receiptId of old) await revoke(receiptId);
    expect(await profile()).toMatchObject({
      totals: { receipts_count: 1, failure_count: 0 },
      rolling_30d: { success_rate: 1, failure_rate: 0, sample_size: 1 },
    });
    expect(await miscounted()).toEqual([]);
  });

  test('degrades and restores a reputation by being revoked, without an event for a revoked agent', async () => {
    const events = emittedEvents(app, 'reputation.');
    const eventNames = () => events.map(({ event }) => event);
    const good: string[] = [];
    for (let count = 0; count < 12; count++) good.push(await finalized('success'));
    const bad: string[] = [];
    for (let count = 0; count < 4; count++) bad.push(await finalized('timeout'));
    expect(eventNames()).toEqual([]);
    await revoke(good.pop() ?? '');
    // 4 of 15.
    expect(eventNames()).toEqual(['reputation.degraded']);
    for (const receiptId of bad.slice(0, 3)) await revoke(receiptId);
    // 1 of 12.
    expect(eventNames()).toEqual(['reputation.degraded', 'reputation.restored']);
    const revoked = await app.own.post(`/api/v1/passport/agents/${commitment}/revoke`);
    expect(revoked.status).toBe(200);
    for (const receiptId of good.slice(0, 9)) await revoke(receiptId);
    expect(eventNames()).toEqual(['reputation.degraded', 'reputation.restored']);
    expect(await miscounted()).toEqual([]);
  });

  test('that is revoked lets the ones before the newest twenty weigh again at the gate', async () => {
    const issued = async (count: number) => {
      const ids: string[] = [];
      while (ids.length < count) ids.push(String((await app.own.issue()).body.receipt_id));
      return ids;
    };
    for (const receiptId of await issued(3))
      await app.own.finalize(receiptId, ending('refusal', 'SLA_BREACH'));
    time.advance(1000);
    const newest = await issued(20);
    for (const receiptId of newest) await app.own.finalize(receiptId, ending('success'));
    expect(await gate()).toBe('OK');
    for (const receiptId of newest.slice(0, 3)) await revoke(receiptId);
    // 3 of 20.
    expect(await gate()).toBe('SLA_BREACH_THRESHOLD_EXCEEDED');
  });

  test('that was pending when it was revoked changes no count', async () => {
    const { body } = await app.own.issue({ agent_id: commitment });
    await revoke(String(body.receipt_id));
    expect((await profile()).totals.receipts_count).toBe(0);
    expect(await miscounted()).toEqual([]);
  });
});

test('after concurrent finalizations and revocations on any days, all counts are those of a scan', async () => {
  // Where chance makes nearly all of them breaches, the gate would deny the next receipt.
  await app.close();
  await opened({ 'gate.sla_share_percent': '100' });
  const acts = fc.array(
    fc.record({
      status: fc.constantFrom(...OUTCOMES),
      breach: fc.boolean(),
      days: fc.constantFrom(0, 0, 1, 40),
      revoked: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const made: { receiptId: string; revoked: boolean }[] = [];
      for (const { status, breach, days, revoked } of list) {
        time.advance(days * DAY_MS);
        const tranche = breach && status !== 'success' ? 'SLA_BREACH' : undefined;
        made.push({ receiptId: await finalized(status, tranche), revoked });
      }
      // Twice each and all at once: one of two revokes.
      const gone = made.filter(({ revoked }) => revoked).flatMap(({ receiptId }) => [receiptId, receiptId]);
      const answers = await Promise.all(gone.map((receiptId) => app.own.revoke(receiptId)));
      expect(answers.filter(({ status }) => status === 200).length).toBe(gone.length / 2);
      expect(await miscounted()).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
