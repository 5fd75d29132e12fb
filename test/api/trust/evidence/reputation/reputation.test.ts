import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { findAgentIn } from '../../../../../src/trust/agents/agents.ts';
import { reputationRecords } from '../../../../../src/trust/evidence/reputation/agent-records.ts';
import { countEvidenceIn, type Outcome } from '../../../../../src/trust/evidence/reputation/count.ts';
import { performanceOf } from '../../../../../src/trust/evidence/reputation/performance.ts';
import { dayOf, failureRate } from '../../../../../src/trust/evidence/reputation/score.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { DIGEST } from '../../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, emittedEvents, times } from '../../../../support/work.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');

let directory: string;
let time: VirtualTime;
let app: TrustApp;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-reputation-'));
  time = new VirtualTime(NOON);
  app = await openTrustApp({}, time, directory);
});
afterEach(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

/** Ends the service and starts it again on the same directory. */
async function restart(): Promise<void> {
  await app.close();
  app = await openTrustApp({}, time, directory);
  // After days without a server, tasks wait until the clock is confirmed.
  app.service.trust.clockWatch.accept();
}

/** What the scheduler does every minute. */
async function tick(): Promise<void> {
  const job = (await app.service.background()).tasks.find(({ name }) => name === 'follow reputations');
  await job?.run();
}

function state(commitment: string) {
  return app.service.trust.store.read(async (snapshot) => {
    const agent = await findAgentIn(snapshot, commitment);
    if (agent === null) throw new Error('no such agent');
    return performanceOf(snapshot, agent, time.now());
  });
}

async function revokeAgent(agentSeq: number): Promise<void> {
  await app.service.trust.store.writeAsService(async (tx) => {
    tx.connection.sqlite
      .query(
        "UPDATE agent SET state = 'REVOKED', revoked_at = '2026-11-21T12:00:00.000Z' WHERE agent_seq = ?",
      )
      .run(agentSeq);
    await reputationRecords.agentRevokedIn(tx, agentSeq);
  });
}

const ENDS = {
  success: { status: 'success', output_hash: DIGEST },
  failure: { status: 'timeout', terminal_reason: 'late' },
};

/** Issues and finalizes a receipt about an agent. */
async function receipt(
  agent_id: string,
  outcome: Outcome,
  { as = 'own' }: { as?: 'own' | 'other' } = {},
): Promise<void> {
  const { body } = await app[as].issue({ agent_id });
  const { status } = await app[as].finalize(body.receipt_id, ENDS[outcome]);
  expect(status).toBe(200);
}

describe('what is counted of an agent:', () => {
  test('a new agent has no counts', async () => {
    const { commitment } = await enrolledAgent(app);
    expect(await state(commitment)).toEqual({
      totals: { evidence_count: 0, artifact_count: 0, failure_count: 0, receipts_count: 0 },
      rolling_30d: { success_rate: null, failure_rate: null, sample_size: 0 },
      trajectory_7d: null,
      score: 0,
      score_corroborated: 0,
      score_basis: { corroborated: 0, sponsored: 0, self_signed: 0 },
      reputation: 'normal',
      first_observed_at: null,
      last_observed_at: null,
    });
  });

  test('evidence and receipts are counted together and separately', async () => {
    const { commitment } = await enrolledAgent(app);
    await doneWork(app, commitment, ['success', 'success', 'failure']);
    time.advance(DAY_MS);
    await receipt(commitment, 'success');
    await receipt(commitment, 'failure');
    expect(await state(commitment)).toMatchObject({
      totals: { evidence_count: 3, artifact_count: 3, failure_count: 2, receipts_count: 2 },
      rolling_30d: { success_rate: 0.6, failure_rate: 0.4, sample_size: 5 },
      score: 22,
      first_observed_at: '2026-11-21T12:00:00.000Z',
      last_observed_at: '2026-11-22T12:00:00.000Z',
    });
  });

  test('a receipt of another subject or of an inactive agent counts for no agent', async () => {
    const { commitment, agent } = await enrolledAgent(app);
    const alone = await enrolledAgent(app, { sponsor: null });
    await receipt(commitment, 'success', { as: 'other' });
    await receipt(alone.commitment, 'success');
    await receipt('agent-7', 'success');
    await receipt('ab'.repeat(32), 'failure');
    const pending = await app.own.issue({ agent_id: commitment });
    expect((await state(commitment)).totals.receipts_count).toBe(0);
    expect((await state(alone.commitment)).totals.receipts_count).toBe(0);
    await revokeAgent(agent.agentSeq);
    expect((await app.own.finalize(pending.body.receipt_id, ENDS.failure)).status).toBe(200);
    expect((await state(commitment)).rolling_30d.sample_size).toBe(0);
  });

  test('a receipt counts once, even if its finalization is retried or replayed', async () => {
    const { commitment } = await enrolledAgent(app);
    const { body } = await app.own.issue({ agent_id: commitment });
    const path = `/api/v1/receipts/${body.receipt_id}/finalize`;
    const headers = { 'idempotency-key': 'once' };
    for (let turn = 0; turn < 3; turn++) {
      expect((await app.own.post(path, ENDS.failure, headers)).status).toBe(200);
      expect((await app.own.finalize(body.receipt_id, ENDS.failure)).status).toBe(409);
    }
    expect((await state(commitment)).totals).toMatchObject({ receipts_count: 1, failure_count: 1 });
  });

  test('all counts are those of a scan, for items of any days', async () => {
    const step = fc.record({
      outcome: fc.constantFrom<Outcome>('success', 'failure'),
      kind: fc.constantFrom('evidence', 'receipt'),
      later: fc.constantFrom(0, 0, 0.5, 1, 3, 20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { commitment } = await enrolledAgent(app);
        const done: { day: number; outcome: Outcome }[] = [];
        for (const { outcome, kind, later } of steps) {
          time.advance(later * DAY_MS);
          done.push({ day: dayOf(time.now()), outcome });
          await (kind === 'evidence' ? doneWork(app, commitment, [outcome]) : receipt(commitment, outcome));
        }
        const today = dayOf(time.now());
        const rate = (from: number, to: number): number | null => {
          const within = done.filter(({ day }) => day >= from && day <= to);
          const failures = within.filter(({ outcome }) => outcome === 'failure').length;
          return failureRate({ successes: within.length - failures, failures });
        };
        const [current, previous] = [rate(today - 29, today), rate(today - 36, today - 7)];
        const { rolling_30d, trajectory_7d, totals } = await state(commitment);
        expect(rolling_30d.failure_rate).toBe(current);
        if (current === null || previous === null) expect(trajectory_7d).toBeNull();
        else expect(trajectory_7d).toBeCloseTo(previous - current, 9);
        expect(totals.evidence_count + totals.receipts_count).toBe(steps.length);
        expect(totals.failure_count).toBe(done.filter(({ outcome }) => outcome === 'failure').length);
      }),
      { numRuns: 15 },
    );
  });

  test('a transaction that fails changes no count and emits no event', async () => {
    const { commitment } = await enrolledAgent(app);
    const events = emittedEvents(app, 'reputation.');
    const { store } = app.service.trust;
    await doneWork(app, commitment, times(9, 'failure'));
    const failing = store.writeAsService(async (tx) => {
      const agent = await findAgentIn(tx, commitment);
      if (agent === null) throw new Error('no such agent');
      const at = new Date(time.now()).toISOString();
      await countEvidenceIn(tx, app.service.trust, agent, {
        ...{ evidenceSeq: 1, eventHash: DIGEST, outcome: 'failure', artifacts: 1, at },
        ...{ attested: false, repeated: false },
      });
      throw new Error('no');
    });
    expect(await failing.catch(String)).toBe('Error: no');
    expect([(await state(commitment)).rolling_30d.sample_size, events]).toEqual([9, []]);
  });
});

describe('the reputation of an agent', () => {
  test('is degraded and restored once each, with the figures, for its sponsor', async () => {
    const { commitment, agent } = await enrolledAgent(app);
    const events = emittedEvents(app, 'reputation.');
    await doneWork(app, commitment, [...times(7, 'success'), ...times(2, 'failure')]);
    expect(events).toEqual([]);
    await doneWork(app, commitment, times(3, 'failure'));
    expect(events).toEqual([
      {
        event: 'reputation.degraded',
        data: {
          agent_commitment: commitment,
          current_failure_rate: 0.3,
          reason:
            '3 of 10 outcomes in the 30 days up to 2026-11-21 were failures: 30%. The limit is 25%, from 10 outcomes on.',
        },
        timestamp: '2026-11-21T12:00:00.000Z',
        operators: [Number(agent.sponsorSeq)],
      },
    ]);
    // 5 of 50 are a tenth, which is not below it.
    await doneWork(app, commitment, times(38, 'success'));
    expect((await state(commitment)).reputation).toBe('degraded');
    await receipt(commitment, 'success');
    expect(events.slice(1)).toMatchObject([
      {
        event: 'reputation.restored',
        data: {
          current_failure_rate: 0.098,
          reason: '5 of 51 outcomes in the 30 days up to 2026-11-21 were failures: 9.8%, which is below 10%.',
        },
      },
    ]);
    expect((await state(commitment)).reputation).toBe('normal');
  });

  test('goes down and up as often as it does, and stays what it is across restarts', async () => {
    const { commitment } = await enrolledAgent(app, { sponsor: null });
    const eventNames: string[] = [];
    const turns: [number, number][] = [
      [10, 100],
      [30, 300],
      [110, 1100],
    ];
    for (const [failures, successes] of turns) {
      for (const outcomes of [times(failures, 'failure'), times(successes, 'success')]) {
        const events = emittedEvents(app, 'reputation.d');
        const restored = emittedEvents(app, 'reputation.r');
        await doneWork(app, commitment, outcomes);
        eventNames.push(
          ...[...events, ...restored].map(({ event, operators }) => `${event} ${operators.length}`),
        );
        await restart();
      }
    }
    expect(eventNames).toEqual(
      Array.from({ length: 3 }, () => ['reputation.degraded 0', 'reputation.restored 0']).flat(),
    );
  });

  test('has each crossing and each milestone once, under a hundred items at once', async () => {
    const { commitment } = await enrolledAgent(app);
    const events = emittedEvents(app, 'reputation.');
    const issued = await Promise.all(
      Array.from({ length: 40 }, () => app.own.issue({ agent_id: commitment })),
    );
    await Promise.all([
      ...issued.map(({ body }) => app.own.finalize(body.receipt_id, ENDS.failure)),
      doneWork(app, commitment, times(60, 'failure')),
      doneWork(app, commitment, times(60, 'success')),
    ]);
    expect(events.map(({ event }) => event).sort()).toEqual(['reputation.degraded', 'reputation.milestone']);
    expect((await state(commitment)).totals).toEqual({
      evidence_count: 120,
      artifact_count: 120,
      failure_count: 100,
      receipts_count: 40,
    });
  });

  test('has milestones at 100, 500 and 1000 items of evidence, once each, and none for receipts', async () => {
    const { commitment, agent } = await enrolledAgent(app);
    const events: unknown[] = [];
    const work = async (count: number): Promise<void> => {
      const eventNames = emittedEvents(app, 'reputation.milestone');
      await doneWork(app, commitment, times(count, 'success'));
      events.push(...eventNames.map(({ data, operators }) => ({ ...data, operators })));
      await restart();
    };
    await work(99);
    await receipt(commitment, 'success');
    expect(events).toEqual([]);
    await work(1);
    await work(450);
    await work(460);
    const passed = (milestone: number) => ({
      agent_commitment: commitment,
      total_evidence: milestone,
      milestone_tier: milestone,
      operators: [Number(agent.sponsorSeq)],
    });
    expect(events).toEqual([passed(100), passed(500), passed(1000)]);
  });

  test('emits no event once the agent is revoked', async () => {
    const { commitment, agent } = await enrolledAgent(app);
    await doneWork(app, commitment, [...times(99, 'success'), ...times(10, 'failure')]);
    await revokeAgent(agent.agentSeq);
    const events = emittedEvents(app, 'reputation.');
    await doneWork(app, commitment, times(500, 'failure'));
    expect(events).toEqual([]);
    await tick();
    time.advance(31 * DAY_MS);
    await tick();
    expect([events, (await state(commitment)).reputation]).toEqual([[], 'normal']);
  });
});

describe('the days of a reputation', () => {
  test('that fall out of the window restore and degrade by themselves, at the beginning of the day', async () => {
    await tick();
    const restored = await enrolledAgent(app);
    const degraded = await enrolledAgent(app);
    await doneWork(app, restored.commitment, times(10, 'failure'));
    await doneWork(app, degraded.commitment, times(40, 'success'));
    time.advance(DAY_MS);
    await doneWork(app, degraded.commitment, times(10, 'failure'));
    const events = emittedEvents(app, 'reputation.');
    // Twelve hours before the thirtieth day after is the last moment that counts the first.
    time.advance(28 * DAY_MS + DAY_MS / 2 - 1);
    await tick();
    expect(events).toEqual([]);
    time.advance(1);
    await tick();
    expect(events).toMatchObject([
      {
        event: 'reputation.restored',
        data: {
          agent_commitment: restored.commitment,
          current_failure_rate: 0,
          reason: 'There was no outcome in the 30 days up to 2026-12-21, so there was no failure.',
        },
        timestamp: '2026-12-21T00:00:00.000Z',
      },
      {
        event: 'reputation.degraded',
        data: { agent_commitment: degraded.commitment, current_failure_rate: 1 },
      },
    ]);
    await tick();
    expect(events.length).toBe(2);
    expect(await state(restored.commitment)).toMatchObject({
      rolling_30d: { success_rate: null, failure_rate: null, sample_size: 0 },
      totals: { failure_count: 10 },
      score: 0,
    });
  });

  test('on which nobody ran are caught up with, as the present sees them, and each agent is told of once', async () => {
    const { commitment } = await enrolledAgent(app);
    for (let day = 0; day < 5; day++) {
      await doneWork(app, commitment, times(10, 'failure'));
      time.advance(DAY_MS);
    }
    await restart();
    const events = emittedEvents(app, 'reputation.');
    time.advance(200 * DAY_MS);
    await tick();
    await tick();
    expect(events.map(({ event }) => event)).toEqual(['reputation.restored']);
  });

  test('are gone through in batches, and gone on with after a restart', async () => {
    const { store } = app.service.trust;
    await tick();
    // More than two batches; the last one is the one that changes.
    const enrolled = await Promise.all(Array.from({ length: 450 }, () => enrolledAgent(app)));
    const agents = enrolled
      .toSorted((left, right) => left.agent.agentSeq - right.agent.agentSeq)
      .map(({ commitment }) => commitment);
    const [first = '', last = ''] = [agents[0], agents.at(-1)];
    await Promise.all(agents.slice(1, -1).map((commitment) => doneWork(app, commitment, ['success'])));
    await doneWork(app, first, times(10, 'failure'));
    await doneWork(app, last, times(10, 'failure'));
    time.advance(30 * DAY_MS);
    let events = emittedEvents(app, 'reputation.');
    // The service ends after the first batch: the second write is refused.
    const { trust } = app.service;
    let writes = 0;
    trust.store = {
      ...store,
      writeAsService: (body) =>
        writes++ === 0 ? store.writeAsService(body) : Promise.reject(new Error('the end')),
    };
    expect(await tick().catch(String)).toBe('Error: the end');
    trust.store = store;
    expect(events.map(({ data }) => Object(data).agent_commitment)).toEqual([first]);
    const clock = () =>
      app.service.trust.store.read(({ connection }) =>
        connection.sqlite
          .query<{ day: number; agent_seq: number }, []>('SELECT * FROM reputation_clock')
          .get(),
      );
    expect(await clock()).toMatchObject({ day: dayOf(time.now()) - 1, agent_seq: 200 });
    await restart();
    events = emittedEvents(app, 'reputation.');
    await tick();
    expect(events.map(({ data }) => Object(data).agent_commitment)).toEqual([last]);
    expect(await clock()).toMatchObject({ day: dayOf(time.now()), agent_seq: 0 });
    // Other ticks of the day write nothing.
    writes = 0;
    app.service.trust.store = {
      ...app.service.trust.store,
      write: () => Promise.reject(new Error('a write')),
    };
    await tick();
  });
});
