import { afterAll, expect, test } from 'bun:test';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { wholeJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { judgedStatement } from '../../../../support/judged-statement.ts';
import type { TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const POOL = '/api/v1/operator/journal';
const time = new VirtualTime(Date.parse('2026-10-20T12:00:00Z'));
const directory = new BackedUpDirectory({}, time);
afterAll(() => directory.dispose());

/** Returns the statement of a pool and of an agent, of October. */
async function statementsOf({ own }: TrustApp, commitment: string) {
  const [pool, agent] = await Promise.all([
    own.get('/api/v1/account/statements/2026-10'),
    own.get(`/api/v1/passport/agents/${commitment}/statements/2026-10`),
  ]);
  expect([pool.status, agent.status]).toEqual([200, 200]);
  return { pool: pool.body, agent: agent.body };
}

test('a restored directory states what it has, and its journal contradicts a statement that was kept', async () => {
  const grant = async (app: TrustApp, subject_commitment: string, amount: number) => {
    const { status } = await app.own.post('/api/v1/passport/credits/grants', { subject_commitment, amount });
    expect(status).toBe(201);
  };
  const commitment = await directory.served(async (app) => {
    const agent = await creditedAgent(app);
    await grant(app, agent.commitment, 3);
    return agent.commitment;
  });
  const journal = `/api/v1/passport/agents/${commitment}/credit-journal`;
  directory.backUp();
  time.advance(86_400_000);
  const kept = await directory.served(async (app) => {
    await grant(app, commitment, 4);
    time.advance(Date.parse('2026-11-02T00:00:00Z') - time.now());
    const statements = await statementsOf(app, commitment);
    expect(statements.agent).toMatchObject({ closing: { promotional: { available: 7 } } });
    const valid = { isValid: true, journal: 'ok', problems: [] };
    expect(
      await judgedStatement(app, statements.agent, await wholeJournal(app, journal), time.now()),
    ).toEqual(valid);
    return statements;
  });
  await directory.recovered();
  await directory.served(async (app) => {
    const now = await statementsOf(app, commitment);
    expect(now.agent).toMatchObject({
      closing: { promotional: { available: 3, locked: 0 } },
      journal: { entries: 1, length: 1 },
    });
    for (const [name, path] of [
      ['agent', journal],
      ['pool', POOL],
    ] as const) {
      const lines = await wholeJournal(app, path);
      const fresh = await judgedStatement(app, now[name], lines, time.now());
      expect([name, fresh]).toEqual([name, { isValid: true, journal: 'ok', problems: [] }]);
      const old = await judgedStatement(app, kept[name], lines, time.now());
      expect([name, old.isValid, old.journal]).toEqual([name, false, 'mismatch']);
      expect(old.problems?.[0]).toContain('does not have the head');
    }
    // Another movement in place of the lost one does not make it right.
    await grant(app, commitment, 4);
    const lines = await wholeJournal(app, journal);
    expect((await judgedStatement(app, kept.agent, lines, time.now())).isValid).toBe(false);
  });
});
