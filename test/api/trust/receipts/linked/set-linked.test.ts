import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { HOUR_MS } from '../../../../../src/platform/time/units.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { client } from '../../../../support/client.ts';
import { holderOf, selfProvisionedAgent } from '../../../../support/credits.ts';
import { accountEntries, LINKED, link, sequenceProblems } from '../../../../support/linked.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { finalized } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const KEYS = '/api/v1/operator/api-keys';
const STATUS = '/api/v1/operator/status';

let app: TrustApp;
let ownId: string;

beforeAll(async () => {
  app = await openTrustApp();
  ownId = app.service.firstStart.operatorId;
});
afterAll(() => app.close());

const stateOf = async (caller = app.own) => (await caller.get(STATUS)).body.linked_account;
const by = (key: unknown) => client(app.fetch, 'http://localhost', String(key));

test('the status of an operator says whether its account is linked, and nothing if it never was', async () => {
  expect(await stateOf()).toBeUndefined();
  await link(app.own);
  const account = sha256Hex(`linked-account:${ownId}`);
  expect(await stateOf()).toEqual({ linked: true, account, sequence: 1 });
  await app.own.issue();
  await link(app.own, false);
  expect(await stateOf()).toEqual({ linked: false, account, sequence: 3 });
  expect(await stateOf(app.other)).toBeUndefined();
});

describe('an account is linked and unlinked only', () => {
  /** The answers to both requests of a caller, and whether they changed the account of the first operator. */
  async function refusals(caller: ReturnType<typeof client>): Promise<unknown[]> {
    await link(app.own);
    const { length } = await accountEntries(app);
    const before = await stateOf();
    const answers = [await link(caller, false), await link(caller, true)];
    expect(await stateOf()).toEqual(before);
    expect((await accountEntries(app, length)).map(({ account }) => account)).not.toContain(
      sha256Hex(`linked-account:${ownId}`),
    );
    return answers.map(({ status }) => status);
  }

  test('by its own operator: another one changes its own account', async () => {
    expect(await refusals(app.other)).toEqual([200, 200]);
    expect((await link(app.other, false)).status).toBe(200);
  });

  test('not by a holder key of its agent', async () => {
    expect(await refusals(await holderOf(app, await enrolledAgent(app)))).toEqual([403, 403]);
  });

  test('not by a holder key of an agent that is its own sponsor', async () => {
    const { commitment, operatorId } = await selfProvisionedAgent(app);
    expect(await refusals(await holderOf(app, { commitment }, { operatorId }))).toEqual([403, 403]);
  });

  test('not without a key, nor by an unknown one', async () => {
    expect(await refusals(app.anyone)).toEqual([401, 401]);
    expect(await refusals(by(`pp_${'0'.repeat(64)}`))).toEqual([401, 401]);
  });

  test('not while its operator is suspended, and by it again afterwards', async () => {
    await link(app.own);
    await link(app.other);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect(await refusals(app.other)).toEqual([403, 403]);
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect((await link(app.other, false)).body).toMatchObject({ linked: false });
  });

  test('with a key that is deleted meanwhile: before, or not at all', async () => {
    await link(app.own);
    const { body: key } = await app.own.post(KEYS, { role: 'issuer' });
    const caller = by(key.api_key);
    const { length } = await accountEntries(app);
    const answers = await Promise.all([
      link(caller, false),
      app.own.call('DELETE', `${KEYS}/${key.keyHash}`),
      link(caller, true),
      link(caller, false),
    ]);
    expect(answers[1]?.status).toBe(200);
    expect(await link(caller, true)).toMatchObject({ status: 401 });
    // Each request with 200 changed the account, and none with 401 did.
    const changes = answers.filter(({ body }) => 'linked' in body).map(({ body }) => body.linked);
    const events = (await accountEntries(app, length)).map(({ event }) => event === 'linked');
    expect(events).toEqual(changes.filter((linked, at) => linked !== (changes[at - 1] ?? true)).map(Boolean));
    await link(app.own);
  });
});

describe('the command', () => {
  const run = async (operator: string, linked: boolean) =>
    (await localAdministrator(app))('setLinked', { linked }, operator);

  test('links and unlinks any operator, also a suspended one, and does nothing twice', async () => {
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    await run(app.otherId, false);
    const { length } = await accountEntries(app);
    const answers = [];
    for (const linked of [true, true, false, false]) answers.push(await run(app.otherId, linked));
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect(answers.map(({ linked }) => linked)).toEqual([true, true, false, false]);
    expect(answers[0]?.sequence).toBe(answers[1]?.sequence ?? -1);
    expect((await accountEntries(app, length)).map(({ event }) => event)).toEqual(['linked', 'unlinked']);
  });

  test('names an operator that does not exist', async () => {
    await expect(run('op_cus_unknown', true)).rejects.toThrow(/There is no operator op_cus_unknown/);
  });
});

test('an account that is unlinked for an hour has no leaves of this hour, and the sequences continue', async () => {
  const time = new VirtualTime(Date.parse('2026-05-01T12:00:00.000Z'));
  const timed = await openTrustApp({}, time);
  await link(timed.own);
  await finalized(timed.own);
  time.advance(HOUR_MS);
  await link(timed.own, false);
  const within = (await timed.own.issue()).body;
  await finalized(timed.own);
  time.advance(HOUR_MS);
  await link(timed.own);
  await timed.own.finalize(within.receipt_id, { status: 'refusal', refusal_reason: 'late' });
  await finalized(timed.own);
  const entries = await accountEntries(timed);
  expect(entries.map(({ event, at }) => `${at.slice(11, 16)} ${event}`)).toEqual([
    '12:00 linked',
    '12:00 issued',
    '12:00 finalized',
    '13:00 unlinked',
    '14:00 linked',
    '14:00 finalized',
    '14:00 issued',
    '14:00 finalized',
  ]);
  expect(sequenceProblems(entries)).toEqual([]);
  expect((await audited(timed.directory)).reported).toEqual([]);
  await timed.close();
});

test('a receipt that hides its domain does so in the log too, and its manifest', async () => {
  await link(app.own);
  const { length } = await accountEntries(app);
  const { body } = await app.own.issue({ domain: 'FINANCIAL_CLEARING', blind: true });
  await app.own.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'no' });
  const entries = await accountEntries(app, length);
  const members = [
    'account',
    'agent',
    'agent_sequence',
    'at',
    'content_hash',
    'event',
    'receipt_id',
    'sequence',
  ];
  expect(entries.map((entry) => Object.keys(entry).toSorted())).toEqual([members, members]);
  await app.service.trust.log.publisher.publish();
  const { body: manifest } = await app.anyone.get(`/api/v1/receipts/${body.receipt_id}/public-manifest`);
  const shown = JSON.stringify(manifest.account_leaves);
  expect(shown).toContain('"issued"');
  for (const secret of ['FINANCIAL_CLEARING', ownId, 'agent-7', String(body.blind_salt)])
    expect(shown).not.toContain(secret);
});

describe('the quota of an operator', () => {
  const used = async (caller: ReturnType<typeof client>, member: string): Promise<number> =>
    Object(Object((await caller.get(STATUS)).body.quota)[member]).used;

  test('has the bytes of the leaves, and of linking', async () => {
    const perIssue = async (): Promise<number> => {
      const before = await used(app.own, 'stored_bytes');
      for (let issue = 0; issue < 20; issue++) await app.own.issue();
      return ((await used(app.own, 'stored_bytes')) - before) / 20;
    };
    await link(app.own, false);
    const without = await perIssue();
    const before = await used(app.own, 'stored_bytes');
    await link(app.own);
    // A row for the leaf, for its bound and for the count of the account, of 64 bytes each.
    expect((await used(app.own, 'stored_bytes')) - before).toBeGreaterThanOrEqual(192);
    // A row for the leaf, and the counts of the account and of the agent.
    expect((await perIssue()) - without).toBeGreaterThanOrEqual(192);
  });

  test('refuses to link and unlink without end, and a refused act leaves no gap', async () => {
    const limited = await openTrustApp({ 'quotas.other.writes_per_minute': '8', rate_limits: 'on' });
    const answers = [];
    for (let at = 0; at < 12; at++) answers.push((await link(limited.own, at % 2 === 0)).status);
    expect(answers).toEqual([...new Array(8).fill(200), ...new Array(4).fill(429)]);
    expect(await accountEntries(limited)).toHaveLength(8);
    await limited.close();
  });

  test('that is used up by a leaf refuses the whole act', async () => {
    const limited = await openTrustApp({ 'quotas.other.stored_bytes': '40000' });
    await link(limited.own);
    const answers = [];
    for (let at = 0; at < 100; at++)
      answers.push((await limited.own.issue({ agent_id: `agent-${at}` })).status);
    const issued = answers.filter((status) => status === 201).length;
    expect(new Set(answers)).toEqual(new Set([201, 403]));
    const entries = await accountEntries(limited);
    expect(entries).toHaveLength(1 + issued);
    expect(sequenceProblems(entries)).toEqual([]);
    expect((await audited(limited.directory)).reported).toEqual([]);
    await limited.close();
  });
});

test('the path refuses other methods', async () => {
  expect((await app.own.get(LINKED)).status).toBe(405);
  expect((await app.own.post(LINKED, { linked: true })).status).toBe(405);
});
