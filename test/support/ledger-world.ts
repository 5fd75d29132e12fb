/** The service, the operators and the agents of a simulation of the ledger. */
import { createPrivateKey } from 'node:crypto';
import { acceptClock } from '../../src/trust/log/clock/accept.ts';
import { createOperator } from '../../src/trust/operators/create-operator.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import { audienceOf, enrolledAgent, newAgentKey } from './agent.ts';
import { createKeyFor } from './api-keys.ts';
import { type BillingApp, openBillingApp } from './billing-app.ts';
import { fundPool, grantFrom, holderOf, selfProvisionedAgent } from './credits.ts';
import { addAll } from './ledger-effects.ts';
import { MONEY_SETTINGS } from './ledger-kinds-money.ts';
import { LedgerModel } from './ledger-model.ts';
import type { Seqs } from './ledger-observed.ts';
import { NONE, type Portions } from './ledger-portions.ts';
import type { Participants } from './ledger-requests.ts';
import { scopeOf } from './ledger-rules.ts';
import type { VirtualTime } from './virtual-time.ts';

const SERVICE_TOKEN = `svc_${'7e'.repeat(32)}`;
const SETTINGS = {
  service_token: SERVICE_TOKEN,
  'quotas.free.writes_per_minute': '0',
  'quotas.free.stored_bytes': '0',
  // The gate must not stop the receipts that the simulation slashes.
  'gate.sla_share_percent': '100',
  ...MONEY_SETTINGS,
};
/** The operator of each agent: the first, two others, none, one of its own, and none. */
const SPONSORS = [0, 0, 1, 1, 2, 2, null, 3, null] as const;
/** Beside four operators with agents, some have none at the beginning, so that they can be closed. */
const SPARE = 4;
const OPERATORS = 4 + SPARE;
/** The agent that is revoked from the beginning, so that there are unclaimed credits. */
const REVOKED = 8;
/** The operator of the agent that provisioned itself. */
const OWN = 3;
/** The agents in the order in which they are enrolled: that one is the first. */
const OLDEST = [...SPONSORS.keys()].sort(
  (one, other) => Number(SPONSORS[other] === OWN) - Number(SPONSORS[one] === OWN) || one - other,
);
/**
 * What each operator has at the beginning, and what it grants to each of its agents; the first one also has
 * the credits of every start.
 */
const POOL: Portions = { promotional: 900, paid: 500, sandbox: 300 };
const GRANT: Portions = { promotional: 60, paid: 40, sandbox: 30 };
const FIRST_CREDITS: Portions = { ...NONE, promotional: 1_000_000 };

/** What a file keeps of a world, so that a killed simulation can go on. */
export interface StoredWorld {
  /** The private keys of the agents, PKCS #8 as PEM. */
  agentKeys: string[];
  commitments: string[];
  names: Pick<Participants, 'operatorIds' | 'issuerKeys' | 'holderKeys' | 'limitedKeys' | 'audience'>;
  seqs: Seqs;
  /** When it was made, in milliseconds since 1970. */
  time: number;
}

export interface World {
  app: BillingApp;
  time: VirtualTime;
  participants: Participants;
  seqs: Seqs;
}

/** Opens the service on a new database, with operators, agents and keys. */
export async function newWorld(time: VirtualTime, data?: string): Promise<World & { stored: StoredWorld }> {
  const app = await openApp(time, data);
  const { trust, firstStart } = app.service;
  const third = await createOperator(trust, { name: 'third', admin: false });
  const own = await selfProvisionedAgent(app);
  const ownKey = await createKeyFor(trust, own.operatorId, {});
  const operatorIds = [firstStart.operatorId, app.otherId, third.operator_id, own.operatorId];
  const issuerKeys = [app.apiKey, app.otherKey, third.api_key, ownKey.api_key];
  for (let spare = 0; spare < SPARE; spare++) {
    const { operator_id, api_key } = await createOperator(trust, { name: `spare ${spare}`, admin: false });
    operatorIds.push(operator_id);
    issuerKeys.push(api_key);
  }
  const agents: Awaited<ReturnType<typeof enrolledAgent>>[] = [];
  const [holderKeys, limitedKeys]: [(string | null)[], (string | null)[]] = [[], []];
  for (const [index, sponsor] of SPONSORS.entries()) {
    const operatorId = sponsor === null ? null : (operatorIds[sponsor] ?? null);
    const agent = sponsor === OWN ? own : await enrolledAgent(app, { sponsor: operatorId });
    agents.push(agent);
    holderKeys.push(operatorId === null ? null : (await holderOf(app, agent, { operatorId })).key);
    limitedKeys.push(
      operatorId === null ? null : (await holderOf(app, agent, { operatorId, scope: scopeOf(index) })).key,
    );
  }
  for (const operatorId of operatorIds.slice(0, 4)) await fundPool(app, operatorId, POOL);
  for (const [index, sponsor] of SPONSORS.entries()) {
    const agent = agents[index]?.agent;
    if (agent === undefined) throw new Error('no such agent');
    await grantFrom(app, operatorIds[sponsor ?? 0] ?? '', agent, GRANT);
  }
  await app.own.post(`/api/v1/passport/agents/${agents[REVOKED]?.commitment}/revoke`);
  const operators = await trust.store.read(async (snapshot) => {
    const seqs: number[] = [];
    for (const id of operatorIds) seqs.push((await operatorById(snapshot, id))?.operatorSeq ?? 0);
    return seqs;
  });
  const stored: StoredWorld = {
    agentKeys: agents.map(({ privateKey }) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
    commitments: agents.map(({ commitment }) => commitment),
    names: { operatorIds, issuerKeys, holderKeys, limitedKeys, audience: await audienceOf(app) },
    seqs: { agents: agents.map(({ agent }) => agent.agentSeq), operators },
    time: time.now(),
  };
  return { ...worldOf(app, time, stored), stored };
}

/** Opens the service again after it was killed. */
export async function reopenedWorld(time: VirtualTime, data: string, stored: StoredWorld): Promise<World> {
  const app = await openApp(time, data);
  const { trust } = app.service;
  // Virtual days may have passed between the newest entry and the kill.
  const { clockWatch } = trust;
  if (clockWatch.look() !== null || clockWatch.isInDoubt || clockWatch.isBehindStart)
    await acceptClock(trust);
  return worldOf(app, time, stored);
}

/** Returns the model of a new world. */
export function newModel(now: () => number): LedgerModel {
  const model = new LedgerModel(OPERATORS, SPONSORS, now, OLDEST);
  model.move(null, model.poolOf(0), FIRST_CREDITS);
  for (let operator = 0; operator < 4; operator++) model.move(null, model.poolOf(operator), POOL);
  for (const [index, sponsor] of SPONSORS.entries()) {
    model.move(model.poolOf(sponsor ?? 0), model.creditsOf(index), GRANT);
    addAll(model.agent(index).granted, GRANT);
  }
  model.agent(REVOKED).isRevoked = true;
  return model;
}

function openApp(time: VirtualTime, data?: string): Promise<BillingApp> {
  return openBillingApp({ time, settings: SETTINGS, ...(data === undefined ? {} : { data }) });
}

function worldOf(
  app: BillingApp,
  time: VirtualTime,
  { agentKeys, commitments, ...stored }: StoredWorld,
): World {
  const agents = agentKeys.map((pem, index) => ({
    ...newAgentKey(createPrivateKey(pem)),
    commitment: commitments[index] ?? '',
  }));
  const participants: Participants = {
    ...stored.names,
    agents,
    serviceToken: SERVICE_TOKEN,
    receipts: new Map(),
    now: () => time.now(),
  };
  return { app, time, participants, seqs: stored.seqs };
}
