import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { enrolledAgent } from '../../../../support/agent.ts';
import { DIGEST } from '../../../../support/client.ts';
import { profileAfter } from '../../../../support/corroborated.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DAY = 86_400_000;
const SUCCESS = { status: 'success', output_hash: DIGEST };
const BREACH = { status: 'terminal', terminal_reason: 'late', error_tranche: 'SLA_BREACH' };

let time: VirtualTime;
let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00Z'));
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app);
});
afterEach(() => app.close());

/** Issues a receipt for the agent that expires after so many days. */
async function issued(days = 300, by = app.own, more: object = {}): Promise<string> {
  const expiry = new Date(time.now() + days * DAY).toISOString();
  const { status, body } = await by.issue({ expiry, agent_id: agent.commitment, ...more });
  expect(status).toBe(201);
  return String(body.receipt_id);
}

/** What the profile of the agent says after so many days. */
const after = (days: number) => profileAfter(app, time, agent, days);

type Act = 'success' | 'breach' | 'revoke' | 'expire' | 'wait' | 'leave window';

describe('a receipt of which the outcome is', () => {
  test.each<[name: string, acts: readonly Act[], abandoned: number, of: number, failures: number]>([
    ['nothing', [], 0, 0, 0],
    ['success', ['success'], 0, 1, 0],
    ['breach', ['breach'], 0, 1, 1],
    ['revoked', ['revoke'], 1, 1, 0],
    ['expired', ['expire'], 1, 1, 0],
    ['pending for 30 days', ['wait'], 1, 1, 0],
    ['expired, revoked', ['expire', 'revoke'], 1, 1, 0],
    ['expired, success', ['expire', 'success'], 0, 1, 0],
    ['expired, breach', ['expire', 'breach'], 0, 1, 1],
    ['success, revoked', ['success', 'revoke'], 0, 0, 0],
    ['breach, revoked', ['breach', 'revoke'], 0, 1, 1],
    ['expired, breach, revoked', ['expire', 'breach', 'revoke'], 0, 1, 1],
    ['revoked, breach', ['revoke', 'breach'], 1, 1, 0],
    ['success, breach', ['success', 'breach'], 0, 1, 0],
    ['breach, success', ['breach', 'success'], 0, 1, 1],
    ['abandoned, and out of the window', ['expire', 'leave window'], 0, 0, 0],
    ['breach, revoked, and out of the window', ['breach', 'revoke', 'leave window'], 0, 0, 0],
  ])('%s', async (_name, acts, abandoned, of, failures) => {
    const id = await issued(acts.includes('expire') ? 1 : 300);
    for (const act of acts) {
      if (act === 'success') await app.own.finalize(id, SUCCESS);
      if (act === 'breach') await app.own.finalize(id, BREACH);
      if (act === 'revoke') await app.own.revoke(id);
      if (act === 'expire') time.advance(2 * DAY);
      if (act === 'wait') time.advance(30 * DAY);
      if (act === 'leave window') time.advance(31 * DAY);
    }
    const { abandoned: share, score_basis, rolling_30d } = await after(0);
    expect(share).toEqual({ abandoned, of });
    expect(Object(score_basis).sponsored).toBe(of - abandoned);
    // Rates leave out what was revoked; the score keeps the failure.
    const isRevoked = acts.includes('revoke');
    expect(Object(rolling_30d).failure_rate).toBe(of - abandoned === 0 || isRevoked ? null : failures);
  });
});

test('a failure that the sponsor revokes stays in the score, and a success does not', async () => {
  for (let count = 0; count < 20; count++) await app.own.finalize(await issued(), SUCCESS);
  const before = Number((await after(0)).score);
  const failed = [await issued(), await issued(), await issued(), await issued()];
  for (const id of failed) await app.own.finalize(id, BREACH);
  const after_failures = Number((await after(0)).score);
  expect(after_failures).toBeLessThan(before);
  for (const id of failed) await app.own.revoke(id);
  expect(await after(0)).toMatchObject({
    score: after_failures,
    score_basis: { sponsored: 24 },
    rolling_30d: { failure_rate: 0, sample_size: 20 },
    totals: { failure_count: 0 },
  });
});

describe('abandoned receipts of an agent', () => {
  test('are blind ones too, and those of all domains', async () => {
    await app.own.revoke(await issued(300, app.own, { blind: true }));
    await app.own.revoke(await issued(300, app.own, { domain: 'FINANCIAL_CLEARING' }));
    expect((await after(0)).abandoned).toEqual({ abandoned: 2, of: 2 });
  });

  test('are none that a stranger issues in its name', async () => {
    await app.other.revoke(await issued(300, app.other));
    await issued(1, app.other);
    expect((await after(2)).abandoned).toEqual({ abandoned: 0, of: 0 });
  });

  test('stay with an agent that changes its sponsor, and no former sponsor adds any', async () => {
    await app.own.revoke(await issued());
    await issued(1);
    const path = `/api/v1/passport/agents/${agent.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    time.advance(1);
    await app.own.revoke(await issued());
    expect((await after(2)).abandoned).toEqual({ abandoned: 2, of: 2 });
  });
});
