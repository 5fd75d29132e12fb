import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const POOL = '/api/v1/account/statements';
const JOURNAL = '/api/v1/operator/journal';
const time = new VirtualTime(Date.parse('2026-10-31T23:30:00Z'));
const { TZ } = process.env;
let app: TrustApp;
let agent: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  // In October by UTC; in Kiritimati (+14) it is November.
  agent = await creditedAgent(app, { credits: { promotional: 5 } });
  time.advance(3600_000);
  // In November by UTC; in Los Angeles (−7) it is still October.
  for (const amount of [2, 3]) await grant(amount);
  time.advance(3600_000);
});
afterAll(() => app.close());
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

async function grant(amount: number): Promise<void> {
  const body = { subject_commitment: agent.commitment, amount };
  expect((await app.own.post('/api/v1/passport/credits/grants', body)).status).toBe(201);
}

const ofAgent = () => `/api/v1/passport/agents/${agent.commitment}`;

test.each(['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'])(
  'a month is one of UTC, wherever the service is: %s',
  async (zone) => {
    process.env.TZ = zone;
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    const { body } = await app.anyone.get(`${ofAgent()}/statements/2026-10`);
    expect(body).toMatchObject({
      ...{ from: '2026-10-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z', interim: false },
      closing: { promotional: { available: 5, locked: 0 } },
    });
    const current = await app.anyone.get(`${ofAgent()}/statements/current`);
    expect(current.body).toMatchObject({ month: '2026-11', closing: { promotional: { available: 10 } } });
    expect((await app.anyone.get(`${ofAgent()}/statements/last`)).body.month).toBe('2026-10');
    const headers = { accept: 'text/html', authorization: `Bearer ${app.apiKey}` };
    const page = await app.fetch(new Request(`http://localhost${POOL}/2026-10`, { headers }));
    const text = await page.text();
    expect(text).toContain('Statement of October 2026');
    expect(text).toContain('2026-11-01 00:00:00 UTC');
  },
);

test('a time with an offset selects the same entries of a journal as that time in UTC', async () => {
  const amounts = async (from: string): Promise<number[]> => {
    const query = new URLSearchParams({ from, kind: 'OPERATOR_GRANT' });
    const { status, body } = await app.own.get(`${ofAgent()}/credit-journal?${query}`);
    expect([from, status]).toEqual([from, 200]);
    return Object(body.entries).map(({ amount }: { amount: number }) => amount);
  };
  for (const from of ['2026-11-01T00:00:00Z', '2026-11-01T14:00:00+14:00', '2026-10-31T17:00:00-07:00'])
    expect([from, await amounts(from)]).toEqual([from, [3, 2]]);
});

test('a cursor of the journal of the pool is none of that of an agent, and the other way round', async () => {
  const paths = [JOURNAL, `${ofAgent()}/credit-journal`];
  const cursors: string[] = [];
  for (const path of paths) {
    const { body } = await app.own.get(`${path}?limit=1`);
    cursors.push(String(body.next_cursor));
  }
  const statusOf = async (path = '', cursor = '') =>
    (await app.own.get(`${path}?limit=1&cursor=${encodeURIComponent(cursor)}`)).status;
  const [pool, ofOne] = cursors;
  expect([await statusOf(paths[0], pool), await statusOf(paths[1], ofOne)]).toEqual([200, 200]);
  expect([await statusOf(paths[0], ofOne), await statusOf(paths[1], pool)]).toEqual([400, 400]);
});
