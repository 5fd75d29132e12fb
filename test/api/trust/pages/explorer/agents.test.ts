import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { reputationRecords } from '../../../../../src/trust/evidence/reputation/agent-records.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { BROWSER, type OpenedPage, openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';
import { doneWork, times } from '../../../../support/work.ts';

const DAY = 86_400_000;

/** Names of strangers, each with what a page shows of it. */
const NAMES: [name: string, shown: string][] = [
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
  ['\u202eevil\u2066', 'evil'],
  ['a\u200b\u200bb', 'ab'],
  ['x'.repeat(256), `${'x'.repeat(55)}…`],
  ['\u0301'.repeat(256), '\u0301'],
  ['🏳️‍🌈'.repeat(40), '🏳️‍🌈🏳️‍🌈'],
  ["&amp;'", '&amp;amp;&apos;'],
];

let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let fresh: typeof agent;
let revoked: typeof agent;
const strangers: (typeof agent)[] = [];

beforeAll(async () => {
  time = new VirtualTime(Date.parse('2026-11-11T12:00:00.000Z'));
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app, { name: 'Invoice clerk' });
  fresh = await enrolledAgent(app, { sponsor: null });
  revoked = await enrolledAgent(app);
  await doneWork(app, agent.commitment, [...times(2, 'failure'), ...times(28, 'success')]);
  await doneWork(app, revoked.commitment, ['success']);
  time.advance(10 * DAY);
  await doneWork(app, agent.commitment, [...times(4, 'failure'), ...times(26, 'success')]);
  await app.service.trust.store.writeAsService(async (tx) => {
    tx.connection.sqlite
      .query(
        "UPDATE agent SET state = 'REVOKED', revoked_at = ?, revocation_reason = 'a reason' WHERE agent_seq = ?",
      )
      .run(new Date(time.now()).toISOString(), revoked.agent.agentSeq);
    await reputationRecords.agentRevokedIn(tx, revoked.agent.agentSeq);
  });
  await app.service.trust.log.publisher.publish();
  // The API refuses some of these names; a database may have them from an earlier version.
  for (const [name] of NAMES) strangers.push(await enrolledAgent(app, { name }));
});
afterAll(() => app.close());

const profileOf = async ({ commitment }: typeof agent) =>
  (await app.anyone.get(`/api/v1/profiles/${commitment}`)).body;

describe('the page of an agent', () => {
  test('shows what its profile says', async () => {
    const page = await openPage(app, `/agents/${agent.commitment}`);
    const words = wordsOf(page);
    const profile = await profileOf(agent);
    expect(profile).toMatchObject({ score: 80, trajectory_7d: -0.0333, totals: { evidence_count: 60 } });
    for (const part of [
      'Invoice clerk',
      'Issued The agent proved',
      `Commitment ${agent.commitment} Enrolled 2026-11-11 12:00:00 UTC Sponsor`,
      `Public key ${agent.publicKey}`,
      'Evidence 60 items that the agent signed',
      'Failures 6',
      'over 30 days, from 60 outcomes; 3.3 points less than a week ago',
      '30 days until Success rate 2026-11-21 90.0% 2026-11-14 93.3%',
      'Score 80 of 100',
      'Others attest 60 outcomes, which by themselves give 80',
      'The newest 50 of 60 items, 4 with a failure',
      '42 more',
    ])
      expect(words).toContain(part);
    expect(page.text).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('shows each item of the profile once, with its outcome, and leads to where it is verified', async () => {
    const page = await openPage(app, `/agents/${agent.commitment}`);
    const timeline: { event_commitment_hash: string; outcome: string }[] = Object(
      (await profileOf(agent)).timeline,
    );
    const bundles = timeline.map(
      ({ event_commitment_hash: hash }) =>
        `/api/v1/passport/agents/${agent.commitment}/evidence/${hash}/bundle`,
    );
    const shown = page.links.filter((link) => link.includes('evidence'));
    expect(shown).toEqual(bundles.map((path) => `/verify?document=${path}`));
    expect((await app.anyone.get(bundles[0] ?? '')).status).toBe(200);
    const outcomes = [...page.text.matchAll(/<span class="tag \w+">(Success|Failure)</g)].map(
      ([, word]) => word,
    );
    expect(outcomes.map((word) => word?.toLowerCase())).toEqual(timeline.map(({ outcome }) => outcome));
    expect(page.text.match(/<circle class="failed" cx="[\d.]+%"/g)).toHaveLength(4);
  });

  test('has only links that exist, of documents that everybody may read', async () => {
    const { links } = await openPage(app, `/agents/${agent.commitment}`);
    const documents = links.filter((link) => link.startsWith('/api/v1/') && link.includes(agent.commitment));
    expect(documents).toHaveLength(5);
    for (const path of documents) {
      const response = await app.fetch(
        new Request(`http://localhost${path}`, { headers: { accept: BROWSER } }),
      );
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  test('of an agent without outcomes says so', async () => {
    const page = await openPage(app, `/agents/${fresh.commitment}`);
    for (const part of [
      'Unnamed agent',
      'Sponsor none',
      'had no outcomes in 30 days',
      'has not sent any evidence',
    ])
      expect(wordsOf(page)).toContain(part);
    expect(page.text).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('of a revoked agent stays, without the reason', async () => {
    const page = await openPage(app, `/agents/${revoked.commitment}`);
    expect(wordsOf(page)).toContain('Revoked It can never act again.');
    expect(wordsOf(page)).toContain('Revoked 2026-11-21 12:00:00 UTC');
    expect(page.text).not.toContain('a reason');
  });

  test('never shows the whole id of the sponsor', async () => {
    const { text } = await openPage(app, `/agents/${agent.commitment}`);
    expect(text).not.toContain(app.service.firstStart.operatorId ?? 'x');
    expect(text).toMatch(/op_cus_\w{4}…\w{4}/);
  });

  test.each(NAMES.map(([name, shown], index) => ({ name: name.slice(0, 20), shown, index })))(
    'shows the name $name as text',
    async ({ shown, index }) => {
      const page = await openPage(app, `/agents/${strangers[index]?.commitment}`);
      expect(page.status).toBe(200);
      const [, heading = ''] = /<h1><bdi>\u2068(.*)\u2069<\/bdi><\/h1>/.exec(page.text) ?? [];
      expect(heading.startsWith(shown.slice(0, -1)) || heading === 'unreadable name').toBe(true);
      expect(heading.length).toBeLessThan(500);
      expect(page.text).not.toMatch(/[\u202e\u200b\u2066]/);
    },
  );

  test.each(['ab'.repeat(32), 'x', '%00', '%FF', "'%20OR%201=1%20--", 'x'.repeat(257), 'A'.repeat(64)])(
    'is not there for %s, with the same page as for any other unknown agent',
    async (hash) => {
      const page = await openPage(app, `/agents/${hash}`);
      const other = await openPage(app, `/agents/${'cd'.repeat(32)}`);
      const withoutRequest = ({ text }: OpenedPage) => text.replace(/[0-9a-f-]{36}/g, '');
      expect([page.status, withoutRequest(page)]).toEqual([404, withoutRequest(other)]);
    },
  );

  test('is where a browser gets from the profile', async () => {
    const path = `http://localhost/api/v1/profiles/${agent.commitment}`;
    const browser = await app.fetch(new Request(path, { headers: { accept: BROWSER } }));
    expect([browser.status, browser.headers.get('location')]).toEqual([303, `/agents/${agent.commitment}`]);
    expect((await app.fetch(new Request(path))).status).toBe(200);
  });

  test.each([
    (hash: string) => `/api/v1/credentials/${hash}`,
    (hash: string) => `/api/v1/passport/agents/${hash}/passport`,
    (hash: string) => `/api/v1/badge/${hash}/attestation`,
    (hash: string) => `/api/v1/anp/agents/${hash}`,
  ])('is not where a browser gets from other documents of the agent', async (pathOf) => {
    const url = `http://localhost${pathOf(agent.commitment)}`;
    expect((await app.fetch(new Request(url, { headers: { accept: BROWSER } }))).status).toBe(200);
  });
});

describe('the page of the leaderboard', () => {
  interface Ranked {
    rank: number;
    subject_commitment: string;
    name: string | null;
    evidence_count: number;
    success_rate: number | null;
    sample_size: number;
    score: number;
  }

  test.each([
    ['evidence', '/leaderboard', '/leaderboard?cursor='],
    ['score', '/leaderboard?sort=score', '/leaderboard?sort=score&cursor='],
  ])('shows what the API says by %s, page after page', async (sort, first, next) => {
    for (let made = 0; made < 20; made++) await enrolledAgent(app);
    const { body } = await app.anyone.get(`/api/v1/leaderboard?limit=100&sort=${sort}`);
    const ranked: Ranked[] = Object(body.agents);
    const seen: string[] = [];
    let path: string | undefined = first;
    while (path !== undefined) {
      const page: OpenedPage = await openPage(app, path);
      expect(page.status).toBe(200);
      for (const row of page.text.split('<tr>').slice(2)) {
        const hash = /href="\/agents\/(\w+)"/.exec(row)?.[1] ?? '';
        const agent = ranked[seen.length];
        seen.push(hash);
        const words = wordsOf({ text: row });
        expect(agent?.subject_commitment).toBe(hash);
        expect(words).toStartWith(` ${agent?.rank} `);
        expect(words).toContain(` ${agent?.evidence_count} ${agent?.score} `);
        const rate = agent?.success_rate ?? null;
        expect(words).toContain(
          rate === null ? 'no outcomes' : `${(rate * 100).toFixed(1)}% of ${agent?.sample_size}`,
        );
      }
      path = page.links.map((link) => link.replaceAll('&amp;', '&')).find((link) => link.startsWith(next));
    }
    expect(seen).toEqual(ranked.map(({ subject_commitment }) => subject_commitment));
    expect(seen.length).toBeGreaterThan(20);
    expect(seen).not.toContain(revoked.commitment);
  });

  test('leads from one order to the other, and refuses others', async () => {
    expect((await openPage(app, '/leaderboard')).links).toContain('/leaderboard?sort=score');
    const { links, text } = await openPage(app, '/leaderboard?sort=score');
    expect(links).toContain('/leaderboard');
    expect(text).toContain('those with the highest score first');
    expect((await openPage(app, '/leaderboard?sort=name')).status).toBe(400);
  });

  test('shows names of strangers as text', async () => {
    const { text } = await openPage(app, '/leaderboard');
    expect(text).toContain('&lt;script&gt;alert');
    expect(text).not.toMatch(/<script|[\u202e\u200b\u2066]/);
  });

  test.each(['x', '', '%00', 'x'.repeat(600)])('refuses the cursor %s', async (cursor) => {
    const page = await openPage(app, `/leaderboard?cursor=${cursor}`);
    expect([page.status, page.elements.get('h1')]).toEqual([400, 1]);
  });

  test('of a service without agents says so', async () => {
    const empty = await openTrustApp();
    expect(wordsOf(await openPage(empty, '/leaderboard'))).toContain('No agent has enrolled.');
    await empty.close();
  });

  test('is where a browser gets from the API, with the same cursor', async () => {
    const path = 'http://localhost/api/v1/leaderboard?limit=5&cursor=abc';
    const browser = await app.fetch(new Request(path, { headers: { accept: BROWSER } }));
    expect([browser.status, browser.headers.get('location')]).toEqual([
      303,
      '/leaderboard?limit=5&cursor=abc',
    ]);
  });
});
