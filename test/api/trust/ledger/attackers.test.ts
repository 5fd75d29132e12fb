import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import { ATTACKS } from '../../../support/attackers.ts';
import type { client } from '../../../support/client.ts';
import { type CreditedAgent, creditedAgent, fundPool, holderOf } from '../../../support/credits.ts';
import { ENGAGEMENTS, marketOf, SERVICE_TOKEN } from '../../../support/engagements.ts';
import { accountsOf, byName } from '../../../support/ledger-accounts.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const ROOT = join(import.meta.dir, '../../../..');
const AGENTS = '/api/v1/passport/agents';

describe('each attack on credits and money', () => {
  test.each(ATTACKS.flatMap(({ goal, tests }) => tests.map(([file, name]) => [goal, file, name] as const)))(
    '(%s) is tried by a test that exists: %s',
    (_goal, file, name) => {
      const path = join(ROOT, file);
      expect(existsSync(path)).toBe(true);
      const source = readFileSync(path, 'utf8');
      // As a literal: the title of a test, of its group, or of a row of its table.
      expect(["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`))).toBe(true);
    },
  );

  test('is a row of docs/security.md, and no other is', () => {
    const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)]
      .map(([, attacker = '', goal = '']) => [attacker, goal])
      .filter(([attacker = '']) => !/^(Attacker|-+)$/.test(attacker));
    expect(rows).toEqual(ATTACKS.map(({ attacker, goal }) => [attacker, goal]));
    expect(new Set(rows.map(([attacker, goal]) => `${attacker}: ${goal}`)).size).toBe(rows.length);
  });

  test('has an attacker for whom docs/security.md says what remains', () => {
    const [, rest = ''] = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('## What remains');
    for (const { attacker } of ATTACKS) expect(rest).toContain(`- **${attacker}**`);
  });
});

describe('attempts that move nothing:', () => {
  let app: TrustApp;
  let agent: CreditedAgent;
  let other: CreditedAgent;
  let task: string;
  let withdrawal: string;

  beforeAll(async () => {
    app = await openTrustApp({ service_token: SERVICE_TOKEN });
    const credits = { promotional: 50, paid: 100 };
    agent = await creditedAgent(app, { credits });
    other = await creditedAgent(app, { credits });
    await fundPool(app, app.service.firstStart.operatorId, credits);
    task = await marketOf(app).hire(agent, other);
    const { body } = await app.own.post('/api/v1/agent-pay/withdraw', withdraw(agent, 'own'));
    withdrawal = String(body.withdrawal_id);
  });
  afterAll(() => app.close());

  const withdraw = ({ commitment }: CreditedAgent, reference = 'theft') => ({
    subject_commitment: commitment,
    amount: 1,
    reference,
  });
  const transfer = (from: CreditedAgent, to: CreditedAgent) => ({
    from_commitment: from.commitment,
    to_commitment: to.commitment,
    amount: 1,
  });
  const hire = (hirer: CreditedAgent, worker: CreditedAgent) => ({
    task_id: crypto.randomUUID(),
    hirer_commitment: hirer.commitment,
    worker_commitment: worker.commitment,
    amount: 1,
  });

  /** Sends requests, and returns the status of each. No account may change. */
  async function refused(
    by: ReturnType<typeof client>,
    attempts: readonly (readonly [method: string, path: string, body?: JsonObject])[],
  ): Promise<unknown[]> {
    const before = byName(await accountsOf(app));
    const results: unknown[] = [];
    for (const [method, path, body] of attempts) {
      const { status } = method === 'GET' ? await by.get(path) : await by.call(method, path, body);
      results.push([path.replace(/[0-9a-f]{64}|wdr_\w+|task-[\w-]+/g, '…'), status]);
    }
    expect(byName(await accountsOf(app))).toEqual(before);
    return results;
  }

  test('a holder key takes nothing from its operator or another agent, and decides nothing for them', async () => {
    const key = await holderOf(app, agent);
    const of = ({ commitment }: CreditedAgent) => `${AGENTS}/${commitment}`;
    const results = await refused(key, [
      ['POST', '/api/v1/passport/credits/grants', { subject_commitment: agent.commitment, amount: 1 }],
      ['POST', '/api/v1/passport/credits/transfers', transfer(other, agent)],
      ['POST', '/api/v1/agent-pay/withdraw', withdraw(other)],
      ['POST', ENGAGEMENTS, hire(other, agent)],
      ['POST', `${of(other)}/revoke`, {}],
      ['POST', `${of(agent)}/freeze`, { reason: 'x' }],
      ['PUT', `${of(agent)}/sponsor`, { operator_id: app.otherId }],
      ['POST', '/api/v1/operator/api-keys', { name: 'more' }],
      ['GET', `/api/v1/agent-pay/wallet?subject_commitment=${other.commitment}`],
    ]);
    expect(results).toEqual([
      ['/api/v1/passport/credits/grants', 403],
      ['/api/v1/passport/credits/transfers', 403],
      ['/api/v1/agent-pay/withdraw', 403],
      [ENGAGEMENTS, 403],
      [`${AGENTS}/…/revoke`, 403],
      [`${AGENTS}/…/freeze`, 403],
      [`${AGENTS}/…/sponsor`, 403],
      ['/api/v1/operator/api-keys', 403],
      ['/api/v1/agent-pay/wallet?subject_commitment=…', 403],
    ]);
  });

  test('another operator withdraws, reads and ends nothing of agents of others', async () => {
    const results = await refused(app.other, [
      ['POST', '/api/v1/agent-pay/withdraw', withdraw(agent)],
      ['GET', `/api/v1/agent-pay/wallet?subject_commitment=${agent.commitment}`],
      ['GET', `/api/v1/agent-pay/withdrawals/${withdrawal}`],
      ['GET', `${ENGAGEMENTS}/${task}`],
      ['POST', `${ENGAGEMENTS}/${task}/cancel`, {}],
      ['POST', `${ENGAGEMENTS}/${task}/refund`, {}],
      ['POST', `${ENGAGEMENTS}/${task}/accept`, {}],
      ['POST', `${AGENTS}/${agent.commitment}/revoke`, {}],
    ]);
    expect(results).toEqual([
      ['/api/v1/agent-pay/withdraw', 403],
      ['/api/v1/agent-pay/wallet?subject_commitment=…', 403],
      ['/api/v1/agent-pay/withdrawals/…', 404],
      [`${ENGAGEMENTS}/…`, 404],
      [`${ENGAGEMENTS}/…/cancel`, 404],
      [`${ENGAGEMENTS}/…/refund`, 404],
      [`${ENGAGEMENTS}/…/accept`, 404],
      [`${AGENTS}/…/revoke`, 403],
    ]);
  });

  test('a revoked agent signs no debit, and joins no operator', async () => {
    const leaver = await creditedAgent(app, { credits: { paid: 20 } });
    expect((await app.own.post(`${AGENTS}/${leaver.commitment}/revoke`)).status).toBe(200);
    const audience = await audienceOf(app);
    const signed = (method: string, path: string, body: JsonObject) =>
      [method, path, { ...body, agent_auth: agentAuth(leaver, { method, path, body, audience }) }] as const;
    const debits = [
      signed('POST', '/api/v1/passport/credits/transfers', transfer(leaver, agent)),
      signed('POST', '/api/v1/agent-pay/withdraw', withdraw(leaver)),
      signed('POST', ENGAGEMENTS, hire(leaver, agent)),
    ];
    expect((await refused(app.anyone, debits)).map((result) => Object(result)[1])).toEqual([403, 403, 403]);
    const join = signed('PUT', `${AGENTS}/${leaver.commitment}/sponsor`, { operator_id: app.otherId });
    expect((await refused(app.other, [join])).map((result) => Object(result)[1])).toEqual([403]);
  });
});
