import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { verify } from '../../../../../src/tools/verify/verify.ts';
import { creditsOf } from '../../../../../src/trust/ledger/accounts.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { verifiedJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent } from '../../../../support/credits.ts';
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
