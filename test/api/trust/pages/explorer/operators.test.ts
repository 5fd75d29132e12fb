import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { DOMAINS } from '../../../../../src/proof/receipt/receipt.ts';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { client, DIGEST } from '../../../../support/client.ts';
import { openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const GATE = '/api/v1/gate/verify';
const NAME = 'Gotham <b>Invoices</b>';

describe('the page of an operator', () => {
  let app: TrustApp;
  beforeAll(async () => {
    app = await openTrustApp({ 'gate.minimum_stake.financial_clearing': '500' });
  });
  afterAll(() => app.close());

  /** A new operator: its id and a caller with its key. */
  async function operator() {
    const made = await createOperator(app.service.trust, { name: NAME, admin: false });
    return { id: made.operator_id, api: client(app.fetch, 'http://localhost', made.api_key) };
  }
  type Operator = Awaited<ReturnType<typeof operator>>;

  /** Issues and finalizes receipts. */
  async function finalize({ api }: Operator, count: number, body: object, more: JsonObject = {}) {
    for (let made = 0; made < count; made++) {
      const { body: issued } = await api.issue(more);
      await api.finalize(String(issued.receipt_id), { ...body });
    }
  }

  /** Returns what the page says by domain, and compares it with the gate. */
  async function verdicts(id: string): Promise<string[]> {
    const page = await openPage(app, `/operators/${id}`);
    expect(page.status).toBe(200);
    const rows = page.text.split('<tr>').slice(2);
    const said = [];
    for (const [index, domain] of DOMAINS.entries()) {
      const { body } = await app.anyone.post(GATE, { operator_id: id, domain });
      const words = wordsOf({ text: rows[index] ?? '' }).split(' ');
      expect([words.includes('Allowed'), words.includes('Denied')]).toEqual([
        body.allow_invocation === true,
        body.allow_invocation !== true,
      ]);
      expect(words).toContain(String(body.reason));
      said.push(String(body.reason));
    }
    expect(wordsOf(page)).toContain(`in ${said.filter((reason) => reason === 'OK').length} of 4 domains`);
    return said;
  }

  const SUCCESS = { status: 'success', output_hash: DIGEST };
  const BREACH = { status: 'terminal', terminal_reason: 'late', error_tranche: 'SLA_BREACH' };
  const NONE = 'ZERO_TENANCY_REJECT';
  const STAKE = 'INSUFFICIENT_ESCROW_BOND';

  test.each<[string, (operator: Operator) => Promise<unknown>, string]>([
    ['without receipts', () => Promise.resolve(), NONE],
    ['with a receipt', (one) => finalize(one, 1, SUCCESS), 'OK'],
    ['with a blind receipt only', (one) => finalize(one, 1, SUCCESS, { blind: true }), NONE],
    [
      'with too many breaches',
      async (one) => {
        await finalize(one, 8, SUCCESS);
        await finalize(one, 2, BREACH);
      },
      'SLA_BREACH_THRESHOLD_EXCEEDED',
    ],
  ])('%s says what the gate says of each domain', async (_, prepare, reason) => {
    const one = await operator();
    await prepare(one);
    expect(await verdicts(one.id)).toEqual([STAKE, NONE, reason, NONE]);
  });

  test('of a suspended account says so, and nothing else of it', async () => {
    const one = await operator();
    await finalize(one, 1, SUCCESS);
    await setAccountStatus(app.service.trust, one.id, 'SUSPENDED');
    expect(await verdicts(one.id)).toEqual(Array(4).fill('OPERATOR_SUSPENDED'));
    const { text, links } = await openPage(app, `/operators/${one.id}`);
    expect(text).not.toContain('Gotham');
    expect(text).not.toContain('rcpt_');
    expect(links.filter((link) => link.startsWith('/receipts'))).toEqual([]);
  });

  test('is the same for an id that nobody has and for one that nobody can have', async () => {
    const pages = [];
    for (const id of ['op_cus_nobody', 'x'.repeat(129), '%3Cb%3E', '..%2F..', '%00', '%F0%9F'])
      pages.push(await openPage(app, `/operators/${id}`));
    const [first] = pages.map((page) => wordsOf(page).replace(/[0-9a-f-]{36}/, 'id'));
    for (const page of pages) {
      expect(page.status).toBe(404);
      expect(wordsOf(page).replace(/[0-9a-f-]{36}/, 'id')).toBe(first ?? '');
    }
  });
});

test('pages of operators count as checks of the gate', async () => {
  const app = await openTrustApp({ rate_limits: 'on', 'limits.gate': '2' });
  const { operatorId } = app.service.firstStart;
  const page = await openPage(app, `/operators/${operatorId}`);
  expect([page.status, page.headers.get('ratelimit-policy')]).toEqual([200, '"gate";q=2;w=60']);
  const question = { operator_id: operatorId, domain: 'CODE_GENERATION' };
  expect((await app.anyone.post(GATE, question)).status).toBe(200);
  expect((await openPage(app, `/operators/${operatorId}`)).status).toBe(429);
  expect((await app.anyone.post(GATE, question)).status).toBe(429);
  await app.close();
});
