import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { creditsOf } from '../../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../../src/trust/ledger/audit.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { audited } from '../../../../support/audit.ts';
import { journalOf, verifiedJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent, holderOf } from '../../../../support/credits.ts';
import type { Market } from '../../../../support/engagements.ts';
import { openTraded, type Traded } from '../../../../support/traded.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';
const POOL = '/api/v1/operator/journal';

const time = new VirtualTime();
let traded: Traded;
let market: Market;

beforeAll(async () => {
  traded = await openTraded(time);
  market = traded.market;
});
afterAll(() => market.app.close());

const pathOf = ({ commitment }: { commitment: string }) => `${AGENTS}/${commitment}/credit-journal`;

type Entry = Record<string, unknown>;
const entriesAt = async (get: (path: string) => Promise<{ status: number; body: Entry }>, path: string) => {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return {
    ...body,
    entries: Array.isArray(body.entries) ? body.entries.map((one): Entry => Object(one)) : [],
  };
};

describe('the journal of a payer', () => {
  test('has an entry for what an escrow paid, which says what it spent and has locked', async () => {
    const { app, hirer, worker } = market;
    const entries = await journalOf(app.own, hirer.commitment);
    const release = entries.filter(({ kind }) => kind === 'ESCROW_RELEASE');
    expect(
      release.map(({ asset, amount, direction, of, balance_after }) => [
        asset,
        amount,
        direction,
        of,
        balance_after,
      ]),
    ).toEqual([
      ['paid', 10, 'debit', 'locked', 90],
      ['promotional', 50, 'debit', 'locked', 0],
    ]);
    for (const { counterparty, reference, receipt_id } of release)
      expect([counterparty, reference, typeof receipt_id]).toEqual([
        worker.commitment,
        traded.paid,
        'string',
      ]);
    const sums = verifiedJournal(hirer.commitment, entries);
    expect(sums).toEqual({
      promotional: { granted: 50, earned: 0, spent: 50, locked: 0, available: 0 },
      paid: { granted: 100, earned: 0, spent: 10, locked: 0, available: 90 },
    });
    const { body } = await app.anyone.get(`${pathOf(hirer)}?limit=1`);
    expect([body.figures, body.opening]).toEqual([sums, {}]);
  });

  test('has the same hashes as before for all other entries: they have no member of', async () => {
    const { app, worker } = market;
    for (const entry of await journalOf(app.anyone, worker.commitment)) expect('of' in entry).toBe(false);
  });
});

describe('the journal of a pool', () => {
  test('is one chain of all that changed the pool, and adds up to its credits', async () => {
    const { app, hirer } = market;
    const operatorId = app.service.firstStart.operatorId;
    const { entries, ...page } = await entriesAt(app.own.get, `${POOL}?limit=100`);
    const { length, head, figures } = Object(page);
    expect([length, head]).toEqual([entries.length, entries[0]?.entry_hash ?? null]);
    const sums = verifiedJournal(operatorId, entries);
    expect(figures).toEqual({
      promotional: { available: sums.promotional?.available },
      paid: { available: sums.paid?.available },
    });
    expect(entries[0]).toMatchObject({
      kind: 'OPERATOR_GRANT',
      amount: 5,
      direction: 'debit',
      memo: 'welcome',
    });
    expect(entries.some(({ counterparty }) => counterparty === hirer.commitment)).toBe(true);
  });

  test('is read with issuer keys of the operator only', async () => {
    const { app, hirer } = market;
    const holder = await holderOf(app, hirer);
    expect((await holder.get(POOL)).status).toBe(403);
    expect((await app.anyone.get(POOL)).status).toBe(401);
    const other = await entriesAt(app.other.get, POOL);
    expect(other).toMatchObject({
      operator_id: app.otherId,
      length: 0,
      head: null,
      entries: [],
      figures: {},
    });
  });
});

describe('filters', () => {
  test('select entries by kind, class, reference and time, on the journals of agents and pools', async () => {
    const { app, hirer } = market;
    const kinds = async (query: string, path = pathOf(hirer)) =>
      (await entriesAt(app.own.get, `${path}?limit=100&${query}`)).entries.map(({ kind, asset }) => [
        kind,
        asset,
      ]);
    expect(await kinds('kind=ESCROW_RELEASE&asset=paid')).toEqual([['ESCROW_RELEASE', 'paid']]);
    expect(await kinds(`reference=${traded.cancelled}`)).toEqual([
      ['UNLOCK', 'paid'],
      ['LOCK', 'paid'],
    ]);
    expect(await kinds('kind=OPENING')).toEqual([]);
    expect(await kinds('kind=OPENING', POOL)).toEqual([]);
    expect((await kinds('kind=OPERATOR_GRANT', POOL)).length).toBe(3);
    expect((await app.own.get(`${POOL}?kind=NOTHING`)).status).toBe(400);
    expect((await app.own.get(`${POOL}?from=yesterday`)).status).toBe(400);
  });

  test('by reference are for parties only, because it is masked for others', async () => {
    const { app, hirer } = market;
    for (const { get } of [app.anyone, app.other])
      expect((await get(`${pathOf(hirer)}?reference=${traded.paid}`)).status).toBe(403);
    expect((await app.anyone.get(`${pathOf(hirer)}?kind=LOCK`)).status).toBe(200);
  });

  test('have an entry at midnight in the day that begins with it', async () => {
    const { app } = market;
    const { trust } = app.service;
    const agent = await creditedAgent(app);
    const day = 24 * 3600_000;
    const midnight = (Math.floor(time.now() / day) + 1) * day;
    const at = async (moment: number, amount: number) => {
      time.advance(moment - time.now());
      await trust.store.writeAsService((tx) =>
        postIn(tx, trust, {
          kind: 'SETTLEMENT',
          from: { kind: 'issuance', ownerSeq: 0, name: 'issuance' },
          to: creditsOf(agent.agent),
          portions: { promotional: amount },
        }),
      );
    };
    await at(midnight - 1, 1);
    await at(midnight, 2);
    await at(midnight + day - 1, 3);
    await at(midnight + day, 4);
    const text = (moment: number) => new Date(moment).toISOString();
    const amounts = async (from: number, to: number) =>
      (await entriesAt(app.anyone.get, `${pathOf(agent)}?from=${text(from)}&to=${text(to)}`)).entries.map(
        ({ amount }) => amount,
      );
    expect(await amounts(midnight, midnight + day)).toEqual([3, 2]);
    expect(await amounts(midnight + day, midnight + 2 * day)).toEqual([4]);
    expect(await amounts(0, midnight)).toEqual([1]);
    expect(await amounts(midnight + day, midnight)).toEqual([]);
  });

  test('find a time in the past and a rare kind in a long journal, page by page', async () => {
    const { app } = market;
    const { trust } = app.service;
    const agent = await creditedAgent(app, { credits: { promotional: 1 } });
    const from = creditsOf(agent.agent);
    const start = time.now();
    await trust.store.writeAsService(async (tx) => {
      for (let index = 0; index < 2600; index++) {
        time.advance(start + index * 1000 - time.now());
        const reference = index === 20 ? 'rare' : null;
        const revenue = { kind: 'revenue', ownerSeq: 0, name: 'revenue' } as const;
        const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
        if (index % 2 === 0)
          await postIn(tx, trust, {
            kind: 'SETTLEMENT',
            from: issuance,
            to: from,
            portions: { sandbox: 1 },
            reference,
          });
        else await postIn(tx, trust, { kind: 'METER', from, to: revenue, portions: { sandbox: 1 } });
      }
    });
    const marks = await trust.store.read(({ connection }) =>
      connection.sqlite
        .query('SELECT count(*) AS marks FROM journal_mark WHERE kind = ? AND owner_seq = ?')
        .get('agent', agent.agent.agentSeq),
    );
    expect(marks).toEqual({ marks: 10 });
    const text = (index: number) => new Date(start + index * 1000).toISOString();
    const old = await entriesAt(app.anyone.get, `${pathOf(agent)}?from=${text(7)}&to=${text(11)}`);
    expect(old.entries.map(({ created_at }) => created_at)).toEqual([text(10), text(9), text(8), text(7)]);
    // It is the oldest but a few: a page looks at 2,000 entries.
    const rare = `${pathOf(agent)}?reference=rare&limit=1`;
    const first = await entriesAt(app.own.get, rare);
    expect([first.entries.length, typeof Object(first).next_cursor]).toEqual([0, 'string']);
    const second = await entriesAt(app.own.get, `${rare}&cursor=${Object(first).next_cursor}`);
    expect(second.entries.map(({ created_at }) => created_at)).toEqual([text(20)]);
    const { reported } = await audited(app.directory, { only: ledgerTables });
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  });
});
