import { afterEach, beforeEach, expect, test } from 'bun:test';
import { creditsOf, poolOf } from '../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../src/trust/ledger/audit.ts';
import { postIn } from '../../../../src/trust/ledger/post.ts';
import { audited } from '../../../support/audit.ts';
import { type CreditedAgent, fundPool } from '../../../support/credits.ts';
import { openHolds } from '../../../support/holds.ts';

type Lot = [maturesAt: number, paymentSeq: number, amount: number];

let holds: Awaited<ReturnType<typeof openHolds>>;
beforeEach(async () => {
  holds = await openHolds();
});
afterEach(async () => {
  const { reported } = await audited(holds.app.directory, { only: ledgerTables });
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  await holds.app.close();
});

/** Gives paid credits to an agent, as lots of settlements with holds of different ends. */
async function given({ agent }: CreditedAgent, lots: readonly Lot[]): Promise<void> {
  const { app } = holds;
  const { trust } = app.service;
  const [row] = await app.rows<{ operatorSeq: number }>(
    `SELECT operator_seq AS operatorSeq FROM operator WHERE operator_id = '${app.otherId}'`,
  );
  const paid = lots.reduce((sum, [, , amount]) => sum + amount, 0);
  await fundPool(app, app.otherId, { paid });
  const from = poolOf({ operatorSeq: row?.operatorSeq ?? 0, operatorId: app.otherId });
  await trust.store.writeAsService((tx) =>
    postIn(tx, trust, { kind: 'OPERATOR_GRANT', from, to: creditsOf(agent), portions: { paid } }),
  );
  await app.run(`DELETE FROM credit_lot WHERE kind = 'agent' AND owner_seq = ${agent.agentSeq}`);
  const rows = lots.map(
    ([maturesAt, payment, amount]) =>
      `('agent', ${agent.agentSeq}, 'paid', zeroblob(16), ${maturesAt}, ${payment}, ${amount})`,
  );
  await app.run(`INSERT INTO credit_lot VALUES ${rows.join(', ')}`);
}

async function lotsOf({ agent }: CreditedAgent): Promise<Lot[]> {
  const rows = await holds.app.rows<{ at: number; payment: number; amount: number }>(
    `SELECT matures_at AS at, payment_seq AS payment, amount FROM credit_lot
     WHERE kind = 'agent' AND owner_seq = ${agent.agentSeq} ORDER BY matures_at, payment_seq`,
  );
  return rows.map(({ at, payment, amount }) => [at, payment, amount]);
}

/** The lots of two accounts after a movement, by the rule: those that mature first, with their time. */
function moved(from: readonly Lot[], to: readonly Lot[], amount: number): [Lot[], Lot[]] {
  const [rest, all] = [new Map<number, number>(), new Map(to.map(([at, , credits]) => [at, credits]))];
  let left = amount;
  for (const [at, , credits] of from) {
    const part = Math.min(left, credits);
    left -= part;
    if (part > 0) all.set(at, (all.get(at) ?? 0) + part);
    if (credits > part) rest.set(at, credits - part);
  }
  const sorted = (lots: ReadonlyMap<number, number>): Lot[] =>
    [...lots].sort(([left], [right]) => left - right).map(([at, credits]) => [at, 0, credits]);
  return [sorted(rest), sorted(all)];
}

/** Lots of 3 credits, each of which matures a second after the one before. */
const made = (count: number, first = 0): Lot[] =>
  Array.from({ length: count }, (_, index) => [holds.time.now() + 1000 * (first + index + 1), 0, 3]);

const MOVEMENTS: [name: string, amount: number][] = [
  ['of one lot', 3],
  ['of a part of the first lot', 1],
  ['up to the end of the few that are taken one by one', 12],
  ['of a credit more than those', 13],
  ['of many lots to the end of one', 300],
  ['of many lots to the middle of one', 301],
  ['of all lots but a credit', 1499],
  ['of all lots', 1500],
];

for (const [name, amount] of MOVEMENTS)
  test(`a movement ${name} leaves both accounts with the lots that the rule says`, async () => {
    const { payer, stranger, transfer } = holds;
    // The stranger has every second of these lots, and others.
    const own = made(600, 100).filter((_, index) => index % 2 === 0);
    await given(payer, made(500));
    await given(stranger, own);
    const expected = moved(made(500), own, amount);
    expect((await transfer(payer, stranger, amount)).status).toBe(201);
    expect([await lotsOf(payer), await lotsOf(stranger)]).toEqual(expected);
  });

test('a movement of more lots than one may take says how many credits can be moved, and changes nothing', async () => {
  const { payer, stranger, transfer } = holds;
  await given(payer, made(502));
  const refused = await transfer(payer, stranger, 1501);
  expect([refused.status, refused.body.reason_code]).toEqual([409, 'conflict']);
  expect(String(refused.body.error)).toContain('At most 1500 can be moved at once.');
  expect([await lotsOf(payer), await lotsOf(stranger)]).toEqual([made(502), []]);
  expect((await transfer(payer, stranger, 1500)).status).toBe(201);
  expect([await lotsOf(payer), await lotsOf(stranger)]).toEqual(moved(made(502), [], 1500));
});

test('what matured long ago is one lot at others, and what did not keeps its time', async () => {
  const { payer, stranger, transfer, time } = holds;
  const old: Lot[] = Array.from({ length: 40 }, (_, index) => [1000 * (index + 1), 0, 3]);
  await given(payer, [...old, ...made(40)]);
  expect((await transfer(payer, stranger, 240)).status).toBe(201);
  const days30 = 30 * 24 * 3_600_000;
  expect(await lotsOf(stranger)).toEqual([[days30, 0, 120], ...made(40)]);
  expect(await lotsOf(payer)).toEqual([]);
  expect(time.now()).toBeGreaterThan(days30);
});
