import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { poolOf } from '../../../../../src/trust/ledger/accounts.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { requireOperatorIn } from '../../../../../src/trust/operators/require-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { Visitor } from '../../../../support/account.ts';
import { verifiedJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent, fundPool } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const PATH = '/account/credits';
const POOL = '/api/v1/operator/journal';

const time = new VirtualTime(Date.parse('2026-10-30T12:00:00Z'));
let app: TrustApp;
let operatorId: string;
let agent: Awaited<ReturnType<typeof creditedAgent>>;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  operatorId = app.service.firstStart.operatorId;
  await fundPool(app, operatorId, { paid: 1000, promotional: 200, sandbox: 7 });
  agent = await creditedAgent(app);
  for (let amount = 1; amount <= 25; amount++) await grant(amount, `memo ${amount}`);
  time.advance(Date.parse('2026-11-02T00:00:00Z') - time.now());
});
afterAll(() => app.close());

async function grant(amount: number, memo: string): Promise<void> {
  const body = { subject_commitment: agent.commitment, amount, memo };
  expect((await app.own.post('/api/v1/passport/credits/grants', body)).status).toBe(201);
}

/** Returns a browser that has logged in with a key, by default that of the first operator. */
async function member(key = app.apiKey): Promise<Visitor> {
  const person = new Visitor(app.fetch);
  expect((await person.logIn(key)).status).toBe(200);
  return person;
}

/** Sends a request for a file with the session of a visitor, and returns the response before it is read. */
function asked(person: Visitor, path: string, method = 'GET'): Promise<Response> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return app.fetch(new Request(`http://localhost${path}`, { method, headers: { cookie } }));
}

/** Returns those of some texts that a page lacks. */
function lacks(text: string, parts: readonly string[]): string[] {
  return parts.filter((part) => !text.includes(part));
}

/** Returns those of some texts that a page has. */
function has(text: string, parts: readonly string[]): string[] {
  return parts.filter((part) => text.includes(part));
}

/** The notes of grants, as a page shows them: isolated. */
const memo = (number: number) => `<bdi>\u2068memo ${number}\u2069</bdi>`;

describe('the page of the credits of the pool', () => {
  test('shows what it has by class, and its newest entries; the overview leads to it', async () => {
    const person = await member();
    expect(lacks(person.text, ['<a href="/account/credits">1,000,875</a>'])).toEqual([]);
    const { status, text } = await person.get(PATH);
    expect(status).toBe(200);
    const tiles = {
      'Paid credits': '1,000',
      Held: '0',
      'Promotional credits': '999,875',
      'Sandbox credits': '7',
    };
    expect(
      lacks(
        text,
        Object.entries(tiles).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`),
      ),
    ).toEqual([]);
    expect(text.match(/<th scope="row">Operator grant /g)?.length).toBe(20);
    const agentLink = `href="/agents/${agent.commitment}"`;
    expect(lacks(text, ['29 entries:', '>−25</td>', memo(25), memo(6), agentLink])).toEqual([]);
    expect(has(text, [memo(5)])).toEqual([]);
  });

  test('leads to older entries, and from there to the newest', async () => {
    const person = await member();
    const { text } = await person.get(PATH);
    const older = /rel="next" href="([^"#]*)#journal"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await person.get(older)).text;
    expect(lacks(second, [memo(5), 'Adjustment', `<a href="${PATH}#journal">Newest</a>`])).toEqual([]);
    expect(has(second, ['rel="next"', memo(6)])).toEqual([]);
  });

  test('selects entries by kind and class', async () => {
    const person = await member();
    const { text } = await person.get(`${PATH}?kind=ADJUSTMENT&asset=sandbox`);
    expect([...text.matchAll(/<option value="(\w+)" selected>/g)].map(([, value]) => value)).toEqual([
      'ADJUSTMENT',
      'sandbox',
    ]);
    expect([lacks(text, ['>+7</td>']), has(text, ['Operator grant <'])]).toEqual([[], []]);
    const grants = (await person.get(`${PATH}?kind=OPERATOR_GRANT&asset=`)).text;
    expect(lacks(grants, [`${PATH}?kind=OPERATOR_GRANT&amp;cursor=`])).toEqual([]);
    const none = (await person.get(`${PATH}?kind=OPENING`)).text;
    expect(lacks(none, ['None of these entries match.'])).toEqual([]);
    for (const query of ['kind=GOLD', 'asset=gold', 'cursor=x', 'limit=5'])
      expect([query, (await person.get(`${PATH}?${query}`)).status]).toEqual([query, 400]);
  });

  test('shows texts of strangers as texts', async () => {
    await grant(1, '<b>"x"</b>');
    const { text } = await (await member()).get(PATH);
    expect(lacks(text, ['&lt;b&gt;&quot;x&quot;&lt;/b&gt;'])).toEqual([]);
  });

  test('is of the operator of the session only', async () => {
    const other = await member(app.otherKey);
    const { text } = await other.get(PATH);
    expect([lacks(text, ['No entries yet.']), has(text, [agent.commitment])]).toEqual([[], []]);
    for (const path of [PATH, `${PATH}/journal.csv`, `${PATH}/journal.ndjson`, `${PATH}/2026-10/statement`]) {
      const stranger = await new Visitor(app.fetch).get(path);
      expect([path, stranger.status, lacks(stranger.text, ['Log in'])]).toEqual([path, 200, []]);
    }
  });
});

describe('the months', () => {
  test('have pages and files, the last one a signed document', async () => {
    const person = await member();
    const { text } = await person.get(PATH);
    expect([...text.matchAll(/href="([^"]*\/statement)"/g)].map(([, path]) => path)).toEqual([
      `${PATH}/2026-11/statement`,
      `${PATH}/2026-10/statement`,
    ]);
    const page = await person.get(`${PATH}/2026-10/statement`);
    expect([page.status, page.text.includes('Statement of October 2026')]).toEqual([200, true]);
    const json = await person.get(`${PATH}/2026-10/statement.json`);
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-10.json"');
    expect(JSON.parse(json.text)).toMatchObject({ operator_id: operatorId, signature: expect.any(String) });
    const csv = await person.get(`${PATH}/2026-10/statement.csv`);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-10.csv"');
    expect(csv.text.trimEnd().split('\r\n').length).toBe(1 + 29);
  });

  test('that there are not are pages of errors', async () => {
    const person = await member();
    for (const [path, status] of [
      ['2026-09/statement', 404],
      ['2027-01/statement.json', 400],
      ['x/statement.csv', 400],
      ['2026-10/other', 404],
    ] as const)
      expect([path, (await person.get(`${PATH}/${path}`)).status]).toEqual([path, status]);
  });

  test('are read with the session at the API too', async () => {
    const { text } = await (await member()).get(`${PATH}/2026-10/statement`);
    const person = await member();
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, accept: 'text/html' };
    const url = 'http://localhost/api/v1/account/statements/2026-10';
    const response = await app.fetch(new Request(url, { headers }));
    expect([response.status, (await response.text()).length]).toEqual([200, text.length]);
  });

  test('of a suspended operator are read and signed', async () => {
    const person = await member(app.otherKey);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    const page = await person.get(PATH);
    expect([page.status, page.text.includes('2026-10')]).toEqual([200, true]);
    const { text } = await person.get(`${PATH}/2026-10/statement.json`);
    expect(JSON.parse(text)).toMatchObject({ operator_id: app.otherId, signature: expect.any(String) });
    expect((await app.other.get('/api/v1/account/statements/last')).status).toBe(200);
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
  });
});

describe('the files of the journal', () => {
  test('have all entries', async () => {
    const person = await member();
    const csv = await person.get(`${PATH}/journal.csv`);
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="journal.csv"',
    ]);
    const lines = await person.get(`${PATH}/journal.ndjson`);
    expect(lines.headers.get('content-disposition')).toBe('attachment; filename="journal.ndjson"');
    const [first, ...entries] = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => Object(JSON.parse(line)));
    expect(first).toMatchObject({ operator_id: operatorId, length: entries.length, filtered: false });
    expect(verifiedJournal(operatorId, entries).paid?.available).toBe(first.figures.paid.available);
    expect(csv.text.trimEnd().split('\r\n').length).toBe(1 + entries.length);
  });

  test('are one at a time for each key, also with those of the API', async () => {
    const person = await member();
    const first = await asked(person, `${PATH}/journal.csv`);
    const headers = { authorization: `Bearer ${app.apiKey}`, accept: 'text/csv' };
    const journals = [POOL, `/api/v1/passport/agents/${agent.commitment}/credit-journal`];
    for (const path of [...journals, '/api/v1/account/statements/2026-10'])
      expect((await app.fetch(new Request(`http://localhost${path}`, { headers }))).status).toBe(429);
    const refused = await person.get(`${PATH}/2026-10/statement.csv`);
    expect([refused.status, refused.text.includes('already reads a whole journal')]).toEqual([429, true]);
    await first.body?.cancel();
    expect((await person.get(`${PATH}/journal.csv`)).status).toBe(200);
    // The runtime cancels the body of a response to HEAD.
    const head = await asked(person, `${PATH}/journal.csv`, 'HEAD');
    await head.body?.cancel();
    expect(head.status).toBe(200);
    expect((await person.get(`${PATH}/journal.csv`)).status).toBe(200);
  });

  test('end with the session', async () => {
    const { trust } = app.service;
    const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
    await trust.store.writeAsService(async (tx) => {
      const to = poolOf(await requireOperatorIn(tx, operatorId));
      for (let index = 0; index < 450; index++)
        await postIn(tx, trust, { kind: 'SETTLEMENT', from: issuance, to, portions: { sandbox: 1 } });
    });
    time.advance(1);
    for (const path of ['journal.ndjson', '2026-11/statement.csv']) {
      const person = await member();
      const reader = (await asked(person, `${PATH}/${path}`)).body?.getReader();
      const first = new TextDecoder().decode((await reader?.read())?.value);
      expect(first.trimEnd().split('\n').length).toBe(201);
      await person.send('/account/logout');
      await expect(Promise.resolve(reader?.read())).rejects.toThrow('may no longer read the journal');
    }
  });
});
