import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { findAgentIn } from '../../../../src/trust/agents/agents.ts';
import { type UnfinishedReceipts, unfinishedReceipts } from '../../../../src/trust/receipts/unfinished.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-05-01T06:00:00.000Z');
const at = (day: number): string => new Date(START + day * DAY).toISOString();

let app: TrustApp;
let time: VirtualTime;
beforeAll(async () => {
  time = new VirtualTime(START);
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

type Counts = [open: number, openPast30Days: number, abandoned: number];

async function countsOf(commitment: string, from: number, to: number, now = to): Promise<Counts> {
  const { open, openPast30Days, abandoned }: UnfinishedReceipts = await app.service.trust.store.read(
    async (snapshot) => {
      const agent = await findAgentIn(snapshot, commitment);
      if (agent === null) throw new Error('the agent does not exist');
      return unfinishedReceipts(snapshot, agent, { from: at(from), to: at(to) }, at(now));
    },
  );
  return [open, openPast30Days, abandoned];
}

/** Issues a receipt on day 0 and lets time pass until day `days`. */
async function issuedAndLeft(days: number, changes: Record<string, unknown> = {}) {
  const { commitment } = await enrolledAgent(app);
  const begun = time.now();
  const day = (begun - START) / DAY;
  const { expiryDay, ...members } = changes;
  const expiry = typeof expiryDay === 'number' ? { expiry: at(day + expiryDay) } : {};
  const issued = await app.own.issue({ agent_id: commitment, ...members, ...expiry });
  expect(issued.status).toBe(201);
  time.advance(days * DAY);
  const counts = (from: number, to: number, now = to) =>
    countsOf(commitment, day + from, day + to, day + now);
  return { id: issued.body.receipt_id, commitment, counts };
}

describe('a receipt that stays pending', () => {
  test('is open, and abandoned once it is 30 days old, in the one period that has this moment', async () => {
    const { counts } = await issuedAndLeft(100);
    expect(await counts(-1, 29.9)).toEqual([1, 0, 0]);
    expect(await counts(-1, 30.1)).toEqual([1, 1, 1]);
    expect(await counts(29.9, 30.1)).toEqual([1, 1, 1]);
    expect(await counts(30.1, 90)).toEqual([1, 1, 0]);
    expect(await counts(-10, 0)).toEqual([0, 0, 0]);
    // The end of the period hides nothing that is known when the package is made.
    expect(await counts(-1, 20, 29.9)).toEqual([1, 0, 0]);
    expect(await counts(-1, 20, 30.1)).toEqual([1, 1, 0]);
  });

  test('is abandoned after its expiry, if that is earlier', async () => {
    const { counts } = await issuedAndLeft(100, { expiryDay: 5 });
    expect(await counts(0, 4.9)).toEqual([1, 0, 0]);
    expect(await counts(0, 5.1)).toEqual([1, 0, 1]);
    expect(await counts(6, 40)).toEqual([1, 1, 0]);
  });

  test('is abandoned after an expiry that was sent with an offset', async () => {
    const { commitment } = await enrolledAgent(app);
    const day = (time.now() - START) / DAY;
    const local = at(day + 5.5).replace(/\..*/, '+12:00');
    await app.own.issue({ agent_id: commitment, expiry: local });
    expect(await countsOf(commitment, day, day + 4.9)).toEqual([1, 0, 0]);
    expect(await countsOf(commitment, day, day + 5.1)).toEqual([1, 0, 1]);
  });

  test('is not abandoned before that time, even in a period that ends later', async () => {
    const { counts } = await issuedAndLeft(10);
    expect(await counts(0, 90, 10)).toEqual([1, 0, 0]);
    expect(await counts(0, 90, 31)).toEqual([1, 1, 1]);
  });

  test('counts in each domain, blind or not', async () => {
    for (const changes of [
      { domain: 'FINANCIAL_CLEARING' },
      { blind: true },
      { receipt_type: 'competence' },
    ]) {
      const { counts } = await issuedAndLeft(31, changes);
      expect(await counts(0, 31)).toEqual([1, 1, 1]);
    }
  });

  test.each(['success', 'timeout'])(
    'is taken out of all periods when it is finalized late, as %s',
    async (status) => {
      const { counts, id } = await issuedAndLeft(60, { expiryDay: 5 });
      expect(await counts(0, 60)).toEqual([1, 1, 1]);
      const body = status === 'success' ? { output_hash: 'ab'.repeat(32) } : { terminal_reason: 'late' };
      expect((await app.own.finalize(id, { status, ...body })).status).toBe(200);
      expect(await counts(0, 60)).toEqual([0, 0, 0]);
      expect(await counts(0, 5.1)).toEqual([0, 0, 0]);
    },
  );
});

describe('a receipt that was revoked while pending', () => {
  test('is abandoned when it was revoked, and stays so', async () => {
    const { counts, id } = await issuedAndLeft(7);
    await app.own.revoke(id);
    expect(await counts(0, 6.9)).toEqual([0, 0, 0]);
    expect(await counts(0, 7.1)).toEqual([0, 0, 1]);
    // A period that begins between issue and revocation.
    expect(await counts(3, 20)).toEqual([0, 0, 1]);
    expect(await counts(8, 20)).toEqual([0, 0, 0]);
    expect(await counts(8, 90)).toEqual([0, 0, 0]);
    expect((await app.own.finalize(id, { status: 'timeout', terminal_reason: 'late' })).status).toBe(409);
  });

  test('counts once, at the first of the times', async () => {
    const { counts, id } = await issuedAndLeft(50, { expiryDay: 5 });
    await app.own.revoke(id);
    expect(await counts(0, 10)).toEqual([0, 0, 1]);
    expect(await counts(10, 90)).toEqual([0, 0, 0]);
  });

  test('is not abandoned if it was finalized before', async () => {
    const { counts, id } = await issuedAndLeft(1);
    await app.own.finalize(id, { status: 'success', output_hash: 'ab'.repeat(32) });
    await app.own.revoke(id);
    expect(await counts(0, 40)).toEqual([0, 0, 0]);
  });
});

describe('a receipt of an agent that has another sponsor now', () => {
  const moveTo = async (commitment: string, operator: string): Promise<void> => {
    const path = `/api/v1/passport/agents/${commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: operator })).status).toBe(200);
  };

  test('counts if the former sponsor issued it, and not if it does so later', async () => {
    const { commitment, counts } = await issuedAndLeft(10);
    await moveTo(commitment, app.otherId);
    time.advance(DAY);
    await app.own.issue({ agent_id: commitment });
    time.advance(29 * DAY);
    expect(await counts(0, 40)).toEqual([1, 1, 1]);
    await app.other.issue({ agent_id: commitment });
    time.advance(DAY);
    expect(await counts(0, 41)).toEqual([2, 1, 1]);
    expect(await counts(39.9, 42)).toEqual([2, 1, 0]);
  });

  test('counts once if the former sponsor has the agent again', async () => {
    const { commitment, counts } = await issuedAndLeft(10);
    for (const operator of [app.otherId, app.service.firstStart.operatorId, app.otherId]) {
      await moveTo(commitment, operator);
      time.advance(10 * DAY);
    }
    expect(await counts(0, 40)).toEqual([1, 1, 1]);
  });
});

describe('receipts that do not count', () => {
  test("are strangers' receipts that name the agent", async () => {
    const { commitment } = await enrolledAgent(app);
    const day = (time.now() - START) / DAY;
    await app.other.issue({ agent_id: commitment });
    time.advance(40 * DAY);
    expect(await countsOf(commitment, day, day + 40)).toEqual([0, 0, 0]);
  });

  test('are those of an agent without a sponsor', async () => {
    const { commitment } = await enrolledAgent(app, { sponsor: null });
    const day = (time.now() - START) / DAY;
    await app.own.issue({ agent_id: commitment });
    time.advance(40 * DAY);
    expect(await countsOf(commitment, day, day + 40)).toEqual([0, 0, 0]);
  });
});
