import { afterAll, beforeAll, expect, test } from 'bun:test';
import { advanceDays } from '../../../../../src/trust/evidence/reputation/advance-days.ts';
import { rankedAfter } from '../../../../../src/trust/evidence/reputation/leaderboard-store.ts';
import { windowBounds } from '../../../../../src/trust/evidence/reputation/score.ts';
import { scoreAgents } from '../../../../../src/trust/evidence/reputation/score-agents.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, times } from '../../../../support/work.ts';

const DAY = 86_400_000;
const time = new VirtualTime(Date.parse('2026-11-21T12:00:00Z'));
let app: TrustApp;
/** Agents by what they are good at. */
const agents = { busy: '', proven: '', failing: '', fresh: '' };
beforeAll(async () => {
  app = await openTrustApp({}, time);
  for (const name of ['busy', 'proven', 'failing', 'fresh'] as const)
    agents[name] = (await enrolledAgent(app)).commitment;
  await doneWork(app, agents.busy, times(30, 'success'), { attested: false });
  await doneWork(app, agents.proven, times(20, 'success'));
  await doneWork(app, agents.failing, [...times(10, 'success'), ...times(10, 'failure')]);
});
afterAll(() => app.close());

interface Ranked {
  subject_commitment: string;
  score: number;
}

async function ranked(query: string): Promise<Ranked[]> {
  const items: Ranked[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { status, body } = await app.anyone.get(
      `/api/v1/leaderboard?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    items.push(...Object(body.agents));
    cursor = body.next_cursor;
  }
  return items;
}

/** What fsck finds. The work of `doneWork` says that it has an artifact, and has none. */
async function wrong() {
  const problems = await app.service.trust.store.read(wrongCounts);
  return problems.filter(({ what }) => !what.startsWith('artifact_count'));
}

async function scored(): Promise<void> {
  await advanceDays(app.service.trust);
  await scoreAgents(app.service.trust);
}

test('the leaderboard by score has the highest scores first, page by page, and that by evidence has not', async () => {
  await scored();
  const byScore = [agents.proven, agents.failing, agents.busy, agents.fresh];
  for (const limit of [1, 2, 50]) {
    const items = await ranked(`sort=score&limit=${limit}`);
    expect(items.map(({ subject_commitment }) => subject_commitment)).toEqual(byScore);
  }
  expect((await ranked('sort=score')).map(({ score }) => score)).toEqual([84, 30, 0, 0]);
  expect((await ranked('limit=2')).map(({ subject_commitment }) => subject_commitment)).toEqual([
    ...[agents.busy, agents.proven, agents.failing, agents.fresh],
  ]);
  expect(await wrong()).toEqual([]);
});

test('a cursor of one order is none of the other, and an order that is none is refused', async () => {
  const { body } = await app.anyone.get('/api/v1/leaderboard?sort=score&limit=1');
  for (const query of [`cursor=${body.next_cursor}`, 'sort=volume'])
    expect((await app.anyone.get(`/api/v1/leaderboard?${query}`)).status).toBe(400);
});

test('outcomes that leave the window change the order without a new outcome', async () => {
  time.advance(31 * DAY);
  await doneWork(app, agents.failing, times(1, 'success'));
  await scored();
  const [first] = await ranked('sort=score');
  expect(first).toMatchObject({ subject_commitment: agents.failing, score: 21 });
  expect(await wrong()).toEqual([]);
});

test('the SQL plan of the order by score reads of everybody only what the page needs', async () => {
  const position = { score: 1, evidenceCount: 1, agentSeq: 0 };
  const steps = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, (watched) =>
      rankedAfter(watched, 'score', { ...position, ...windowBounds(20_000), limit: 50 }),
    ),
  );
  const range = 'SEARCH agent_standing USING COVERING INDEX agent_standing_by_score';
  expect(steps.filter((step) => step.startsWith(range))).toEqual([
    `${range} (listed=? AND score=? AND evidence_count=? AND agent_seq>?)`,
    `${range} (listed=? AND score=? AND evidence_count<?)`,
    `${range} (listed=? AND score<?)`,
  ]);
  expect(steps.filter((step) => step.includes('TEMP B-TREE')).length).toBe(1);
});
