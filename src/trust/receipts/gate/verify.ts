import type { Snapshot } from '../../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import { type SignedQuery, signResponse } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import { type OperatorRow, operatorById } from '../../operators/status.ts';
import { factsOf, type GateContext, gateRows, weighedStake } from './facts.ts';
import type { GateRequest } from './schema.ts';
import { type GateRows, newestBlind } from './store.ts';
import { abandonedShare, gateVerdict, MAX_WEIGHED, weigh } from './verdict.ts';

/**
 * Returns whether an operator may act in a domain, how many of its receipts there it abandoned, and how many
 * of its newest blind receipts of all domains are breaches. If the query asks so, the decision is signed,
 * with the operator and the domain. It is public, so it does not reveal the domain of a blind receipt.
 * @throws of a signed decision, ReadOnly and ApiError clock_wrong
 */
export async function verifyGate(
  context: GateContext & StatementContext,
  { operator_id, domain }: GateRequest,
  { signed }: SignedQuery,
) {
  if (signed !== '1') {
    const decision = await context.store.read((snapshot) =>
      publicDecision(snapshot, context, operator_id, domain),
    );
    return { ...decision, signed: false as const };
  }
  return signResponse(context, 'gate-decision', context.clock.now(), async (snapshot) => ({
    operator_id,
    domain,
    ...(await publicDecision(snapshot, context, operator_id, domain)),
  }));
}

/**
 * Returns for each domain what `verifyGate` says of an operator, all of one moment; null for an unknown
 * operator.
 */
export function publicDecisions(
  context: GateContext & Pick<StatementContext, 'store'>,
  operatorId: string,
): Promise<(GateDecision & { domain: Domain })[] | null> {
  return context.store.read(async (snapshot) => {
    const operator = await operatorById(snapshot, operatorId);
    if (operator === null) return null;
    const decisions = [];
    const blind = await newestBlind(snapshot, operator.operatorSeq, MAX_WEIGHED);
    for (const domain of DOMAINS)
      decisions.push({ domain, ...(await decisionOn(snapshot, context, operator, domain, blind)) });
    return decisions;
  });
}

/** What the gate says to anyone. */
export type GateDecision = Awaited<ReturnType<typeof decisionOn>>;

async function publicDecision(
  snapshot: Snapshot,
  context: GateContext,
  operatorId: string,
  domain: Domain,
): Promise<GateDecision> {
  const operator = await operatorById(snapshot, operatorId);
  if (operator !== null) {
    const blind = await newestBlind(snapshot, operator.operatorSeq, MAX_WEIGHED);
    return decisionOn(snapshot, context, operator, domain, blind);
  }
  return {
    allow_invocation: false,
    reason: gateVerdict(null, context.clock.now()),
    abandoned: { abandoned: 0, of: 0 },
    blind: { breaches: 0, of: 0 },
  };
}

/** @param newest the newest blind receipts of all domains */
async function decisionOn(
  snapshot: Snapshot,
  context: GateContext,
  operator: OperatorRow,
  domain: Domain,
  newest: GateRows['newest'],
) {
  const { policy, clock } = context;
  const { operatorSeq } = operator;
  const rows = await gateRows(snapshot, context, { operatorSeq, domain }, [false]);
  const stake = await weighedStake(snapshot, policy, operatorSeq, domain);
  const facts = factsOf(policy, operator, stake, domain, rows);
  const now = clock.now();
  const reason = gateVerdict(facts, now, policy.rules);
  const blind = weigh({ newest, pardonedAt: facts.pardonedAt }, now, policy.rules);
  return {
    allow_invocation: reason === 'OK',
    reason,
    abandoned: abandonedShare(facts, now, policy.rules),
    blind: { breaches: blind.breaches.length, of: blind.receipts.length },
  };
}
