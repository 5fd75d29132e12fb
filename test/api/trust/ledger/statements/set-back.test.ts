import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import type { AccountStatement } from '../../../../../src/proof/ledger/account-statement.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const time = new VirtualTime(Date.parse('2026-10-20T12:00:00Z'));
let app: TrustApp;
let agent: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  agent = await creditedAgent(app, { credits: { promotional: 5 } });
});
afterAll(() => app.close());

async function statementOf(month: string): Promise<AccountStatement> {
  const { status, body } = await app.anyone.get(
    `/api/v1/passport/agents/${agent.commitment}/statements/${month}`,
  );
  expect([status, body.error]).toEqual([200, undefined]);
  return Object(body);
}

test('What was booked in a month that was over, while the clock was set back, is in its next statement', async () => {
  time.advance(Date.parse('2026-11-02T12:00:00Z') - time.now());
  const before = await statementOf('2026-10');
  time.jump(-3 * DAY_MS);
  const granted = await app.own.post('/api/v1/passport/credits/grants', {
    subject_commitment: agent.commitment,
    amount: 4,
  });
  expect(granted.status).toBe(201);
  time.jump(3 * DAY_MS);
  const after = await statementOf('2026-10');
  expect(before.closing.promotional?.available).toBe(5);
  expect(after.closing.promotional?.available).toBe(9);
  expect([after.journal.length, after.journal.entries]).toEqual([
    before.journal.length + 1,
    before.journal.entries + 1,
  ]);
  const next = await statementOf('2026-11');
  expect([next.opening, next.journal.opening_head]).toEqual([after.closing, after.journal.head]);
});
