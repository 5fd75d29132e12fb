import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { parseJson } from '../../../../../src/proof/encoding/json.ts';
import { type HeadProofVerdict, judgeHeadProof } from '../../../../../src/proof/ledger/head-verdict.ts';
import { ofOpenLogs, readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { checkJournal } from '../../../../../src/proof/verifier/judge/head-in-journal.ts';
import { nextHeadsOf, recordHeads } from '../../../../../src/trust/receipts/heads/record-heads.ts';
import { insertPart, insertTree, unfinishedTree } from '../../../../../src/trust/receipts/heads/store.ts';
import { accountLeavesOf } from '../../../../../src/trust/receipts/linked/log/leaves.ts';
import { audited } from '../../../../support/audit.ts';
import { wholeJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, grantFrom, holderOf } from '../../../../support/credits.ts';
import { ENGAGEMENTS, marketOf, SERVICE_TOKEN } from '../../../../support/engagements.ts';
import { pastTriggers } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const POOL_PROOF = '/api/v1/operator/journal/head-proof';
const NOON = Date.parse('2026-11-28T12:00:00.000Z');

let time: VirtualTime;
let app: TrustApp;
beforeEach(async () => {
  time = new VirtualTime(NOON);
  app = await openTrustApp({ service_token: SERVICE_TOKEN }, time);
});
afterEach(() => app.close());

const record = () => recordHeads(app.service.trust);
const problems = async () => (await audited(app.directory)).reported;
const pathOf = ({ commitment }: { commitment: string }, date = '') =>
  `/api/v1/passport/agents/${commitment}/credit-journal/head-proof${date === '' ? '' : `?date=${date}`}`;
const journalPath = ({ commitment }: { commitment: string }) =>
  `/api/v1/passport/agents/${commitment}/credit-journal`;
const grant = (agent: CreditedAgent, promotional = 1) =>
  grantFrom(app, app.service.firstStart.operatorId, agent.agent, { promotional });

/** Passes days, and records the heads of the last one. */
async function passDays(days = 1): Promise<void> {
  await time.advance(days * DAY_MS);
  await record();
}

/** Returns the leaves of the log of accounts. */
async function leaves(): Promise<{ date: string; accounts: number; root: string }[]> {
  const stored = await app.service.trust.store.read((snapshot) => accountLeavesOf(snapshot, 0, 1000));
  return stored.map(({ entry }) => JSON.parse(entry));
}

/** Judges a proof as `countersign verify` does, with the journal of a path or of an agent, or without one. */
async function verdictOn(proof: unknown, journalOf?: CreditedAgent | string) {
  const keys = await app.anyone.get('/api/v1/transparency/keys');
  const listed = readLogKeys(nativePrimitives, parseJson(JSON.stringify(keys.body))).trusted;
  const logKeys = ofOpenLogs(listed);
  const journal =
    journalOf === undefined
      ? undefined
      : await wholeJournal(app, typeof journalOf === 'string' ? journalOf : journalPath(journalOf));
  const document = JSON.parse(JSON.stringify(proof));
  const options = { logKeys, now: time.now() };
  return judgeHeadProof(
    nativePrimitives,
    document,
    options,
    journal === undefined ? null : (head) => checkJournal(nativePrimitives, journal, head),
  );
}

test('each day on which a journal grew has one leaf, with the journals that grew', async () => {
  const one = await creditedAgent(app, { credits: { promotional: 50 } });
  await creditedAgent(app, { credits: { promotional: 50 } });
  const { trust } = app.service;
  expect(await nextHeadsOf(trust, time.now())).toBe(Date.parse('2026-11-29T00:00:00.000Z'));
  await record();
  expect(await leaves()).toEqual([]);
  await passDays();
  await record();
  expect(await nextHeadsOf(trust, time.now())).toBeNull();
  await passDays();
  await grant(one);
  await passDays();
  expect((await leaves()).map(({ date, accounts }) => [date, accounts])).toEqual([
    ['2026-11-28', 3],
    ['2026-11-30', 2],
  ]);
  expect(await problems()).toEqual([]);
});

test('after days without a service there is one leaf, of the newest day', async () => {
  await creditedAgent(app, { credits: { promotional: 50 } });
  await passDays(5);
  expect((await leaves()).map(({ date }) => date)).toEqual(['2026-12-02']);
});

test('what moves after midnight waits for the end of its day, unless a movement of an ended day waits too', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 50 } });
  await passDays();
  await grant(agent);
  await record();
  expect(await leaves()).toHaveLength(1);
});

test('a clock that is set back brings no second leaf of a day', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 50 } });
  await passDays(3);
  await grant(agent);
  time.jump(-2 * DAY_MS);
  await record();
  expect((await leaves()).map(({ date }) => date)).toEqual(['2026-11-30']);
});

test('the tree of hundreds of heads proves each of them', async () => {
  const agents: CreditedAgent[] = [];
  for (let count = 0; count < 40; count++)
    agents.push(await creditedAgent(app, { credits: { promotional: 2 } }));
  await passDays();
  await app.service.trust.log.publisher.publish();
  for (const agent of agents) {
    const { body } = await app.own.get(pathOf(agent));
    const { verdict, problems: wrong } = await verdictOn(body, agent);
    expect([verdict, wrong]).toEqual(['valid', []]);
  }
  expect(new Set((await leaves()).map(({ accounts }) => accounts))).toEqual(new Set([41]));
});

test('a proof is of the newest day up to the date that has the account', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 50 } });
  await passDays();
  await passDays(2);
  await grant(agent);
  await passDays();
  await app.service.trust.log.publisher.publish();
  const dated = async (date: string) => (await app.own.get(pathOf(agent, date))).body;
  const [first, second] = [await dated('2026-11-30'), await dated('2026-12-01')];
  expect([first.date, Object(first.leaf).entries]).toEqual(['2026-11-28', 1]);
  expect([second.date, Object(second.leaf).entries]).toEqual(['2026-12-01', 2]);
  for (const proof of [first, second]) expect((await verdictOn(proof, agent)).verdict).toBe('valid');
});

test('a journal without the head of a proof is named as cut', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 50 } });
  const another = await creditedAgent(app, { credits: { promotional: 50 } });
  await passDays();
  await app.service.trust.log.publisher.publish();
  const { body } = await app.own.get(pathOf(agent));
  const cut = await verdictOn(body, another);
  expect([cut.verdict, cut.checks.journal]).toEqual(['journal_cut', 'bad']);
});

test.each<[string, (proof: Record<string, never>) => object, HeadProofVerdict]>([
  ['another number of entries', ({ leaf }) => ({ leaf: { ...Object(leaf), entries: 9 } }), 'mismatch'],
  ['another head', ({ leaf }) => ({ leaf: { ...Object(leaf), head: 'ab'.repeat(32) } }), 'mismatch'],
  ['another salt', ({ leaf }) => ({ leaf: { ...Object(leaf), salt: 'ab'.repeat(16) } }), 'mismatch'],
  ['another day', () => ({ date: '2026-11-27' }), 'mismatch'],
  ['another index', () => ({ leaf_index: 7 }), 'mismatch'],
  ['no path', () => ({ hashes: [] }), 'mismatch'],
  ['no proof of the log', () => ({ proof: null }), 'not_proven'],
  ['a member that nothing signs', () => ({ balance: 7 }), 'malformed'],
  ['a date that does not exist', () => ({ date: '2026-02-30' }), 'malformed'],
  ['an account of no form', ({ leaf }) => ({ leaf: { ...Object(leaf), account: 'me' } }), 'malformed'],
])('a proof with %s proves nothing', async (_, changed, verdict) => {
  const agent = await creditedAgent(app, { credits: { promotional: 5 } });
  await creditedAgent(app, { credits: { promotional: 5 } });
  await passDays();
  await app.service.trust.log.publisher.publish();
  const { body } = await app.own.get(pathOf(agent));
  expect((await verdictOn({ ...body, ...changed(Object(body)) })).verdict).toBe(verdict);
});

test('only those who see all of a journal get its heads', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 5 } });
  await passDays();
  const holder = await holderOf(app, agent);
  const statusOf = async (caller: TrustApp['own'], path = pathOf(agent)) => (await caller.get(path)).status;
  expect(await statusOf(app.own)).toBe(200);
  expect(await statusOf(holder)).toBe(200);
  expect(await statusOf(app.other)).toBe(403);
  expect(await statusOf(app.anyone)).toBe(401);
  expect(await statusOf(app.own, pathOf({ commitment: 'ab'.repeat(32) }))).toBe(404);
});

test("the journal of an operator's pool has a head too, for its issuer keys", async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 5 } });
  await passDays();
  await app.service.trust.log.publisher.publish();
  const { status, body } = await app.own.get(POOL_PROOF);
  expect([status, Object(body.leaf).account]).toEqual([200, app.service.firstStart.operatorId]);
  const whole = '/api/v1/operator/journal';
  expect((await verdictOn(body, whole)).verdict).toBe('valid');
  const foreign = await verdictOn(body, journalPath(agent));
  expect([foreign.verdict, foreign.problems]).toEqual([
    'journal_cut',
    [`journal: it is not the journal of ${app.service.firstStart.operatorId}`],
  ]);
  const some = await verdictOn(body, '/api/v1/operator/journal?kind=OPERATOR_GRANT');
  expect(some.problems).toEqual([
    'journal: line 1: The journal was asked for with filters, so entries are missing.',
  ]);
  expect((await app.other.get(POOL_PROOF)).status).toBe(404);
  expect((await app.anyone.get(POOL_PROOF)).status).toBe(401);
  expect((await (await holderOf(app, agent)).get(POOL_PROOF)).status).toBe(403);
});

test("the head of a hirer's journal follows what it pays from its locked credits", async () => {
  const market = marketOf(app);
  const hirer = await creditedAgent(app, { credits: { promotional: 50 } });
  const worker = await creditedAgent(app, { sponsor: app.otherId });
  const task = await market.hire(hirer, worker);
  await market.deliver(worker, task);
  expect((await app.own.post(`${ENGAGEMENTS}/${task}/accept`)).status).toBe(200);
  await passDays();
  await app.service.trust.log.publisher.publish();
  const { body } = await app.own.get(pathOf(hirer));
  const journal = await app.own.get(journalPath(hirer));
  const [newest] = Object(journal.body).entries;
  expect([newest.kind, newest.of]).toEqual(['ESCROW_RELEASE', 'locked']);
  expect(Object(body.leaf)).toMatchObject({ head: newest.entry_hash, entries: Object(journal.body).length });
  expect((await verdictOn(body, journalPath(hirer))).verdict).toBe('valid');
  expect(await problems()).toEqual([]);
});

test.each([
  ['a date that does not exist', '2026-02-30', 400],
  ['a date with a time', '2026-11-28T00:00:00Z', 400],
  ['text', 'yesterday', 400],
  ['a day that has not ended', '2026-11-29', 400],
  ['a day in the future', '2027-01-01', 400],
  ['a day before the first leaf', '2026-11-27', 404],
])('refuses %s', async (_, date, status) => {
  const agent = await creditedAgent(app, { credits: { promotional: 5 } });
  await passDays();
  expect((await app.own.get(pathOf(agent, date))).status).toBe(status);
});

test('an agent without entries has no head', async () => {
  await creditedAgent(app, { credits: { promotional: 5 } });
  const poor = await creditedAgent(app);
  await passDays();
  expect((await app.own.get(pathOf(poor))).status).toBe(404);
});

test('what a killed process left of a tree is deleted, and the day gets its leaf', async () => {
  await creditedAgent(app, { credits: { promotional: 5 } });
  const { store } = app.service.trust;
  const saltKey = new Uint8Array(32);
  const { treeSeq } = await store.writeAsService((tx) => insertTree(tx, { saltKey }));
  const tiles = [{ level: 0, tileIndex: 0, hashes: new Uint8Array(32) }];
  await store.writeAsService((tx) => insertPart(tx, treeSeq, { heads: [], tiles }));
  await passDays();
  expect(await leaves()).toHaveLength(1);
  expect(await store.read(unfinishedTree)).toBeNull();
  expect(await problems()).toEqual([]);
});

test('a tree that does not have its root proves nothing, and fsck says so', async () => {
  const agent = await creditedAgent(app, { credits: { promotional: 5 } });
  await creditedAgent(app, { credits: { promotional: 5 } });
  await passDays();
  const database = new Database(join(app.directory, 'trust.db'));
  pastTriggers(database, 'journal_tile', () =>
    database.run('UPDATE journal_tile SET hashes = zeroblob(length(hashes))'),
  );
  database.close();
  expect((await app.own.get(pathOf(agent))).status).toBe(500);
  expect((await problems()).map(({ table, what }) => [table, what])).toEqual([
    ['journal_tile', 'its hashes are not those of the heads'],
  ]);
});
