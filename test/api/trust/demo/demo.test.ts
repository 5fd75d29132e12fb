import { afterAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { proposalIn } from '../../../../src/proof/agora/proposal.ts';
import { proposalProblems } from '../../../../src/proof/agora/verify-proposal.ts';
import { EXAMPLE_COMMITMENT } from '../../../../src/trust/agents/example-agent.ts';
import { trustServiceDefinition } from '../../../../src/trust/definition.ts';
import {
  DEMO_A2A_TASKS,
  DEMO_API_KEY,
  DEMO_OTHER_KEY,
  DEMO_OTHER_OPERATOR_ID,
  DEMO_PROPOSALS,
  DEMO_RECEIPT_ID,
  DEMO_WEBHOOK_ID,
} from '../../../../src/trust/http/example-ids.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { client } from '../../../support/client.ts';
import { openDemo } from '../../../support/demo.ts';

const directory = takeDataDirectory(':memory:');
const service = await openDemo(trustServiceDefinition(trustModules), directory);
const { fetch } = service.app('/');
const send = (request: Request) => fetch(request, '127.0.0.1');
const own = client(send, 'http://127.0.0.1:3000', DEMO_API_KEY);
const other = client(send, 'http://127.0.0.1:3000', DEMO_OTHER_KEY);

afterAll(async () => {
  await service.close();
  directory.release();
});

test('a demonstration has receipts of every status, blind, chained, revoked, expired and waiting', async () => {
  const receipts = [...(await rows(own)), ...(await rows(other))];
  const statuses = new Set(receipts.map(({ status }) => status));
  expect([...statuses].sort()).toEqual(
    [
      'failure_tombstone',
      'graceful_shutdown',
      'null',
      'pending',
      'refusal',
      'success',
      'terminal',
      'timeout',
    ].sort(),
  );
  const some = (is: (receipt: Record<string, unknown>) => boolean) => receipts.some(is);
  expect(some(({ domain_commitment }) => domain_commitment !== undefined)).toBe(true);
  expect(some(({ prev_receipt_hash }) => typeof prev_receipt_hash === 'string')).toBe(true);
  expect(some(({ revocation_status }) => revocation_status === 'revoked')).toBe(true);
  expect(some(({ expiry }) => Date.parse(String(expiry)) < Date.now())).toBe(true);
  const ages = receipts.map(({ issued_at }) => Date.now() - Date.parse(String(issued_at)));
  expect(Math.max(...ages)).toBeGreaterThan(30 * 86_400_000);
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
});

test('the leaderboard by score has its order from the first request on', async () => {
  const { body } = await own.get('/api/v1/leaderboard?sort=score');
  const scores = (Array.isArray(body.agents) ? body.agents : []).map(({ score }) => Number(score));
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(scores[0]).toBeGreaterThan(50);
});

test('a demonstration has reputations of 30 days, checkpoints of 5 weeks, and webhooks that arrived', async () => {
  const { body } = await own.get('/api/v1/leaderboard');
  const agents = (Array.isArray(body.agents) ? body.agents : []).slice(0, 4);
  expect(agents).toHaveLength(4);
  for (const agent of agents) {
    expect(agent.failure_rate).toBeGreaterThan(0);
  }
  expect(agents[0].score).toBeGreaterThan(30);
  expect(agents[0].score_basis).toEqual({
    corroborated: expect.any(Number),
    sponsored: expect.any(Number),
    self_signed: expect.any(Number),
  });
  expect(Object.values(agents[0].score_basis).every((count) => Number(count) > 0)).toBe(true);
  const { checkpoints } = (await own.get('/api/v1/receipts/checkpoints?limit=100')).body;
  expect(Array.isArray(checkpoints) && checkpoints.length > 30).toBe(true);
  const { deliveries } = (await own.get(`/api/v1/webhooks/${DEMO_WEBHOOK_ID}/deliveries`)).body;
  expect(deliveries).toEqual(expect.arrayContaining([expect.objectContaining({ status: 204 })]));
});

test('a demonstration has credits, engagements in every status that lasts, and slashed stakes', async () => {
  const { body } = await own.get(`/api/v1/passport/engagements?subject_commitment=${EXAMPLE_COMMITMENT}`);
  const engagements: unknown[] = [body.engagements].flat();
  expect(engagements).toHaveLength(14);
  expect(new Set(engagements.map((engagement) => Object(engagement).status))).toEqual(
    new Set(['HELD', 'DELIVERED', 'DISPUTED', 'PAID']),
  );
  const { granted, spent, locked, available } = (
    await own.get(`/api/v1/passport/agents/${EXAMPLE_COMMITMENT}/credits`)
  ).body;
  expect([granted, spent, locked, available]).toEqual([2000, 230, 2100, 3870]);
  for (const operator of [own, other]) {
    const { entries } = (await operator.get('/api/v1/operator/slashing-ledger')).body;
    expect(entries).toEqual(
      expect.arrayContaining([expect.objectContaining({ amount_cents: expect.any(Number) })]),
    );
  }
});

test.each([
  ['completed', 'completed'],
  ['asked', 'input-required'],
  ['held', 'working'],
  ['cancelable', 'working'],
  ['delivered', 'input-required'],
  ['paid', 'completed'],
] as const)('the A2A task %s of a demonstration is %s', async (task, state) => {
  const id = DEMO_A2A_TASKS[task];
  const call = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } };
  const { body } = await own.post('/api/v1/a2a/tasks', call);
  expect(body.result).toMatchObject({ id, status: { state } });
});

test('the gate of a demonstration allows and denies', async () => {
  const ask = async (operator_id: string, domain: string) =>
    (await own.post('/api/v1/gate/verify', { operator_id, domain })).body.reason;
  expect(await ask(DEMO_OTHER_OPERATOR_ID, 'FINANCIAL_CLEARING')).toBe('SLA_BREACH_THRESHOLD_EXCEEDED');
});

test('the webhooks of a demonstration go to this machine only', async () => {
  const subscribe = (url: string) => own.post('/api/v1/webhooks', { url, events: ['evidence.anchored'] });
  for (const url of [
    'https://192.0.2.1/',
    'https://10.0.0.7/',
    'http://[2001:db8::1]/',
    'https://8.8.8.8/',
  ]) {
    const { status, body } = await subscribe(url);
    expect([status, JSON.stringify(body.issues)]).toEqual([
      400,
      expect.stringContaining('must point to this machine'),
    ]);
  }
  expect((await subscribe('http://127.0.0.1:9/')).status).toBe(201);
});

test('every page and the health response show that it is a demonstration', async () => {
  expect((await own.get('/api/health')).body.demo).toBe(true);
  const page = await (await send(new Request('http://127.0.0.1:3000/swagger'))).text();
  expect(page).toContain('Demonstration: made-up data and public keys.');
  const start = await (await send(new Request('http://127.0.0.1:3000/swagger/start.js'))).text();
  expect(start).toContain(DEMO_API_KEY);
  const { info, components } = (await own.get('/openapi.json')).body;
  expect(Object(info).description).toStartWith('**Demonstration:');
  expect(JSON.stringify(Object(components).securitySchemes)).toContain(DEMO_API_KEY);
});

test('the receipt of the examples has the known id', async () => {
  expect((await own.get(`/api/v1/receipts/${DEMO_RECEIPT_ID}`)).body).toMatchObject({ status: 'success' });
});

async function rows({ get }: typeof own): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const { receipts, next_cursor } = (await get(`/api/v1/receipts?limit=100${cursor}`)).body;
    all.push(...(Array.isArray(receipts) ? receipts : []));
    if (typeof next_cursor !== 'string') return all;
    cursor = `&cursor=${next_cursor}`;
  }
}

describe('a demonstration, whose keys are public,', () => {
  const HOSTS: [string, number][] = [
    ['127.0.0.1:3000', 200],
    ['127.8.8.8', 200],
    ['localhost:3000', 200],
    ['LOCALHOST', 200],
    ['trust.localhost:3000', 200],
    ['[::1]:3000', 200],
    ['attacker.example:3000', 400],
    ['localhost.attacker.example', 400],
    ['127.0.0.1.attacker.example:3000', 400],
    ['192.168.1.7:3000', 400],
    ['0.0.0.0:3000', 400],
    ['a:1', 400],
  ];
  for (const [host, status] of HOSTS) {
    test(`answers ${status} to the host ${host}: a page whose name resolves to this machine is kept out`, async () => {
      for (const path of ['/api/v1/operator/status', '/swagger/start.js', '/openapi.json']) {
        const headers = { host, authorization: `Bearer ${DEMO_API_KEY}` };
        const response = await send(new Request(`http://${host}${path}`, { headers }));
        expect(response.status).toBe(status);
        if (status === 400) expect(await response.text()).toContain('Use localhost or 127.0.0.1');
      }
    });
  }
});

test('a demonstration starts with any quotas and minimum stakes, and applies them afterwards', async () => {
  const strict = [
    ...['FINANCIAL_CLEARING', 'CUSTOMER_SUPPORT', 'CODE_GENERATION', 'SYSTEM_INTEGRATION'].map(
      (domain) => [`gate.minimum_stake.${domain.toLowerCase()}`, '100000000'] as const,
    ),
    ['gate.sla_share_percent', '0'],
    ['gate.sla_minimum_receipts', '1'],
    ['quotas.other.stored_bytes', '1'],
    ['quotas.other.writes_per_minute', '1'],
    ['quotas.free.stored_bytes', '1'],
    ['quotas.free.total_bytes', '1'],
    ['quotas.free.webhooks', '0'],
    ['quotas.free.writes_per_minute', '1'],
    ['quotas.free.provisions_per_day', '1'],
    ['log.origin', 'demo.example'],
  ] as const;
  const known = trustServiceDefinition(trustModules).table.map(({ key }) => key);
  expect(known).toEqual(expect.arrayContaining(strict.map(([key]) => key)));
  const taken = takeDataDirectory(':memory:');
  const demo = await openDemo(trustServiceDefinition(trustModules), taken, new Map(strict));
  try {
    const { fetch } = demo.app('/');
    const ask = client(
      (request: Request) => fetch(request, '127.0.0.1'),
      'http://127.0.0.1:3000',
      DEMO_API_KEY,
    );
    const refused = await ask.post('/api/v1/operator/api-keys', {});
    expect([refused.status, refused.body.reason_code]).toEqual([403, 'quota_exceeded']);
    const checkpoint = await fetch(new Request('http://127.0.0.1:3000/log/receipts/checkpoint'));
    expect(await checkpoint.text()).toStartWith('demo.example/');
  } finally {
    await demo.close();
    taken.release();
  }
});

test('a demonstration has an accepted proposal of AGORA, whose document proves itself, and an open one', async () => {
  const proposal = async (id: string) => (await own.get(`/api/v1/agora/proposals/${id}`)).body;
  const accepted = await proposal(DEMO_PROPOSALS.accepted);
  const read = proposalIn(JSON.parse(JSON.stringify(accepted)));
  expect(read === null ? null : proposalProblems(nativePrimitives, read)).toEqual([]);
  expect([accepted.status, accepted.terms]).toEqual([
    'accepted',
    { task: 'Audit the invoices of May', days: 5, credits: 120 },
  ]);
  expect((await proposal(DEMO_PROPOSALS.countered)).status).toBe('countered');
});
