import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives, sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { freshIds } from '../../../../../src/platform/ids.ts';
import { JournalVerifier } from '../../../../../src/proof/ledger/journal.ts';
import { verify } from '../../../../../src/tools/verify/verify.ts';
import { creditsOf, poolOf, REVENUE } from '../../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../../src/trust/ledger/audit.ts';
import { entriesBefore, transactionOf } from '../../../../../src/trust/ledger/journal.ts';
import { agentStatement, poolStatement } from '../../../../../src/trust/ledger/journals/statement.ts';
import { payIn, postIn } from '../../../../../src/trust/ledger/post.ts';
import { operatorBySeq } from '../../../../../src/trust/operators/status.ts';
import { audited } from '../../../../support/audit.ts';
import type { client } from '../../../../support/client.ts';
import { journalOf, verifiedJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent, holderOf } from '../../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { unpack } from '../../../../support/recorded/archive.ts';
import { openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';
const POOL = '/api/v1/operator/journal';

let market: Market;
/** A task that was paid, one that was cancelled, and the transaction of a grant. */
let paid: string;
let cancelled: string;
let grantId: string;
const time = new VirtualTime();

beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 50, paid: 100 } }, time);
  const { app, hirer, worker } = market;
  paid = await market.hire(hirer, worker, { amount: 60 });
  await market.deliver(worker, paid);
  expect((await app.own.post(`${ENGAGEMENTS}/${paid}/accept`)).status).toBe(200);
  cancelled = await market.hire(hirer, worker, { amount: 7 });
  expect((await app.own.post(`${ENGAGEMENTS}/${cancelled}/cancel`)).status).toBe(200);
  const { body } = await app.own.post('/api/v1/passport/credits/grants', {
    subject_commitment: worker.commitment,
    amount: 5,
    memo: 'welcome',
  });
  grantId = String(body.transaction_id);
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
      expect([counterparty, reference, typeof receipt_id]).toEqual([worker.commitment, paid, 'string']);
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
    expect(await kinds(`reference=${cancelled}`)).toEqual([
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
      expect((await get(`${pathOf(hirer)}?reference=${paid}`)).status).toBe(403);
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

describe('a whole journal', () => {
  const whole = (by: string | null, path: string, accept: string) =>
    market.app.fetch(
      new Request(`http://localhost${path}`, {
        headers: { accept, ...(by === null ? {} : { authorization: `Bearer ${by}` }) },
      }),
    );

  test('is sent as lines of JSON that verify, with what they add up to first', async () => {
    const { app, hirer } = market;
    const response = await whole(app.apiKey, pathOf(hirer), 'application/x-ndjson');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const [first, ...entries] = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => Object(JSON.parse(line)));
    expect(first).toMatchObject({ type: 'credit-journal', length: entries.length, filtered: false });
    expect(verifiedJournal(hirer.commitment, entries)).toEqual(first.figures);
    const rare = await whole(app.apiKey, `${pathOf(hirer)}?kind=OPENING`, 'application/x-ndjson');
    expect((await rare.text()).split('\n')).toHaveLength(2);
  });

  test('verifies as a file, of an agent and of a pool, and not when it is changed', async () => {
    const { app, hirer } = market;
    const directory = mkdtempSync(join(tmpdir(), 'countersign-journal-'));
    const verified = async (text: string, head?: string) => {
      const path = join(directory, 'journal.ndjson');
      writeFileSync(path, text);
      const written: string[] = [];
      const said: string[] = [];
      const output = {
        write: async (line: string) => void written.push(line),
        say: (sentence: string) => void said.push(sentence),
      };
      const isValid = await verify(path, head === undefined ? {} : { head }, output);
      return { isValid, summary: Object(JSON.parse(written.at(-1) ?? '')), said };
    };
    for (const path of [pathOf(hirer), POOL]) {
      const text = await (await whole(app.apiKey, path, 'application/x-ndjson')).text();
      const { length, head, ...first } = Object(JSON.parse(text.split('\n')[0] ?? ''));
      const { isValid, summary, said } = await verified(text, head);
      expect([isValid, summary.entries, summary.head]).toEqual([true, length, head]);
      expect(summary.checks).toEqual({
        ...{ chain: 'ok', balances: 'ok', figures: 'ok', details: 'ok' },
        head: 'ok',
      });
      expect(said.at(-1)).toStartWith(
        `consistent: The journal of ${first.operator_id ?? hirer.commitment} has `,
      );
      const unknown = await verified(text);
      expect(unknown.summary.not_checked).toEqual([{ check: 'head', option: '--head' }]);
      expect(await verified(text, '0'.repeat(64))).toMatchObject({
        isValid: false,
        summary: { verdict: 'valid', checks: { head: 'bad' } },
      });
      const changed = text.replace(/"amount":(\d+)/, (_, amount) => `"amount":${Number(amount) + 1}`);
      expect((await verified(changed)).summary.verdict).toBe('inconsistent');
      const cut = text.split('\n').slice(0, -2).join('\n');
      expect((await verified(cut)).summary.verdict).toBe('inconsistent');
    }
    const filtered = await whole(app.apiKey, `${POOL}?kind=OPERATOR_GRANT`, 'application/x-ndjson');
    expect((await verified(await filtered.text())).summary.verdict).toBe('filtered');
    rmSync(directory, { recursive: true });
  });

  test('is sent as CSV in which no cell is a formula', async () => {
    const { app, worker } = market;
    for (const memo of ['=1+1', '+1', '-1', '@SUM(A1)', 'a "b", c']) {
      const grant = { subject_commitment: worker.commitment, amount: 1, memo };
      expect((await app.own.post('/api/v1/passport/credits/grants', grant)).status).toBe(201);
    }
    const response = await whole(app.apiKey, `${POOL}?kind=OPERATOR_GRANT`, 'text/csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = await response.text();
    for (const cell of [",'=1+1,", ",'+1,", ",'-1,", ",'@SUM(A1),", ',"a ""b"", c",'])
      expect(text).toContain(cell);
    expect(text.split('\r\n')[0]).toStartWith('entry_id,created_at,kind,');
  });

  test('is for the parties, without pages, and one at a time for each key', async () => {
    const { app, hirer } = market;
    for (const key of [null, app.otherKey])
      expect((await whole(key, pathOf(hirer), 'text/csv')).status).toBe(403);
    expect((await whole(app.apiKey, `${POOL}?limit=5`, 'text/csv')).status).toBe(400);
    const first = await whole(app.apiKey, POOL, 'text/csv');
    expect((await whole(app.apiKey, POOL, 'text/csv')).status).toBe(429);
    await first.text();
    const again = await whole(app.apiKey, POOL, 'text/csv');
    await again.body?.cancel();
    expect((await whole(app.apiKey, POOL, 'text/csv')).status).toBe(200);
  });
});

describe('a journal that is read slowly', () => {
  test('ends when its key is deleted', async () => {
    const { app } = market;
    const { trust } = app.service;
    const agent = await creditedAgent(app, { credits: { promotional: 1 } });
    const { body } = await app.own.post('/api/v1/operator/api-keys', {});
    const key = String(body.api_key);
    const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
    await trust.store.writeAsService(async (tx) => {
      for (let index = 0; index < 450; index++)
        await postIn(tx, trust, {
          kind: 'SETTLEMENT',
          from: issuance,
          to: creditsOf(agent.agent),
          portions: { promotional: 1 },
        });
    });
    const response = await app.service.app('/').fetch(
      new Request(`http://localhost${pathOf(agent)}`, {
        headers: { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' },
      }),
      '127.0.0.1',
    );
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first.split('\n').length).toBe(202);
    expect((await app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`)).status).toBe(200);
    await expect(Promise.resolve(reader?.read())).rejects.toThrow('may no longer read the journal');
  });
});

describe('a transaction', () => {
  const TRANSACTIONS = '/api/v1/transactions';
  const read = (by: Pick<ReturnType<typeof client>, 'get'>, id: string) => by.get(`${TRANSACTIONS}/${id}`);

  test('shows each party its own entries, and those of other agents masked', async () => {
    const { app, worker, hirer } = market;
    const all = await read(app.own, grantId);
    expect([all.status, all.body.kind]).toEqual([200, 'OPERATOR_GRANT']);
    expect(all.body.entries).toMatchObject([
      { operator_id: app.service.firstStart.operatorId, direction: 'debit', amount: 5, memo: 'welcome' },
      { subject_commitment: worker.commitment, direction: 'credit', amount: 5, memo: 'welcome' },
    ]);
    // The worker's sponsor sees nothing of the pool of the other operator.
    const own = await read(app.other, grantId);
    expect(own.body.entries).toMatchObject([{ subject_commitment: worker.commitment, memo: 'welcome' }]);
    const release = (await journalOf(app.own, hirer.commitment)).find(
      ({ kind }) => kind === 'ESCROW_RELEASE',
    );
    const id = `txn_${String(release?.entry_id).slice('entry_'.length, -1)}0`;
    const { body } = await read(app.other, id);
    expect(body.entries).toMatchObject([
      { subject_commitment: expect.stringContaining('…'), of: 'locked', memo: null, salt: null },
      { subject_commitment: worker.commitment, direction: 'credit', salt: expect.any(String) },
      { subject_commitment: expect.stringContaining('…'), of: 'locked' },
      { subject_commitment: worker.commitment, direction: 'credit' },
    ]);
  });

  test('of others is not found, as one that does not exist', async () => {
    const { app, hirer } = market;
    const stranger = await holderOf(app, hirer);
    expect((await read(stranger, grantId)).status).toBe(404);
    for (const id of [`txn_${'0'.repeat(32)}`, 'txn_1', 'x'])
      expect((await read(app.own, id)).status).toBe(404);
    expect((await read(app.anyone, grantId)).status).toBe(401);
  });

  test('is found whatever the clock did, also after a restart with an earlier clock', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-clock-'));
    const posted: string[] = [];
    let app = await openTrustApp({}, null, directory);
    const { agent } = await creditedAgent(app, { credits: { promotional: 10 } });
    /** Posts five payments with ids of a time, in one of which two classes move. */
    const post = async (now: number) => {
      const { trust } = app.service;
      const ids = {
        ...freshIds,
        newId: (prefix: string) => prefix + Bun.randomUUIDv7('buffer', now).toString('hex'),
      };
      const revenue = { kind: 'revenue', ownerSeq: 0, name: 'revenue' } as const;
      const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
      for (const portions of [{ promotional: 1 }, { promotional: 1, sandbox: 1 }, { sandbox: 1 }])
        await trust.store.writeAsService(async (tx) => {
          const by = { ...trust, ids };
          const to = creditsOf(agent);
          await postIn(tx, by, { kind: 'SETTLEMENT', from: issuance, to, portions });
          posted.push(
            (await postIn(tx, by, { kind: 'METER', from: to, to: revenue, portions })).transactionId,
          );
        });
    };
    const found = () =>
      app.service.trust.store.read((snapshot) =>
        Promise.all(
          posted.map(async (id) => (await transactionOf(snapshot, id))?.entries.map(({ entry }) => entry)),
        ),
      );
    const start = 1_700_000_000_000;
    const hour = 3600_000;
    for (const at of [start, start + hour, start - hour, start + 1, start + 2 * hour, start - 2 * hour])
      await post(at);
    const before = await found();
    expect(before.map((entries) => entries?.[0]?.entry.entry_id.slice('entry_'.length, -1))).toEqual(
      posted.map((id) => id.slice('txn_'.length, -1)),
    );
    expect(before.map((entries) => entries?.length)).toEqual(posted.map((_, at) => (at % 3 === 1 ? 2 : 1)));
    await app.close();
    app = await openTrustApp({}, null, directory);
    await post(start - 3 * hour);
    expect((await found()).filter((entries) => entries === undefined)).toEqual([]);
    expect((await found()).slice(0, before.length)).toEqual(before);
    await app.service.trust.store.read(async (snapshot) => {
      for (const id of [`txn_${'0'.repeat(32)}`, `txn_${'f'.repeat(32)}`, `${posted[3]?.slice(0, -2)}f0`])
        expect(await transactionOf(snapshot, id)).toBe(null);
    });
    const { reported } = await audited(app.directory, { only: ledgerTables });
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
    await app.close();
    rmSync(directory, { recursive: true });
  });
});

describe('in a directory from before', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-journals-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  test('a pool begins with what it had, an agent has its figures, and both go on from there', async () => {
    const app = await openTrustApp({}, null, unpack('trust', scratch));
    const { trust } = app.service;
    const operatorSeq = 1;
    const rows = await trust.store.read(({ connection: { sqlite } }) =>
      sqlite
        .query<Opened, []>(
          `SELECT subject_commitment AS commitment, agent_seq AS seq FROM agent JOIN journal_opening
             ON kind = 'agent' AND owner_seq = agent_seq WHERE spent > 0 AND balance > 1 AND state = 'ISSUED' LIMIT 1`,
        )
        .all(),
    );
    const { operatorId } = await trust.store.read(async (snapshot) => ({
      operatorId: (await operatorBySeq(snapshot, operatorSeq))?.operatorId ?? '',
    }));
    const pool = poolOf({ operatorSeq, operatorId });
    const [row] = rows;
    if (row === undefined) throw new Error('no agent spent anything');
    const subjectCommitment = Buffer.from(row.commitment).toString('hex');
    const agent = creditsOf({ agentSeq: row.seq, subjectCommitment });
    const before = await trust.store.read((snapshot) => entriesBefore(snapshot, pool, null, 100));
    expect(before.entries.map(({ entry: { kind } }) => kind)).toContain('OPENING');
    const first = await trust.store.read((snapshot) => entriesBefore(snapshot, pool, null, 1));
    expect([first.entries.length, first.next === null]).toEqual([1, before.entries.length === 1]);
    await trust.store.writeAsService(async (tx) => {
      await postIn(tx, trust, {
        kind: 'OPERATOR_GRANT',
        from: pool,
        to: agent,
        portions: { promotional: 3 },
      });
      await payIn(tx, trust, { kind: 'METER', from: agent, to: REVENUE, amount: 1 });
    });
    await trust.store.read(async (snapshot) => {
      const owner = { operator_id: operatorId };
      const poolState = await poolStatement(snapshot, { operatorSeq, operatorId });
      const ofPool = await entriesBefore(snapshot, pool, null, 100);
      expect(ofPool.entries.length).toBe(before.entries.length + 1);
      const statement = { opening: {}, figures: poolState.figures };
      expect(
        problemsOf(new JournalVerifier(nativePrimitives, owner, poolState.head, statement), ofPool),
      ).toEqual([]);
      const state = await agentStatement(snapshot, { agentSeq: row.seq, subjectCommitment });
      expect(Object.keys(state.opening).length).toBeGreaterThan(0);
      const ofAgent = await entriesBefore(snapshot, agent, null, 1000);
      const verifier = () =>
        new JournalVerifier(nativePrimitives, { subject_commitment: subjectCommitment }, state.head, state);
      expect(problemsOf(verifier(), ofAgent)).toEqual([]);
      const wrong = {
        ...state,
        figures: { ...state.figures, promotional: { ...state.figures.promotional, spent: 0 } },
      };
      expect(
        problemsOf(
          new JournalVerifier(nativePrimitives, { subject_commitment: subjectCommitment }, state.head, wrong),
          ofAgent,
        ),
      ).toEqual([
        expect.stringMatching(/^The spent promotional credits are 0, and the entries add up to \d+\.$/),
      ]);
    });
    const { reported } = await audited(app.directory, { only: ledgerTables });
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
    // Of one agent that had no movement since, and of one that had.
    await app.close();
    const database = openUnguarded(app.directory);
    const { agents } = Object(
      database
        .query("SELECT count(DISTINCT owner_seq) AS agents FROM journal_opening WHERE kind = 'agent'")
        .get(),
    );
    database.run("UPDATE journal_opening SET head = zeroblob(32) WHERE kind = 'agent'");
    database.close();
    const damaged = await audited(app.directory, { only: ledgerTables });
    const heads = damaged.reported.filter(({ sentence }) => sentence.includes('head is not the hash'));
    expect(heads.length).toBeGreaterThanOrEqual(Math.min(agents, 100));
  });
});

interface Opened {
  commitment: Uint8Array;
  seq: number;
}

function problemsOf(
  verifier: JournalVerifier,
  { entries }: Awaited<ReturnType<typeof entriesBefore>>,
): string[] {
  const found = entries.map(({ entry, entryHash: entry_hash }) => verifier.check({ ...entry, entry_hash }));
  return [...found, verifier.end()].filter((problem) => problem !== null);
}
