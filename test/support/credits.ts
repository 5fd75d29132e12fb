import { CREDIT_CLASSES } from '../../db/trust/ledger-enums.ts';
import type { Scope } from '../../db/trust/operators.ts';
import type { Store } from '../../src/platform/store/store.ts';
import { timestamp } from '../../src/platform/time/clock.ts';
import type { AgentRow } from '../../src/trust/agents/agents.ts';
import { createOwnOperatorIn } from '../../src/trust/agents/own-operator.ts';
import { updateSponsor } from '../../src/trust/agents/store.ts';
import { type CreditClass, creditsOf, poolOf } from '../../src/trust/ledger/accounts.ts';
import { adjustIn } from '../../src/trust/ledger/adjust.ts';
import { type LedgerContext, postIn } from '../../src/trust/ledger/post.ts';
import { requireOperatorIn } from '../../src/trust/operators/require-operator.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import { enrolledAgent, newAgentKey } from './agent.ts';
import { createKeyFor } from './api-keys.ts';
import { client } from './client.ts';
import type { TrustApp } from './trust-app.ts';

/** Credits of some classes. */
export type Credits = Partial<Record<'promotional' | 'paid' | 'sandbox', number>>;

export type CreditedAgent = Awaited<ReturnType<typeof creditedAgent>>;

/**
 * Adds credits of any class to an operator's pool, directly in the ledger, or with a negative amount removes
 * them.
 */
export async function adjustPoolDirectly(
  trust: LedgerContext & { store: Store },
  operatorId: string,
  amount: number,
  creditClass: CreditClass,
): Promise<void> {
  await trust.store.writeAsService(async (tx) =>
    adjustIn(tx, trust, poolOf(await requireOperatorIn(tx, operatorId)), creditClass, amount),
  );
}

/** Adds credits to an operator's pool. */
export async function fundPool(
  { service: { trust } }: TrustApp,
  operatorId: string,
  credits: Credits,
): Promise<void> {
  for (const creditClass of CREDIT_CLASSES)
    await adjustPoolDirectly(trust, operatorId, credits[creditClass] ?? 0, creditClass);
}

/** Grants credits of exactly these classes from an operator's pool, directly in the ledger. */
export async function grantFrom(
  { service: { trust } }: TrustApp,
  operatorId: string,
  agent: AgentRow,
  credits: Credits,
): Promise<void> {
  await trust.store.writeAsService(async (tx) => {
    const operator = await operatorById(tx, operatorId);
    if (operator === null) throw new Error(`no operator ${operatorId}`);
    const [from, to] = [poolOf(operator), creditsOf(agent)];
    await postIn(tx, trust, { kind: 'OPERATOR_GRANT', from, to, portions: credits });
  });
}

/**
 * Enrolls an agent that has credits, directly in the store. Its sponsor grants them, or the first operator
 * for an agent without one. `sponsor`: an operator id, by default the first; null for none.
 */
export async function creditedAgent(
  app: TrustApp,
  { sponsor, credits = {} }: { sponsor?: string | null; credits?: Credits } = {},
) {
  const { firstStart } = app.service;
  const agent = await enrolledAgent(app, sponsor === undefined ? {} : { sponsor });
  const grantor = sponsor ?? firstStart.operatorId;
  if (Object.values(credits).some((amount) => amount > 0)) {
    await fundPool(app, grantor, credits);
    await grantFrom(app, grantor, agent.agent, credits);
  }
  return agent;
}

/** Enrolls an agent that sponsors itself: its operator is on plan FREE and has no credits. */
export async function selfProvisionedAgent(app: TrustApp) {
  const { trust } = app.service;
  const agent = await enrolledAgent(app, { sponsor: null, key: newAgentKey() });
  const operator = await trust.store.writeAsService(async (tx) => {
    const own = await createOwnOperatorIn(tx, trust, agent.commitment, null);
    await updateSponsor(tx, {
      ...{ agentSeq: agent.agent.agentSeq, sponsorSeq: own.operatorSeq },
      at: timestamp(trust.clock),
    });
    trust.agentCache.changedIn(tx, agent.agent);
    return own;
  });
  return { ...agent, operatorId: operator.operatorId, operatorSeq: operator.operatorSeq };
}

/**
 * Creates a holder key of an agent that belongs to an operator, by default the first.
 * @returns a client with this key
 */
export async function holderOf(
  app: TrustApp,
  { commitment }: { commitment: string },
  { operatorId = app.service.firstStart.operatorId, scope }: { operatorId?: string; scope?: Scope } = {},
) {
  const { api_key: key } = await createKeyFor(app.service.trust, operatorId, {
    role: 'holder',
    subject_commitment: commitment,
    ...(scope === undefined ? {} : { scope }),
  });
  return client(app.fetch, 'http://localhost', key);
}
