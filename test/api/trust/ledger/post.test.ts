import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { detailHash, entryHash } from '../../../../src/proof/ledger/journal-entry.ts';
import {
  creditsOf,
  ISSUANCE,
  lockedOf,
  poolOf,
  REVENUE,
  receivableOf,
  stakeOf,
} from '../../../../src/trust/ledger/accounts.ts';
import { creditFigures, publicFigures } from '../../../../src/trust/ledger/balances.ts';
import { entriesBefore } from '../../../../src/trust/ledger/journal.ts';
import { type Payment, type Posting, payIn, postIn } from '../../../../src/trust/ledger/post.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

type Agent = Awaited<ReturnType<typeof enrolledAgent>>['agent'];

const MOST = Number.MAX_SAFE_INTEGER;
let app: TrustApp;
let one: Agent;
let other: Agent;
let pool: ReturnType<typeof poolOf>;

beforeEach(async () => {
  app = await openTrustApp();
  one = (await enrolledAgent(app)).agent;
  other = (await enrolledAgent(app)).agent;
  pool = poolOf({ operatorSeq: 1, operatorId: app.service.firstStart.operatorId });
});
afterEach(() => app.close());

const post = (posting: Posting) =>
  app.service.trust.store.writeAsService((tx) => postIn(tx, app.service.trust, posting));
const pay = (payment: Payment) =>
  app.service.trust.store.writeAsService((tx) => payIn(tx, app.service.trust, payment));
const figures = (agent: Agent) =>
  app.service.trust.store.read((snapshot) => publicFigures(snapshot, agent.agentSeq));
const grant = (agent: Agent, amount: number) =>
  pay({ kind: 'OPERATOR_GRANT', from: pool, to: creditsOf(agent), amount });
const rows = <T>(sql: string) =>
  app.service.trust.store.read(({ connection }) => connection.sqlite.query<T, []>(sql).all());
const run = (sql: string) =>
  app.service.trust.store.writeAsService((tx) => void tx.connection.sqlite.run(sql));

/** The sums of the balances of an asset that are not zero. */
const sums = () =>
  rows<{ sum: number }>('SELECT sum(balance) AS sum FROM ledger_account GROUP BY asset HAVING sum <> 0').then(
    (all) => all.map(({ sum }) => sum),
  );

describe('what an operator owes', () => {
  const adjustment = { kind: 'ADJUSTMENT' } as const;
  const debt = () => receivableOf({ operatorSeq: 1, operatorId: app.service.firstStart.operatorId });

  test('is an account below zero, which its pool and its stake cover', async () => {
    const owed = { paid: 40, cents: 6 };
    await post({ ...adjustment, from: debt(), to: ISSUANCE, portions: owed });
    const stake = stakeOf({ operatorSeq: 1, operatorId: app.service.firstStart.operatorId });
    await post({ kind: 'SETTLEMENT', from: ISSUANCE, to: pool, portions: { paid: 100 } });
    await post({ kind: 'SETTLEMENT', from: ISSUANCE, to: stake, portions: { cents: 6, sandbox_cents: 9 } });
    await post({ ...adjustment, from: pool, to: debt(), portions: { paid: 30 } });
    await post({ ...adjustment, from: stake, to: debt(), portions: { cents: 6 } });
    expect(
      await rows("SELECT asset, balance FROM ledger_account WHERE kind = 'receivable' ORDER BY asset"),
    ).toEqual([
      { asset: 'cents', balance: 0 },
      { asset: 'paid', balance: -10 },
    ]);
    expect(await sums()).toEqual([]);
  });

  test('is never covered with more than the debt', async () => {
    await post({ ...adjustment, from: debt(), to: ISSUANCE, portions: { promotional: 5 } });
    await expect(
      post({ ...adjustment, from: pool, to: debt(), portions: { promotional: 6 } }),
    ).rejects.toThrow('no more than a debt is covered');
  });
});

describe('figures of an agent follow from the accounts between which credits move', () => {
  test('a grant is granted, and a payment is spent by one and earned by the other', async () => {
    await grant(one, 100);
    await pay({ kind: 'TASK_PAYMENT', from: creditsOf(one), to: creditsOf(other), amount: 30 });
    expect(await figures(one)).toEqual({ granted: 100, earned: 0, spent: 30, locked: 0, available: 70 });
    expect(await figures(other)).toEqual({ granted: 0, earned: 30, spent: 0, locked: 0, available: 30 });
    expect(await sums()).toEqual([]);
  });

  test('locked credits are neither spent nor earned until they leave to another', async () => {
    await grant(one, 100);
    await pay({ kind: 'LOCK', from: creditsOf(one), to: lockedOf(one), amount: 60 });
    expect(await figures(one)).toEqual({ granted: 100, earned: 0, spent: 0, locked: 60, available: 40 });
    await post({ kind: 'UNLOCK', from: lockedOf(one), to: creditsOf(one), portions: { promotional: 20 } });
    expect(await figures(one)).toEqual({ granted: 100, earned: 0, spent: 0, locked: 40, available: 60 });
    await post({
      kind: 'ESCROW_RELEASE',
      from: lockedOf(one),
      to: creditsOf(other),
      portions: { promotional: 40 },
    });
    expect(await figures(one)).toEqual({ granted: 100, earned: 0, spent: 40, locked: 0, available: 60 });
    expect(await figures(other)).toEqual({ granted: 0, earned: 40, spent: 0, locked: 0, available: 40 });
    expect(await sums()).toEqual([]);
  });

  test('sandbox credits show apart and only where there are any', async () => {
    await post({ kind: 'SETTLEMENT', from: ISSUANCE, to: creditsOf(one), portions: { sandbox: 7, paid: 2 } });
    expect(await figures(one)).toEqual({
      granted: 0,
      earned: 2,
      spent: 0,
      locked: 0,
      available: 2,
      sandbox: { granted: 0, earned: 7, spent: 0, locked: 0, available: 7 },
    });
  });
});

describe('a movement is refused, and changes nothing,', () => {
  test('when the payer has too few credits', async () => {
    await grant(one, 5);
    const tooMuch = { kind: 'METER', from: creditsOf(one), to: REVENUE } as const;
    await expect(pay({ ...tooMuch, amount: 6 })).rejects.toMatchObject({ code: 'insufficient_credits' });
    await expect(post({ ...tooMuch, portions: { paid: 1 } })).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect((await figures(one)).available).toBe(5);
  });

  test('when a balance, or what an agent received in all, would exceed 2^53 − 1', async () => {
    const settle = (amount: number, asset: 'paid' | 'promotional') =>
      post({ kind: 'SETTLEMENT', from: ISSUANCE, to: creditsOf(one), portions: { [asset]: amount } });
    await settle(MOST, 'paid');
    await expect(settle(1, 'paid')).rejects.toMatchObject({ code: 'conflict' });
    await expect(settle(1, 'promotional')).rejects.toMatchObject({ code: 'conflict' });
    await pay({ kind: 'PEER_GIFT', from: creditsOf(one), to: creditsOf(other), amount: MOST });
    await expect(
      pay({ kind: 'PEER_GIFT', from: creditsOf(other), to: creditsOf(one), amount: 1 }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect((await figures(other)).available).toBe(MOST);
  });

  test.each([
    ['changes', "UPDATE movement SET memo = 'x'", 'movements never change'],
    ['is deleted', 'DELETE FROM movement', 'movements are never deleted'],
    ['has an account deleted', 'DELETE FROM ledger_account', 'accounts are never deleted'],
    [
      'makes a figure smaller',
      'UPDATE ledger_account SET granted = granted - 1 WHERE granted > 0',
      'only grow',
    ],
    ['makes an account negative', "UPDATE ledger_account SET balance = -1 WHERE kind = 'agent'", 'CHECK'],
    ['loses a journal', 'DELETE FROM agent_credit', 'journals are never deleted'],
    [
      'states another balance than its account has',
      "INSERT INTO movement (transaction_id, ordinal, kind, asset, amount, debit_kind, debit_owner, credit_kind, credit_owner, debit_after, credit_after, debit_prev, created_at, salt) VALUES (zeroblob(16), 0, 'METER', 'paid', 1, 'issuance', 0, 'revenue', 0, -1, 2, (SELECT max(last_seq) FROM ledger_account WHERE kind = 'issuance'), 0, zeroblob(16))",
      'states another balance',
    ],
    [
      'pays itself',
      "INSERT INTO movement (transaction_id, ordinal, kind, asset, amount, debit_kind, debit_owner, credit_kind, credit_owner, debit_after, credit_after, created_at, salt) VALUES (zeroblob(16), 0, 'METER', 'paid', 1, 'revenue', 0, 'revenue', 0, 0, 0, 0, zeroblob(16))",
      'CHECK',
    ],
  ])('by the database itself, when one %s', async (_name, sql, message) => {
    await grant(one, 5);
    await expect(run(sql)).rejects.toThrow(message);
  });
});

test('a journal is one chain over all classes, with the balance of each class', async () => {
  await post({
    kind: 'SETTLEMENT',
    from: ISSUANCE,
    to: creditsOf(one),
    portions: { paid: 10, promotional: 5 },
  });
  await pay({
    kind: 'PEER_GIFT',
    from: creditsOf(one),
    to: creditsOf(other),
    amount: 8,
    memo: 'thanks',
    reference: 'task-1',
  });
  const read = (before: number | null, limit: number) =>
    app.service.trust.store.read((snapshot) => entriesBefore(snapshot, creditsOf(one), before, limit));
  const { entries, next } = await read(null, 10);
  expect(next).toBeNull();
  expect(
    entries.map(({ entry }) => [entry.direction, entry.asset, entry.amount, entry.balance_after]),
  ).toEqual([
    ['debit', 'paid', 3, 7],
    ['debit', 'promotional', 5, 0],
    ['credit', 'paid', 10, 10],
    ['credit', 'promotional', 5, 5],
  ]);
  for (const [index, { entry, entryHash: hash, detail }] of entries.entries()) {
    expect(entry.detail_hash).toBe(detailHash(nativePrimitives, detail));
    expect(hash).toBe(entryHash(nativePrimitives, { subject_commitment: one.subjectCommitment }, entry));
    expect(entry.prev_entry_hash).toBe(entries[index + 1]?.entryHash ?? null);
  }
  expect(new Set(entries.map(({ entry }) => entry.entry_id)).size).toBe(4);
  // All but the last character are the transaction's.
  expect(new Set(entries.map(({ entry }) => entry.entry_id.slice(0, -1))).size).toBe(2);
  const second = await read(entries[1]?.position ?? null, 1);
  expect(second.next).toBe(second.entries[0]?.position ?? 0);
  expect(second.entries).toEqual(entries.slice(2, 3));
  const figuresByClass = await app.service.trust.store.read((snapshot) =>
    creditFigures(snapshot, one.agentSeq),
  );
  expect(figuresByClass.paid.available).toBe(7);
});

test('no journal goes on from a movement of another agent', async () => {
  await grant(one, 5);
  await grant(other, 5);
  const from = creditsOf(other);
  await post({ kind: 'METER', from, to: REVENUE, portions: { promotional: 1 } });
  await post({ kind: 'METER', from, to: REVENUE, portions: { promotional: 1 } });
  const movements = await rows<{ seq: number }>(
    'SELECT movement_seq AS seq FROM movement ORDER BY 1 DESC LIMIT 3',
  );
  for (const { seq } of movements) {
    const read = (agent: typeof one) =>
      app.service.trust.store.read((snapshot) => entriesBefore(snapshot, creditsOf(agent), seq, 10));
    expect(await read(one)).toEqual({ entries: [], next: null });
  }
  const { entries } = await app.service.trust.store.read((snapshot) =>
    entriesBefore(snapshot, creditsOf(other), movements[0]?.seq ?? 0, 10),
  );
  expect(entries).toHaveLength(2);
});

test('a movement stores the tier that the balance gives', async () => {
  const tiers = async () =>
    (await rows<{ tier: string }>('SELECT evaluated_tier AS tier FROM agent_credit ORDER BY agent_seq')).map(
      ({ tier }) => tier,
    );
  await grant(one, 50);
  expect(await tiers()).toEqual(['FULL']);
  await pay({ kind: 'TASK_PAYMENT', from: creditsOf(one), to: creditsOf(other), amount: 1 });
  expect(await tiers()).toEqual(['LIMITED', 'SANDBOXED']);
});
