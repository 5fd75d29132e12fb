import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import {
  type AccountStatement,
  statementContradictions,
} from '../../../../../src/proof/ledger/account-statement.ts';
import { verifierKeysIn } from '../../../../../src/proof/verifier/trust.ts';
import { verifyDocument } from '../../../../../src/tools/verify/verify-document.ts';
import { creditsOf, ISSUANCE, poolOf, REVENUE } from '../../../../../src/trust/ledger/accounts.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { operatorById } from '../../../../../src/trust/operators/status.ts';
import { journalOf } from '../../../../support/credit-journal.ts';
import { creditedAgent, fundPool, holderOf } from '../../../../support/credits.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import {
  journalProblemsInPython,
  judgedStatement,
  onVerifierPage,
} from '../../../../support/judged-statement.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const OWN = '/api/v1/account/statements';
const agentsAt = (commitment: string) => `/api/v1/passport/agents/${commitment}/statements`;

/** A statement whose members a test changes. */
type Stated = AccountStatement & Record<string, unknown>;

const time = new VirtualTime(Date.parse('2026-10-30T12:00:00Z'));
let market: Market;

beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 50, paid: 100 } }, time);
  const { app, hirer, worker } = market;
  const paid = await market.hire(hirer, worker, { amount: 60 });
  await market.deliver(worker, paid);
  expect((await app.own.post(`${ENGAGEMENTS}/${paid}/accept`)).status).toBe(200);
  await market.hire(hirer, worker, { amount: 7 });
  time.advance(Date.parse('2026-11-02T00:00:00Z') - time.now());
});
afterAll(() => market.app.close());

/** Moves credits at a time, directly in the ledger. */
async function at(moment: string, posting: Parameters<typeof postIn>[2]): Promise<void> {
  time.advance(Date.parse(moment) - time.now());
  const { trust } = market.app.service;
  await trust.store.writeAsService((tx) => postIn(tx, trust, posting));
}

/** Returns the verdict on a statement, by the keys of the service. */
async function verdictOf(statement: Record<string, unknown>): Promise<string> {
  const { body } = await market.app.anyone.get('/api/v1/transparency/keys');
  const keys = verifierKeysIn(nativePrimitives, Object(body));
  const bytes = Buffer.from(JSON.stringify(statement));
  const { result } = await verifyDocument(bytes, { keys, now: time.now() });
  return result.verdict;
}

describe('the statement of an agent', () => {
  test('of a closed month is signed, adds up, and has the head of its journal', async () => {
    const { app, hirer } = market;
    const { status, body } = await app.anyone.get(`${agentsAt(hirer.commitment)}/2026-10`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'account-statement',
      subject_commitment: hirer.commitment,
      month: '2026-10',
      from: '2026-10-01T00:00:00.000Z',
      until: '2026-11-01T00:00:00.000Z',
      interim: false,
      opening: { promotional: { available: 0, locked: 0 }, paid: { available: 0, locked: 0 } },
      turnover: {
        promotional: { granted: 50, earned: 0, spent: 50 },
        paid: { granted: 100, earned: 0, spent: 10 },
      },
      closing: { promotional: { available: 0, locked: 0 }, paid: { available: 83, locked: 7 } },
    });
    expect(statementContradictions(Object(body))).toEqual([]);
    const entries = await journalOf(app.own, hirer.commitment);
    expect(body.journal).toEqual({
      entries: entries.length,
      length: entries.length,
      opening_head: null,
      head: entries[0]?.entry_hash ?? null,
    });
    expect(await verdictOf(body)).toBe('valid');
    expect(await verdictOf({ ...body, month: '2026-11' })).toBe('bad_signature');
  });

  test('of the month that is not over is interim, without a signature', async () => {
    const { app, hirer } = market;
    const { body } = await app.own.get(`${agentsAt(hirer.commitment)}/2026-11`);
    expect(body).toMatchObject({
      interim: true,
      opening: { paid: { available: 83, locked: 7 } },
      movements: [],
      closing: { paid: { available: 83, locked: 7 } },
      journal: { entries: 0 },
      until: new Date(time.now()).toISOString(),
    });
    expect('signature' in body).toBe(false);
    expect(body.held).toEqual([]);
    expect('held' in (await app.anyone.get(`${agentsAt(hirer.commitment)}/2026-11`)).body).toBe(false);
  });
});

describe('the months that there are', () => {
  test('begin with the account, and end with the present', async () => {
    const { app, hirer } = market;
    const statusOf = async (month: string) =>
      (await app.own.get(`${agentsAt(hirer.commitment)}/${month}`)).status;
    for (const [month, status] of [
      ['2026-09', 404],
      ['2026-12', 400],
      ['9999-12', 400],
      ['2026-13', 400],
      ['2026-1', 400],
      ['0000-00', 400],
      ['x', 400],
    ] as const)
      expect([month, await statusOf(month), (await app.own.get(`${OWN}/${month}`)).status]).toEqual([
        month,
        status,
        status,
      ]);
    expect((await app.own.get(`${agentsAt('0'.repeat(64))}/2026-10`)).status).toBe(404);
  });

  test('of a pool are for issuer keys of its operator', async () => {
    const { app, hirer } = market;
    expect((await app.anyone.get(`${OWN}/2026-10`)).status).toBe(401);
    const holder = await holderOf(app, hirer);
    expect((await holder.get(`${OWN}/2026-10`)).status).toBe(403);
    const own = await app.own.get(`${OWN}/2026-10`);
    expect(own.body.operator_id).toBe(app.service.firstStart.operatorId);
    expect(statementContradictions(Object(own.body))).toEqual([]);
    const { body } = await app.other.get(`${OWN}/2026-10`);
    expect(body).toMatchObject({ operator_id: app.otherId, opening: {}, movements: [], closing: {} });
  });

  test('have an entry at midnight in the month that begins with it', async () => {
    const { app } = market;
    const agent = await creditedAgent(app);
    const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
    const to = creditsOf(agent.agent);
    const settle = (moment: string, portions: { promotional: number }) =>
      at(moment, { kind: 'SETTLEMENT', from: issuance, to, portions });
    await settle('2026-11-30T23:59:59.999Z', { promotional: 1 });
    await settle('2026-12-01T00:00:00.000Z', { promotional: 2 });
    const amountsIn = async (month: string) => {
      const { body } = await app.anyone.get(`${agentsAt(agent.commitment)}/${month}`);
      return [body.interim, Object(body).movements.map(({ amount }: { amount: number }) => amount)];
    };
    // Something dated before midnight may still be booked in the first minute.
    expect(await amountsIn('2026-11')).toEqual([true, [1]]);
    time.advance(60_000);
    expect(await amountsIn('2026-11')).toEqual([false, [1]]);
    expect(await amountsIn('2026-12')).toEqual([true, [2]]);
  });
});

describe('a long journal', () => {
  test('gives statements that follow each other, number their entries, and find what classes had', async () => {
    const { app } = market;
    const { trust } = app.service;
    const operator = await trust.store.read((snapshot) => operatorById(snapshot, app.otherId));
    if (operator === null) throw new Error('there is no other operator');
    await fundPool(app, app.otherId, { promotional: 5, paid: 20_000 });
    const agent = await creditedAgent(app, { sponsor: app.otherId });
    const [pool, to] = [poolOf(operator), creditsOf(agent.agent)];
    const start = Date.parse('2027-01-20T00:00:00Z');
    time.advance(start - time.now());
    await trust.store.writeAsService(async (tx) => {
      await postIn(tx, trust, { kind: 'OPERATOR_GRANT', from: pool, to, portions: { promotional: 5 } });
      for (let index = 0; index < 6000; index++) {
        time.advance(start + index * 500_000 - time.now());
        await postIn(tx, trust, { kind: 'OPERATOR_GRANT', from: pool, to, portions: { paid: 3 } });
        await postIn(tx, trust, { kind: 'METER', from: to, to: REVENUE, portions: { paid: 2 } });
      }
    });
    time.advance(start + 60 * 24 * 3600_000 - time.now());
    await at('2027-03-25T00:00:00Z', { kind: 'METER', from: to, to: REVENUE, portions: { promotional: 1 } });
    time.advance(Date.parse('2027-04-02T00:00:00Z') - time.now());
    for (const read of [
      (month: string) => app.other.get(`${OWN}/${month}`),
      (month: string) => app.anyone.get(`${agentsAt(agent.commitment)}/${month}`),
    ]) {
      const bodies = await Promise.all(['2027-01', '2027-02', '2027-03'].map(read));
      const months = bodies.map(({ body }) => Object(body));
      for (const month of months) expect(statementContradictions(month)).toEqual([]);
      const [first, second, third] = months;
      expect(second.opening).toEqual(first.closing);
      expect(third.opening).toEqual(second.closing);
      expect([second.journal.opening_head, third.journal.opening_head]).toEqual([
        first.journal.head,
        second.journal.head,
      ]);
      expect([second.journal.length, third.journal.length]).toEqual([
        first.journal.length + second.journal.entries,
        second.journal.length + third.journal.entries,
      ]);
      expect(second.journal.entries).toBeGreaterThan(2000);
    }
    const { body } = await app.anyone.get(`${agentsAt(agent.commitment)}/2027-02`);
    expect(Object(body).closing.promotional).toEqual({ available: 5, locked: 0 });
    const all = await app.own.get(`/api/v1/passport/agents/${agent.commitment}/credit-journal?limit=1`);
    const last = await app.anyone.get(`${agentsAt(agent.commitment)}/2027-03`);
    expect([Object(last.body).journal.length, Object(last.body).journal.head]).toEqual([
      all.body.length,
      all.body.head,
    ]);
  });
});

describe('the journal of a statement', () => {
  const streamed = async (path: string): Promise<Uint8Array> => {
    const { app } = market;
    const headers = { authorization: `Bearer ${app.apiKey}`, accept: 'application/x-ndjson' };
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
    expect(response.status).toBe(200);
    return response.bytes();
  };
  const judged = (statement: object, journal: Uint8Array) =>
    judgedStatement(market.app, statement, journal, time.now());

  test('yields its sums and has its head; a journal that was cut or changed does not', async () => {
    const { app, hirer } = market;
    const path = `/api/v1/passport/agents/${hirer.commitment}/credit-journal`;
    const { body } = await app.own.get(`${agentsAt(hirer.commitment)}/2026-10`);
    const journal = await streamed(path);
    expect(await judged(body, journal)).toEqual({ isValid: true, journal: 'ok', problems: [] });
    expect(await onVerifierPage(app, body, journal, time.now())).toEqual(['valid', 'the journal']);
    const lines = Buffer.from(journal).toString().trimEnd().split('\n');
    const wrong = async (changed: readonly string[]) => {
      const { isValid, problems } = await judged(body, Buffer.from(changed.join('\n')));
      expect(isValid).toBe(false);
      return problems[0];
    };
    expect(await wrong(lines.slice(0, -1))).toContain('entries, and the file has');
    expect(await wrong(lines.toSpliced(1, 1))).toContain('line 2: Its entry_hash is not the');
    expect(await wrong([...lines, 'x'])).toContain('line 9: not JSON');
    expect(await wrong([])).toContain('no first line');
    expect(await wrong([String(lines[0]).replace('"filtered":false', '"filtered":true')])).toContain(
      'filters',
    );
    const ofPool = await streamed('/api/v1/operator/journal');
    expect((await judged(body, ofPool)).problems).toEqual([
      `the journal: it is not the journal of ${hirer.commitment}`,
    ]);
    const pool = (await app.own.get(`${OWN}/2026-10`)).body;
    expect(await judged(pool, await streamed('/api/v1/operator/journal'))).toEqual({
      ...{ isValid: true, journal: 'ok', problems: [] },
    });
  });

  const WRONG: [what: string, change: (statement: Stated) => unknown, problem: string][] = [
    ['another head', ({ journal }) => (journal.head = '00'.repeat(32)), 'does not have the head'],
    [
      'another entry before it',
      ({ journal }) => (journal.opening_head = '00'.repeat(32)),
      'does not have the newest entry before the period',
    ],
    [
      'its head as the entry before it',
      ({ journal }) => (journal.opening_head = journal.head),
      'the journal has 0 entries in the period',
    ],
    ['no head', ({ journal }) => (journal.head = null), 'an entry after the head is of the period'],
    ['another length', ({ journal }) => (journal.length += 1), 'entries up to the head, not'],
    ['more entries', ({ journal }) => (journal.entries += 1), 'entries in the period, not'],
    [
      'a later beginning',
      (stated) => (stated.from = '2026-10-31T00:00:00.000Z'),
      'an entry of the period is from before it',
    ],
    [
      'an earlier end',
      (stated) => (stated.until = '2026-10-02T00:00:00.000Z'),
      'an entry of the period is from after it',
    ],
    [
      'other sums',
      ({ movements }) => movements.push(...movements.splice(0, 1).map((sum) => ({ ...sum, amount: 11 }))),
      'the journal has 1 entries and 10 credits of paid ESCROW_RELEASE debit locked',
    ],
    ['fewer sums', ({ movements }) => movements.pop(), 'entries and'],
    [
      'a sum that is made up',
      ({ movements }) =>
        movements.push(...movements.slice(0, 1).map((sum) => ({ ...sum, kind: 'TRANSFER' }))),
      'the journal has no entries of',
    ],
    [
      'other credits at the end',
      ({ closing }) => (closing.paid = { available: 82, locked: 8 }),
      'the journal ends the period with 83 available paid credits',
    ],
    [
      'other credits at the beginning',
      ({ opening }) => (opening.paid = { available: 1, locked: 0 }),
      'the journal begins the period with 0 available paid credits',
    ],
    [
      'other locked credits at the beginning',
      ({ opening }) => (opening.paid = { available: 0, locked: 1 }),
      'the journal begins the period with 0 locked paid credits',
    ],
    [
      'other locked credits at the end',
      ({ closing }) => (closing.paid = { available: 83, locked: 8 }),
      'the locked paid credits are 8 at the end, and add up to 7',
    ],
  ];
  test.each(WRONG)('does not yield a statement with %s', async (_, change, problem) => {
    const { app, hirer } = market;
    const { body } = await app.own.get(`${agentsAt(hirer.commitment)}/2026-10`);
    const changed: Stated = JSON.parse(JSON.stringify(body));
    change(changed);
    const journal = await streamed(`/api/v1/passport/agents/${hirer.commitment}/credit-journal`);
    const { isValid, problems } = await judged(changed, journal);
    expect([isValid, problems.join('; ')]).toEqual([false, expect.stringContaining(problem)]);
  });

  test('is what verify.py goes by too', async () => {
    const { app, hirer } = market;
    const directory = mkdtempSync(join(tmpdir(), 'countersign-statements-'));
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const { body } = await app.own.get(`${agentsAt(hirer.commitment)}/2026-10`);
    const journal = await streamed(`/api/v1/passport/agents/${hirer.commitment}/credit-journal`);
    const lines = Buffer.from(journal).toString().trimEnd().split('\n');
    const keys = file('keys.json', JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body));
    const run = async (content: string | Uint8Array) => {
      const statement = file('statement.json', JSON.stringify(body));
      const at = new Date(time.now()).toISOString();
      const inputs = [statement, '--keys', keys, '--journal', file('journal.ndjson', content), '--at', at];
      const child = Bun.spawn(['python3', 'src/tools/python/verify.py', ...inputs], { stdout: 'pipe' });
      const text = await new Response(child.stdout).text();
      return [await child.exited, JSON.parse(text).checks];
    };
    expect(await run(journal)).toEqual([0, expect.objectContaining({ signature: 'ok', journal: 'ok' })]);
    expect(await run(lines.toSpliced(2, 1).join('\n'))).toEqual([
      1,
      expect.objectContaining({ signature: 'ok', journal: 'mismatch' }),
    ]);
    rmSync(directory, { recursive: true });
    const changed = WRONG.map(([, change]) => {
      const copy: Stated = JSON.parse(JSON.stringify(body));
      change(copy);
      return copy;
    });
    const problems = await journalProblemsInPython([Object(body), ...changed], journal);
    expect(problems.slice(0, 1)).toEqual([[]]);
    const unseen = WRONG.filter((_, index) => problems[index + 1]?.length === 0).map(([what]) => what);
    // These contradict the rest of the statement, which is compared without a journal.
    expect(unseen).toEqual(['other credits at the end', 'other locked credits at the end']);
  });

  test('is CSV for keys that see all of it', async () => {
    const { app, hirer } = market;
    const read = (path: string, authorization: string) =>
      app.fetch(new Request(`http://localhost${path}`, { headers: { accept: 'text/csv', authorization } }));
    const response = await read(`${agentsAt(hirer.commitment)}/2026-10`, `Bearer ${app.apiKey}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows = (await response.text()).trimEnd().split('\r\n');
    const { body } = await app.own.get(`${agentsAt(hirer.commitment)}/2026-10`);
    expect(rows.length).toBe(1 + Object(body).journal.entries);
    expect(
      (
        await app.anyone.call('GET', `${agentsAt(hirer.commitment)}/2026-10`, undefined, {
          accept: 'text/csv',
        })
      ).status,
    ).toBe(403);
  });

  test('with a sum above 2^53 is refused, and the journal is named', async () => {
    const { app } = market;
    const pool = poolOf({ operatorSeq: 1, operatorId: app.service.firstStart.operatorId });
    const portions = { promotional: 5_000_000_000_000_000 };
    const moves = [
      { from: ISSUANCE, to: pool },
      { from: pool, to: ISSUANCE },
      { from: ISSUANCE, to: pool },
    ];
    for (const move of moves) await at('2027-05-03T00:00:00Z', { kind: 'ADJUSTMENT', ...move, portions });
    time.advance(60_000);
    const { status, body } = await app.own.get(`${OWN}/2027-05`);
    expect([status, body.error]).toEqual([
      409,
      'A sum of this month exceeds 9007199254740991, more than a statement can say. Read the journal instead.',
    ]);
  });

  test('is summed up on a page', async () => {
    const { app } = market;
    const headers = { accept: 'text/html', authorization: `Bearer ${app.apiKey}` };
    const response = await app.fetch(new Request(`http://localhost${OWN}/2026-10`, { headers }));
    const text = await response.text();
    expect(response.headers.get('content-type')).toStartWith('text/html');
    expect(text).toContain('Statement of October 2026');
    expect(text).toContain('Closing balance');
    // The words of the other pages. The document in it has the names of the API.
    expect(text).toContain('<th scope="row">Operator grant</th>');
    expect(text).not.toContain('OPERATOR_GRANT');
  });
});
