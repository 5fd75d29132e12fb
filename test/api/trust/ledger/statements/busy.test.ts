import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Months } from '../../../../../src/trust/ledger/statements/months.ts';
import { OperatorBuilds } from '../../../../../src/trust/ledger/statements/operator-builds.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { Visitor } from '../../../../support/account.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const time = new VirtualTime(Date.parse('2026-10-20T12:00:00Z'));
const [START, END] = [Date.parse('2026-10-01T00:00:00Z'), Date.parse('2026-11-01T00:00:00Z')];
let app: TrustApp;
let agents: CreditedAgent[];

beforeAll(async () => {
  app = await openTrustApp({ rate_limits: 'on', 'limits.packages': '2', 'limits.statements': '4' }, time);
  agents = [];
  while (agents.length < 3) agents.push(await creditedAgent(app, { credits: { promotional: 5 } }));
  time.advance(END + 86_400_000 - time.now());
});
afterAll(() => app.close());

const pathOf = (agent: CreditedAgent | undefined) =>
  `/api/v1/passport/agents/${agent?.commitment}/statements/2026-10`;

test('one month is added up, sixteen wait, and another is refused; who may act for the account comes first', async () => {
  const months = new Months(join(app.directory, trustDatabase.name), new OperatorBuilds(null));
  const [agent] = agents;
  if (agent === undefined) throw new Error('there is no agent');
  const { agentSeq } = agent.agent;
  const sums = (isOwn: boolean, payer: number | null = null) =>
    months.sumsOf(
      {
        account: { kind: 'agent', ownerSeq: agentSeq, name: agent.commitment },
        ...{ start: START, end: END, isOwn, payer },
      },
      null,
      async () => () => undefined,
    );
  const strangers = Array.from({ length: 19 }, () => sums(false));
  const own = sums(true);
  const ended = await Promise.allSettled([...strangers, own]);
  // The own one displaced the last that waited.
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([
    ...Array.from({ length: 16 }, () => true),
    ...[false, false, false, true],
  ]);
  for (const result of ended)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({
        code: 'overloaded',
        details: {
          message: 'Too many statements are being made. Repeat the request later.',
          headers: { 'retry-after': '2' },
        },
      });
  // One payer has all places, until another one asks: then each has its share, and its turn.
  const order: string[] = [];
  const named = (name: string, payer: number) => sums(true, payer).then(() => void order.push(name));
  const many = Array.from({ length: 17 }, (_, index) => named(`a${index}`, 1));
  const few = ['b0', 'b1'].map((name) => named(name, 2));
  const shared = await Promise.allSettled([...many, ...few]);
  expect(shared.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([15, 16]);
  expect(order.slice(0, 5)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  const late = sums(false);
  months.close();
  await expect(late).rejects.toMatchObject({ code: 'overloaded' });
  await expect(sums(false)).rejects.toMatchObject({ code: 'overloaded' });
});

test('strangers have a limit of months that are added up for them; those that are kept do not count', async () => {
  const [first, second, third] = agents;
  for (const agent of [first, second, first, second])
    expect((await app.anyone.get(pathOf(agent))).status).toBe(200);
  expect((await app.anyone.get(pathOf(third))).status).toBe(429);
  expect((await app.own.get('/api/v1/account/statements/2026-10')).status).toBe(200);
});

test('an operator has a limit of its own, which neither strangers nor another operator use up', async () => {
  const [CURRENT, CLOSED] = ['/api/v1/account/statements/current', '/api/v1/account/statements/2026-10'];
  const [first] = agents;
  // The other operator has its own of 4, whatever the address has used up.
  const statuses: number[] = [];
  while (statuses.length < 6) statuses.push((await app.other.get(CURRENT)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const refused = await app.other.get(CLOSED);
  expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
  expect(refused.body.error).toBe(
    '4 statements were made for your operator within a minute, which is the limit. Repeat the request later.',
  );
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
  // The first one made a month of its pool before, which is kept. Those of its agents count too.
  for (const path of [CLOSED, CURRENT, CLOSED, pathOf(first).replace('2026-10', 'current'), CURRENT])
    expect([path, (await app.own.get(path)).status]).toEqual([path, 200]);
  expect((await app.own.get(CURRENT)).status).toBe(429);
  for (const path of [CLOSED, pathOf(first)]) expect((await app.own.get(path)).status).toBe(200);
});

test('the pages of the account have the same limit, and say so', async () => {
  const person = new Visitor(app.fetch);
  expect((await person.logIn(app.otherKey)).status).toBe(200);
  const { status, text } = await person.get('/account/credits/current/statement');
  expect(status).toBe(429);
  expect(text).toContain('4 statements were made for your operator within a minute');
});

test('the page of a month for the account counts against the same limit, and CSV does not', async () => {
  const headers = { authorization: `Bearer ${app.otherKey}` };
  const statusOf = async (accept: string) =>
    (
      await app.fetch(
        new Request('http://localhost/api/v1/account/statements/current', {
          headers: { ...headers, accept },
        }),
      )
    ).status;
  expect([await statusOf('text/html'), await statusOf('text/csv')]).toEqual([429, 200]);
});
