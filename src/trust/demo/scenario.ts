import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/units.ts';
import { parseJson } from '../../proof/encoding/json.ts';
import type { Domain } from '../../proof/receipt/receipt.ts';
import { DEMO_API_KEY, DEMO_OTHER_KEY, DEMO_SPARE_KEY, DEMO_WEBHOOK_ID } from '../http/example-ids.ts';
import { talk } from './a2a.ts';
import { anchor, type DemoAgent, demoAgent, enroll, exampleAgent, provision, setPhoto } from './agents.ts';
import { negotiate } from './agora.ts';
import { payStake, paySubscription } from './billing.ts';
import { reportControls } from './compliance.ts';
import { issueCredential } from './credentials.ts';
import { hire, moveCredits } from './credits.ts';
import { enrollMeter, sendTelemetry } from './datacenter.ts';
import { EXAMPLE_COMMIT, evidenceOf } from './evidence.ts';
import { earnAndPay } from './payments.ts';
import { type DemoClient, OTHER_OUTCOMES, Receipts, success } from './receipts.ts';
import { makeSpares, type Spares } from './spares.ts';

/** Length of the scenario in days: longer than the 30 days of a reputation. */
export const SCENARIO_DAYS = 36;

/** The parts that the scenario runs with. */
export interface ScenarioOptions extends DemoClient {
  /** The time when the scenario ends: now, in milliseconds since 1970. */
  end: number;
  /** The URL of the receiver of webhooks. */
  receiver: string;
  /** Creates the second operator, for which the API has no operation. */
  createOtherOperator(): Promise<void>;
  /** Pays a session of the sandbox. */
  payOrder(sessionId: string): Promise<void>;
  /** Publishes checkpoints, and waits until all webhooks so far were delivered. */
  settle(): Promise<void>;
}

const DOMAINS: readonly Domain[] = [
  'FINANCIAL_CLEARING',
  'CUSTOMER_SUPPORT',
  'CODE_GENERATION',
  'SYSTEM_INTEGRATION',
];

/**
 * Runs the scenario: sends the requests of two operators and their agents up to now.
 * @returns what the examples may change
 */
export async function runScenario(client: ScenarioOptions): Promise<Spares> {
  const { clock, end, settle } = client;
  const receipts = new Receipts(client);
  const agents = scenarioAgents();
  const startOf = (day: number): number => end - (SCENARIO_DAYS - day) * DAY_MS;
  await settle();
  await enrollAll(client, agents);
  const meter = await enrollMeter(client);
  for (let day = 1; day < SCENARIO_DAYS; day++) {
    clock.advanceTo(startOf(day));
    if (day === 1) await firstReceipts(receipts, agents.clerk);
    await sendTelemetry(client, meter, { day, end: startOf(day) });
    await workOfDay(client, receipts, agents, day);
    await reportControls(client, agents.clerk, day);
    if (day === 20) await subscribe(client);
    if (day === 30) await breachesOf(receipts, agents.planner);
    if (day === 31) await earnAndPay(client, agents.clerk);
    if (day === 32) await paySubscription(client, client.payOrder);
    if (day === 33) await payStake(client, client.payOrder);
    if (day === 32)
      await moveCredits(client.ask, { hirer: agents.clerk, worker: agents.auditor }, agents.support);
    await settle();
  }
  clock.advanceTo(end - HOUR_MS);
  await lastHour(client, receipts, agents);
  const spares = await makeSpares(client, receipts);
  await settle();
  await issueCredential(client, agents.clerk);
  const credential = await client.ask(`GET /api/v1/credentials/${agents.auditor.commitment}`);
  clock.advanceTo(end);
  await settle();
  return { ...spares, credential: parseJson(JSON.stringify(credential)) };
}

interface Agents {
  clerk: DemoAgent;
  reviewer: DemoAgent;
  support: DemoAgent;
  planner: DemoAgent;
  retired: DemoAgent;
  auditor: DemoAgent;
}

function scenarioAgents(): Agents {
  return {
    clerk: exampleAgent(),
    reviewer: demoAgent('Code reviewer'),
    support: demoAgent('Support assistant'),
    planner: demoAgent('Route planner'),
    retired: demoAgent('Retired scraper'),
    auditor: demoAgent('Invoice auditor'),
  };
}

async function enrollAll({ ask, createOtherOperator, ids }: ScenarioOptions, agents: Agents): Promise<void> {
  const { clerk, reviewer, support, planner, retired, auditor } = agents;
  await createOtherOperator();
  ids.reserve(DEMO_SPARE_KEY);
  await ask('POST /api/v1/operator/api-keys', { key: DEMO_API_KEY, body: { name: 'build server' } });
  for (const agent of [clerk, reviewer, support, retired, auditor]) await enroll(ask, agent, DEMO_API_KEY);
  await enroll(ask, planner, DEMO_OTHER_KEY);
  await enroll(ask, demoAgent('Lone researcher'));
  await provision(ask, demoAgent('Wandering indexer'));
  await setPhoto(ask, reviewer, 'reviewer');
  await setPhoto(ask, planner, 'planner');
  await ask('POST /api/v1/operator/api-keys', {
    key: DEMO_API_KEY,
    body: { name: 'the clerk itself', role: 'holder', subject_commitment: clerk.commitment },
  });
}

/** Issues the two receipts that the documentation names, and a chain of three. */
async function firstReceipts(receipts: Receipts, clerk: DemoAgent): Promise<void> {
  const order = {
    key: DEMO_API_KEY,
    agentId: clerk.commitment,
    domain: 'CODE_GENERATION',
    scope: 'invoices:read',
  } as const;
  const first = await receipts.issue(order);
  await receipts.issue({ ...order, scope: 'invoices:write' });
  let after = await receipts.finalize(DEMO_API_KEY, first, success(first));
  for (const scope of ['invoices:check', 'invoices:pay']) {
    const next = await receipts.issue({ ...order, scope, after });
    after = await receipts.finalize(DEMO_API_KEY, next, success(next));
  }
}

async function workOfDay(
  { ask, clock }: ScenarioOptions,
  receipts: Receipts,
  { clerk, reviewer, support, planner, retired }: Agents,
  day: number,
): Promise<void> {
  clock.advanceTo(clock.now() + HOUR_MS);
  const [worker, key] =
    day % 4 === 3 ? [planner, DEMO_OTHER_KEY] : [day % 2 === 0 ? clerk : support, DEMO_API_KEY];
  const id = await receipts.issue({
    key,
    agentId: worker.commitment,
    domain: DOMAINS[(day + Math.floor(day / 4)) % DOMAINS.length] ?? 'CODE_GENERATION',
    scope: 'orders:read',
    ...(day % 7 === 5 ? { blind: true } : {}),
  });
  const other = day % 5 === 4 ? OTHER_OUTCOMES[Math.floor(day / 5) % OTHER_OUTCOMES.length] : undefined;
  if (day % 12 !== 11) await receipts.finalize(key, id, other ?? success(id));
  if (day % 11 === 6) await receipts.revoke(key, id, 'The order was entered twice.');
  // First, so that its event hash is known: each hash also covers the items before it.
  if (day === 1) await anchor(ask, DEMO_API_KEY, clerk, ...EXAMPLE_COMMIT);
  for (const [agent, every] of [
    [clerk, 1],
    [reviewer, 2],
    [support, 3],
    [retired, day > 12 ? 99 : 2],
  ] as const) {
    if (day % every === 0) await anchor(ask, DEMO_API_KEY, agent, ...evidenceOf(agent.name, day));
  }
  if (day % 3 === 0) await anchor(ask, DEMO_OTHER_KEY, planner, ...evidenceOf(planner.name, day));
  if (day === 14) {
    await ask(`POST /api/v1/passport/agents/${retired.commitment}/revoke`, {
      key: DEMO_API_KEY,
      body: { reason: 'its key was lost' },
    });
  }
}

/** Creates a webhook with a working receiver, and one whose receiver does not exist. */
async function subscribe({ ask, ids, receiver }: ScenarioOptions): Promise<void> {
  const events = ['evidence.anchored', 'enrollment.completed', 'reputation.degraded'];
  ids.reserve(DEMO_WEBHOOK_ID);
  await ask('POST /api/v1/webhooks', { key: DEMO_API_KEY, body: { url: receiver, events, all: true } });
  await ask('POST /api/v1/webhooks', {
    key: DEMO_OTHER_KEY,
    body: { url: 'https://hooks.logistics.example/countersign', events: ['evidence.anchored'] },
  });
}

/** Finalizes twelve receipts, three as SLA breaches: the gate denies the second operator in one domain. */
async function breachesOf(receipts: Receipts, planner: DemoAgent): Promise<void> {
  const order = {
    key: DEMO_OTHER_KEY,
    agentId: planner.commitment,
    domain: 'FINANCIAL_CLEARING',
    scope: 'routes:plan',
  } as const;
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) ids.push(await receipts.issue(order));
  for (const [index, id] of ids.entries()) {
    const late = {
      status: 'terminal',
      terminal_reason: 'The route came after the truck had left.',
      error_tranche: 'SLA_BREACH',
    };
    await receipts.finalize(DEMO_OTHER_KEY, id, index % 4 === 3 ? late : success(id));
  }
}

/** Adds recent data: a receipt that expires soon, a pending one, and evidence. */
async function lastHour(
  client: ScenarioOptions,
  receipts: Receipts,
  { clerk, auditor, planner }: Agents,
): Promise<void> {
  const { ask, clock, ids } = client;
  const order = {
    key: DEMO_API_KEY,
    agentId: clerk.commitment,
    domain: 'FINANCIAL_CLEARING',
    scope: 'invoices:pay',
  } as const;
  const soon = await receipts.issue({ ...order, expiry: timestampOf(clock.now() + HOUR_MS / 2) });
  await receipts.finalize(DEMO_API_KEY, soon, success(soon));
  await receipts.issue(order);
  await hire(client, { hirer: clerk, worker: auditor, arbiter: planner });
  await negotiate(client, clerk, auditor);
  await talk(ask, ids, { hirer: clerk, worker: auditor });
  await anchor(ask, DEMO_API_KEY, clerk, 'task_deliverable', {
    task_id: 'monthly statement',
    deliverable_digest: sha256Hex('monthly statement'),
  });
}
