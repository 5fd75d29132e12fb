import { bookPaymentIn } from '../../src/trust/billing/payments.ts';
import { enrolledAgent } from './agent.ts';
import { Negotiation, PROPOSALS } from './agora.ts';
import { assessmentsPath, signedAssessment } from './assessments.ts';
import { fundPool, grantFrom } from './credits.ts';
import { evidencePath, PAYLOADS, signedEvidence } from './evidence.ts';
import type { TestList } from './lists.ts';
import { queuePayouts, WITHDRAWALS } from './payouts.ts';
import { PREFIX, type StaffingApp } from './staffing-app.ts';
import { ingested, telemetryOf } from './telemetry.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * Makes three rows of every list of the trust service, for two callers.
 * @returns the lists by their path in the OpenAPI document
 */
export async function makeTrustLists(trust: TrustApp): Promise<Record<string, TestList>> {
  const { own, other, anyone, service } = trust;
  const { store } = service.trust;
  const webhooks: unknown[] = [];
  for (let row = 0; row < 3; row++) {
    for (const caller of [own, other]) {
      await caller.issue();
      await caller.post('/api/v1/operator/api-keys', { name: 'another' });
      const subscription = { url: 'https://1.1.1.1/', events: ['evidence.anchored'] };
      webhooks.push((await caller.post('/api/v1/webhooks', subscription)).body.id);
    }
    const { body } = await own.issue();
    await own.finalize(body.receipt_id, { status: 'timeout', terminal_reason: 'late' });
    const { body: late } = await other.issue();
    await other.finalize(late.receipt_id, { status: 'timeout', terminal_reason: 'late' });
    await service.trust.log.publisher.publish();
  }
  const agents = [await enrolledAgent(trust), await enrolledAgent(trust), await enrolledAgent(trust)];
  for (const agent of agents.slice(0, 2)) {
    for (const name of ['a', 'b', 'c']) {
      const push = signedEvidence(agent, 'github_push_webhook', PAYLOADS.github_push_webhook(name));
      await own.post(evidencePath(agent.commitment), push);
      const grant = { subject_commitment: agent.commitment, amount: 1 };
      await own.post('/api/v1/passport/credits/grants', grant);
      await own.post('/api/v1/passport/engagements', {
        task_id: `${name} of ${agent.commitment}`,
        hirer_commitment: agent.commitment,
        worker_commitment: agents[2]?.commitment,
        amount: 1,
      });
    }
  }
  for (const agent of agents.slice(0, 2)) {
    const worker = agents[2];
    if (worker === undefined) continue;
    await new Negotiation(trust, agent, worker).propose();
    await new Negotiation(trust, worker, agent).propose();
    await new Negotiation(trust, agent, worker).propose();
  }
  const assessor = await enrolledAgent(trust, { sponsor: trust.otherId });
  for (const agent of agents.slice(0, 2)) {
    for (const evidence of ['a', 'b', 'c']) {
      const controls = [{ id: 'CC7.2', status: 'pass', evidence }];
      await anyone.post(assessmentsPath(agent.commitment), signedAssessment(assessor, agent, { controls }));
    }
  }
  await fundPool(trust, service.firstStart.operatorId, { paid: 6 });
  for (const agent of agents.slice(0, 2)) {
    await grantFrom(trust, service.firstStart.operatorId, agent.agent, { paid: 3 });
    await queuePayouts(
      trust,
      agent,
      ['a', 'b', 'c'].map((reference) => ({ amount: 1, reference })),
    );
  }
  for (const operatorId of [service.firstStart.operatorId, trust.otherId]) {
    for (const at of ['a', 'b', 'c']) await paid(trust, operatorId, `cs_${at}_${operatorId}`);
  }
  for (let hour = 0; hour < 3; hour++) {
    for (const cluster_id of ['hall-1', 'hall-2']) await ingested(own, telemetryOf(hour, { cluster_id }));
  }
  await store.writeAsService(({ connection: { sqlite } }) => {
    sqlite.run(`INSERT INTO webhook_delivery (delivery_id, webhook_seq, event, created_at, ended_at, status, error)
      SELECT randomblob(16), webhook_seq, 'evidence.anchored', created_at, created_at, 200, NULL
      FROM webhook, (VALUES (1), (2), (3))`);
  });
  const evidence = agents.map(({ commitment }) => evidencePath(commitment));
  const assessments = agents.map(({ commitment }) => assessmentsPath(commitment));
  const journals = agents.map(({ commitment }) => `/api/v1/passport/agents/${commitment}/credit-journal`);
  const engagements = agents.map(
    ({ commitment }) => `/api/v1/passport/engagements?subject_commitment=${commitment}`,
  );
  const proposals = agents.map(({ commitment }) => `${PROPOSALS}?commitment=${commitment}`);
  const withdrawals = agents.map(({ commitment }) => `${WITHDRAWALS}?subject_commitment=${commitment}`);
  const deliveries = webhooks.map((id) => `/api/v1/webhooks/${id}/deliveries`);
  const { get } = own;
  return {
    '/api/v1/receipts': {
      path: '/api/v1/receipts',
      get,
      elsewhere: [
        { path: '/api/v1/receipts', get: other.get },
        ...['status=pending', 'agent_id=agent-7', 'domain=CODE_GENERATION', 'from=2020-01-01T00:00:00Z'].map(
          (filter) => ({ path: `/api/v1/receipts?${filter}`, get }),
        ),
      ],
    },
    '/api/v1/receipts/checkpoints': {
      path: '/api/v1/receipts/checkpoints',
      get: anyone.get,
      elsewhere: [{ path: '/api/v1/receipts/checkpoints?log=keys', get: anyone.get }],
    },
    '/api/v1/passport/agents': {
      path: '/api/v1/passport/agents',
      get,
      elsewhere: [{ path: '/api/v1/passport/agents', get: other.get }],
    },
    '/api/v1/passport/agents/{id}/evidence': {
      path: evidence[0] ?? '',
      get,
      elsewhere: [
        { path: evidence[1] ?? '', get },
        { path: `${evidence[0]}?source_type=github_push_webhook`, get },
      ],
    },
    '/api/v1/passport/agents/{id}/assessments': {
      path: assessments[0] ?? '',
      get: anyone.get,
      elsewhere: [{ path: assessments[1] ?? '', get: anyone.get }],
    },
    '/api/v1/passport/agents/{id}/credit-journal': {
      path: journals[0] ?? '',
      get,
      elsewhere: [
        { path: journals[1] ?? '', get: anyone.get },
        { path: `${journals[0]}?kind=OPERATOR_GRANT`, get },
      ],
    },
    '/api/v1/passport/engagements': {
      path: engagements[0] ?? '',
      get,
      elsewhere: [
        { path: engagements[1] ?? '', get },
        ...['role=hirer', 'status=HELD'].map((filter) => ({ path: `${engagements[0]}&${filter}`, get })),
      ],
    },
    [PROPOSALS]: {
      path: proposals[0] ?? '',
      get,
      elsewhere: [{ path: proposals[1] ?? '', get }],
    },
    [WITHDRAWALS]: {
      path: withdrawals[0] ?? '',
      get,
      elsewhere: [{ path: withdrawals[1] ?? '', get }],
    },
    '/api/v1/datacenter/receipts': {
      path: '/api/v1/datacenter/receipts?cluster_id=hall-1',
      get: anyone.get,
      elsewhere: [
        { path: '/api/v1/datacenter/receipts', get: anyone.get },
        { path: '/api/v1/datacenter/receipts?cluster_id=hall-2', get: anyone.get },
      ],
    },
    '/api/v1/leaderboard': { path: '/api/v1/leaderboard', get: anyone.get, elsewhere: [] },
    '/api/v1/webhooks': {
      path: '/api/v1/webhooks',
      get,
      elsewhere: [{ path: '/api/v1/webhooks', get: other.get }],
    },
    '/api/v1/webhooks/{id}/deliveries': {
      path: deliveries[0] ?? '',
      get,
      elsewhere: [
        { path: deliveries[2] ?? '', get },
        { path: deliveries[1] ?? '', get: other.get },
      ],
    },
    '/api/v1/operator/api-keys': {
      path: '/api/v1/operator/api-keys',
      get,
      elsewhere: [{ path: '/api/v1/operator/api-keys', get: other.get }],
    },
    '/api/v1/account/payments': {
      path: '/api/v1/account/payments',
      get,
      elsewhere: [
        { path: '/api/v1/account/payments', get: other.get },
        ...['kind=topup', 'status=paid', 'from=2020-01-01T00:00:00Z'].map((filter) => ({
          path: `/api/v1/account/payments?${filter}`,
          get,
        })),
      ],
    },
    '/api/v1/operator/journal': {
      path: '/api/v1/operator/journal',
      get,
      elsewhere: [
        { path: '/api/v1/operator/journal', get: other.get },
        { path: '/api/v1/operator/journal?kind=OPERATOR_GRANT', get },
        { path: journals[0] ?? '', get },
      ],
    },
    '/api/v1/operator/slashing-ledger': {
      path: '/api/v1/operator/slashing-ledger',
      get,
      elsewhere: [
        { path: '/api/v1/operator/slashing-ledger', get: other.get },
        { path: '/api/v1/operator/slashing-ledger?tranche=COMPUTE_TIMEOUT', get },
      ],
    },
  };
}

/** Books a top-up of an operator, as an event of the processor does. */
async function paid({ service: { trust } }: TrustApp, operatorId: string, sourceId: string): Promise<void> {
  const none = { customerId: null, subscriptionId: null, invoiceId: null, paymentIntent: null };
  const order = { operatorId, checkoutId: null, purpose: 'credits', billingReason: null };
  const fact = {
    kind: 'paid',
    source: 'session',
    sourceId,
    eventId: 'evt_1',
    amount: 100,
    currency: 'usd',
    sandbox: false,
    ...order,
    ...none,
  } as const;
  await trust.store.writeAsService((tx) => bookPaymentIn(tx, trust, fact, new Map()));
}

/**
 * Makes three rows of every list of the staffing service.
 * @returns the lists by their path in the OpenAPI document
 */
export async function makeStaffingLists({
  own,
  live,
  other,
  admin,
}: StaffingApp): Promise<Record<string, TestList>> {
  for (let row = 0; row < 3; row++) {
    for (const caller of [own, live, other]) await caller.submit();
    await own.post('/sandbox-keys', { email: `partner${row}@firm${row}.example`, company: 'Firm' });
  }
  for (const caller of [own, live, other]) {
    const { body } = await caller.post('/keys', {});
    await caller.call('DELETE', `/keys/${body.id}`);
    await caller.post('/keys', {});
  }
  const { get } = live;
  const search = `${PREFIX}/clinicians/search`;
  const elsewhere = (path: string, filters: readonly string[], others: readonly { get: typeof get }[]) => [
    ...others.map((caller) => ({ path, get: caller.get })),
    ...filters.map((filter) => ({ path: `${path}${path.includes('?') ? '&' : '?'}${filter}`, get })),
  ];
  return {
    [`${PREFIX}/keys`]: {
      path: `${PREFIX}/keys`,
      get,
      elsewhere: elsewhere(`${PREFIX}/keys`, [], [own, other]),
    },
    [search]: {
      path: `${search}?surname=s`,
      get,
      elsewhere: elsewhere(`${search}?surname=s`, ['state=TX', 'specialty=RN', 'match=exact'], []),
    },
    [`${PREFIX}/clinicians/changes`]: { path: `${PREFIX}/clinicians/changes`, get, elsewhere: [] },
    [`${PREFIX}/jobs`]: {
      path: `${PREFIX}/jobs`,
      get,
      elsewhere: elsewhere(`${PREFIX}/jobs`, ['status=open', 'external_id=a'], [own, other]),
    },
    [`${PREFIX}/admin/partners`]: { path: `${PREFIX}/admin/partners`, get: admin.get, elsewhere: [] },
    [`${PREFIX}/admin/jobs`]: {
      path: `${PREFIX}/admin/jobs`,
      get: admin.get,
      elsewhere: ['status=open', 'mode=live'].map((filter) => ({
        path: `${PREFIX}/admin/jobs?${filter}`,
        get: admin.get,
      })),
    },
  };
}
