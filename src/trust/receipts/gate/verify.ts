import type { Snapshot } from '../../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import { type SignedQuery, signResponse } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import { type OperatorRow, operatorById } from '../../operators/status.ts';
import { type GateContext, reasonWith, weighedStake } from './facts.ts';
import type { GateRequest } from './schema.ts';
import { newestFinalizations } from './store.ts';
import { type GateReason, gateVerdict, MAX_WEIGHED } from './verdict.ts';

/**
 * Returns whether an operator may act in a domain. If the query asks so, the decision is signed, with the
 * operator and the domain. It is public, so it ignores blind receipts, which it must not reveal.
 * @throws of a signed decision, ReadOnly and ApiError clock_wrong
 */
export async function verifyGate(
  context: GateContext & StatementContext,
  { operator_id, domain }: GateRequest,
  { signed }: SignedQuery,
) {
  if (signed !== '1') {
    const reason = await context.store.read((snapshot) =>
      publicReason(snapshot, context, operator_id, domain),
    );
    return { allow_invocation: reason === 'OK', reason, signed: false as const };
  }
  return signResponse(context, 'gate-decision', context.clock.now(), async (snapshot) => {
    const reason = await publicReason(snapshot, context, operator_id, domain);
    return { operator_id, domain, allow_invocation: reason === 'OK', reason };
  });
}

/**
 * Returns for each domain what `verifyGate` says of an operator, all of one moment; null for an unknown
 * operator.
 */
export function publicVerdicts(
  context: GateContext & Pick<StatementContext, 'store'>,
  operatorId: string,
): Promise<{ domain: Domain; reason: GateReason }[] | null> {
  return context.store.read(async (snapshot) => {
    const operator = await operatorById(snapshot, operatorId);
    if (operator === null) return null;
    const verdicts = [];
    for (const domain of DOMAINS)
      verdicts.push({ domain, reason: await reasonOf(snapshot, context, operator, domain) });
    return verdicts;
  });
}

async function publicReason(
  snapshot: Snapshot,
  context: GateContext,
  operatorId: string,
  domain: Domain,
): Promise<GateReason> {
  const operator = await operatorById(snapshot, operatorId);
  return operator === null
    ? gateVerdict(null, context.clock.now())
    : reasonOf(snapshot, context, operator, domain);
}

async function reasonOf(
  snapshot: Snapshot,
  context: GateContext,
  operator: OperatorRow,
  domain: Domain,
): Promise<GateReason> {
  const { operatorSeq } = operator;
  const newest = await newestFinalizations(snapshot, { operatorSeq, domain, limit: MAX_WEIGHED }, [false]);
  const stake = await weighedStake(snapshot, context.policy, operatorSeq, domain);
  return reasonWith(context, operator, stake, domain, newest);
}
