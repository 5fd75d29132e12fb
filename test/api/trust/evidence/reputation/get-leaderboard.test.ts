import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../../../../src/platform/http/pagination/cursor.ts';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { reputationRecords } from '../../../../../src/trust/evidence/reputation/agent-records.ts';
import type { Outcome } from '../../../../../src/trust/evidence/reputation/count.ts';
import { rankedAfter } from '../../../../../src/trust/evidence/reputation/leaderboard-store.ts';
import { windowBounds } from '../../../../../src/trust/evidence/reputation/score.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { DIGEST } from '../../../../support/client.ts';
import { type Scenario, scenarios } from '../../../../support/scenario.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, times } from '../../../../support/work.ts';

const LEADERBOARD = '/api/v1/leaderboard';

interface Item {
  rank: number;
  subject_commitment: string;
  evidence_count: number;
}

let app: TrustApp;
let time: VirtualTime;
/** Commitments in the order that the leaderboard has to have them in. */
const order: string[] = [];

beforeAll(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00.000Z'));
  app = await openTrustApp({}, time);
  // Two each with 0 to 4 items, in an order of enrollment that is not that of the list.
  const counts = [2, 0, 4, 1, 3, 3, 1, 4, 0, 2];
  const agents: { commitment: string; count: number; seq: number }[] = [];
  for (const [seq, count] of counts.entries()) {
    const { commitment } = await enrolledAgent(app, { name: seq === 2 ? '<b>"busy"</b>' : null });
    await doneWork(app, commitment, times(count, 'success'));
    agents.push({ commitment, count, seq });
  }
  agents.sort((left, right) => right.count - left.count || left.seq - right.seq);
  order.push(...agents.map(({ commitment }) => commitment));
  const revoked = await enrolledAgent(app);
  await doneWork(app, revoked.commitment, times(9, 'success'));
  await app.service.trust.store.writeAsService((tx) =>
    reputationRecords.agentRevokedIn(tx, revoked.agent.agentSeq),
  );
});
afterAll(() => app.close());

function itemsOf(body: Record<string, unknown>): Item[] {
  if (!Array.isArray(body.agents)) throw new Error('no agents');
  return body.agents;
}

function cursorBehindEverybody(): string {
  const position = Type.Tuple([positionNumber, positionNumber, positionNumber, positionNumber]);
  return app.service.trust.cursors.of({ name: 'leaderboard', position }, []).write([0, 0, 1_000_000, 10]);
}

/** Reads all pages, calling `between` after each. */
async function all(limit: number, between = async (): Promise<void> => undefined): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await app.anyone.get(`${LEADERBOARD}?limit=${limit}${query}`);
    expect(status).toBe(200);
    items.push(...itemsOf(body));
    cursor = body.next_cursor;
    await between();
  }
  return items;
}

describe('a request for the leaderboard', () => {
  const refused = (query: string, issue: string): Scenario => [
    `with ${query} is refused`,
    `GET ${LEADERBOARD}?${query}`,
    `400 validation_error: ${issue}`,
  ];
  scenarios(
    () => app,
    [
      refused('limit=-1', 'limit'),
      refused('limit=ten', 'limit'),
      refused('limit=1&limit=2', 'limit'),
      refused('cursor=nonsense', 'cursor'),
      refused('cursor=', 'cursor'),
      refused(`cursor=${'x'.repeat(513)}`, 'cursor'),
      refused('offset=1', 'offset'),
      [
        'is answered to anyone, from any origin',
        `GET ${LEADERBOARD}`,
        '200',
        {
          responseHeaders: { 'access-control-allow-origin': '*' },
          contains: ['"next_cursor":null', '"name":"<b>\\"busy\\"</b>"'],
          lacks: ['op_cus_', 'sponsor_', 'public_key', 'agentSeq'],
        },
      ],
      ['by POST is refused', `POST ${LEADERBOARD}`, '405', { body: {} }],
      [
        'with a cursor behind everybody is answered with an empty page',
        () => `GET ${LEADERBOARD}?cursor=${cursorBehindEverybody()}`,
        '200',
        { contains: ['{"agents":[],"next_cursor":null,"signed":false}'] },
      ],
    ],
    { by: 'anyone' },
  );

  test('that exceeds the limit is a 429 with the headers', async () => {
    const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '2' });
    const ask = () => limited.fetch(new Request(`http://localhost${LEADERBOARD}`), '203.0.113.7');
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit')).toContain('"public-reads";r=1');
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    await limited.close();
  });
});

describe('the leaderboard', () => {
  test.each([1, 2, 3, 7, 9, 10, 11, 100])(
    'in pages of %p shows everybody once, with ranks that go on',
    async (limit) => {
      const items = await all(limit);
      expect(items.map(({ subject_commitment }) => subject_commitment)).toEqual(order);
      expect(items.map(({ rank }) => rank)).toEqual(order.map((_, index) => index + 1));
      expect(items.map(({ evidence_count }) => evidence_count)).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0, 0]);
    },
  );

  test('shows no agent twice while evidence arrives between its pages', async () => {
    const [first = '', , , fourth = ''] = order;
    const items = await all(3, async () => {
      await doneWork(app, first, ['success']);
      await doneWork(app, fourth, ['success', 'success']);
    });
    const shown = items.map(({ subject_commitment }) => subject_commitment);
    expect(new Set(shown).size).toBe(shown.length);
    expect([...shown, fourth].toSorted().filter((each, index, list) => each !== list[index - 1])).toEqual(
      order.toSorted(),
    );
  });

  test('shows the rates of the window and how they moved', async () => {
    const { commitment } = await enrolledAgent(app, { name: 'steady' });
    const outcomes: Outcome[] = [...times(90, 'success'), ...times(10, 'failure')];
    await doneWork(app, commitment, outcomes);
    time.advance(7 * DAY_MS);
    await doneWork(app, commitment, times(100, 'success'));
    const { body } = await app.own.issue({ agent_id: commitment });
    await app.own.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
    const [item] = itemsOf((await app.anyone.get(`${LEADERBOARD}?limit=1`)).body);
    expect(item).toEqual({
      rank: 1,
      subject_commitment: commitment,
      name: 'steady',
      evidence_count: 200,
      success_rate: 0.9502,
      failure_rate: 0.0498,
      sample_size: 201,
      trajectory_7d: 0.0502,
      score: 91,
      score_corroborated: 91,
      score_basis: { corroborated: 200, sponsored: 1, self_signed: 0 },
    } as typeof item);
  });
});

test('the SQL plan of the leaderboard reads of everybody only what the page needs', async () => {
  const steps = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, (watched) =>
      rankedAfter(watched, 'evidence', {
        ...{ score: 1, evidenceCount: 1, agentSeq: 0 },
        ...windowBounds(20_000),
        limit: 50,
      }),
    ),
  );
  const range = 'SEARCH agent_standing USING COVERING INDEX agent_standing_by_volume';
  expect(steps.filter((step) => step.startsWith(range))).toEqual([
    `${range} (listed=? AND evidence_count=? AND agent_seq>?)`,
    `${range} (listed=? AND evidence_count<?)`,
  ]);
  // The one sort is that of the page's own rows.
  expect(steps.filter((step) => step.includes('TEMP B-TREE')).length).toBe(1);
  expect(steps.filter((step) => /^SCAN (?!\(subquery)|AUTOMATIC/.test(step))).toEqual([]);
});
