import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import { stakeCents } from '../../ledger/figures.ts';
import { type SignedQuery, signResponse } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import { type OperatorRow, operatorById } from '../../operators/status.ts';
import { gateErrors } from './errors.ts';
import type { GateRequest } from './schema.ts';
import type { GatePolicy } from './settings.ts';
import {
  type GateReceipt,
  insertFinalization,
  newestFinalizations,
  newestOfEachDomain,
  removeFinalization,
} from './store.ts';
import {
  type Finalization,
  type GateFacts,
  type GateReason,
  gateVerdict,
  MAX_WEIGHED,
  slaForecast,
} from './verdict.ts';

export type { GateReceipt } from './store.ts';

/** The inputs of a verdict besides the database. */
export interface GateContext {
  clock: Clock;
  policy: GatePolicy;
}

/** The columns of an operator that the gate uses. */
type GateOperator = Pick<OperatorRow, 'operatorSeq' | 'accountStatus' | 'pardonedAt'>;

/** The newest finalizations by operator and domain, read once for all receipts that are issued in a shared transaction. */
const newestAtIssue = new GroupCache<readonly Finalization[]>();

/**
 * Returns whether an operator may act in a domain. If the query asks so, the decision is signed, with the operator and the domain. It is
 * public, so it ignores blind receipts: they must not show.
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

async function publicReason(
  snapshot: Snapshot,
  context: GateContext,
  operatorId: string,
  domain: Domain,
): Promise<GateReason> {
  const operator = await operatorById(snapshot, operatorId);
  if (operator === undefined) return gateVerdict(null, context.clock.now());
  const { operatorSeq } = operator;
  const newest = await newestFinalizations(snapshot, { operatorSeq, domain, limit: MAX_WEIGHED }, [false]);
  const stake = await weighedStake(snapshot, context.policy, operatorSeq, domain);
  return reasonWith(context, operator, stake, domain, newest);
}

/**
 * Refuses to issue while the gate denies. An operator without a finalized receipt in the domain may issue: otherwise it could never get
 * one. @throws ApiError gate_denied
 */
export async function requireGateIn(
  tx: Transaction,
  context: GateContext & { principals: Pick<Principals, 'operatorIn'> },
  operatorSeq: number,
  domain: Domain,
): Promise<void> {
  const operator = await context.principals.operatorIn(tx, operatorSeq);
  const weighed = () => newestFinalizations(tx, { operatorSeq, domain, limit: MAX_WEIGHED }, [false, true]);
  const reason =
    operator === undefined
      ? 'OPERATOR_UNKNOWN'
      : reasonWith(
          context,
          operator,
          await weighedStake(tx, context.policy, operatorSeq, domain),
          domain,
          await newestAtIssue.get(tx, `${operatorSeq} ${domain}`, weighed),
        );
  if (reason === 'OK' || reason === 'ZERO_TENANCY_REJECT') return;
  throw gateErrors.gate_denied({
    message: `The gate denies this operator in ${domain}: ${reason}. ${remedyFor(reason)}`,
    members: { reason },
  });
}

function remedyFor(reason: GateReason): string {
  return reason === 'SLA_BREACH_THRESHOLD_EXCEEDED'
    ? 'See GET /api/v1/operator/status for the end of the denial.'
    : 'Ask the administrator of the service.';
}

/** Counts a receipt that the transaction finalizes. */
export async function countFinalizationIn(
  tx: Transaction,
  receipt: GateReceipt,
  isBreach: boolean,
): Promise<void> {
  await insertFinalization(tx, receipt, isBreach);
  newestAtIssue.clear();
}

/** Removes a finalized receipt that the transaction revokes from the receipts that the gate weighs. */
export async function uncountFinalizationIn(tx: Transaction, receipt: GateReceipt): Promise<void> {
  await removeFinalization(tx, receipt);
  newestAtIssue.clear();
}

/**
 * Returns an operator's gate status in each domain: `verify` as the public check sees it, without blind receipts, and `issue` as issuing
 * sees it, with them.
 */
export async function gateStatuses(
  snapshot: Snapshot,
  { policy, clock }: GateContext,
  operator: GateOperator,
) {
  const now = clock.now();
  const stake = await stakeCents(snapshot, operator.operatorSeq);
  const statusOf = (newest: readonly Finalization[], domain: Domain) => {
    const facts = factsOf(policy, operator, stake, domain, newest);
    const { receipts, breaches, breachesUntilDenied, deniesAt, liftsAt } = slaForecast(
      facts,
      now,
      policy.sla,
    );
    return {
      reason: gateVerdict(facts, now, policy.sla),
      receipts,
      breaches,
      breaches_until_denied: breachesUntilDenied,
      denies_at: textOf(deniesAt),
      lifts_at: textOf(liftsAt),
    };
  };
  const { operatorSeq } = operator;
  const newest = await newestOfEachDomain(snapshot, { operatorSeq, limit: MAX_WEIGHED });
  return newest.map(({ domain, open, blind }) => ({
    domain,
    verify: statusOf(open, domain),
    issue: statusOf([...open, ...blind], domain),
  }));
}

/**
 * Returns an operator's stake in US cents; 0 where the domain asks for none, so that most checks do not read it. It is not cached: a receipt
 * that is finalized earlier in the same shared transaction can change it.
 */
async function weighedStake(
  snapshot: Snapshot,
  { minimumStakeCents }: GateContext['policy'],
  operatorSeq: number,
  domain: Domain,
): Promise<number> {
  return minimumStakeCents[domain] > 0 ? stakeCents(snapshot, operatorSeq) : 0;
}

function reasonWith(
  { policy, clock }: GateContext,
  operator: GateOperator,
  stake: number,
  domain: Domain,
  newest: readonly Finalization[],
): GateReason {
  return gateVerdict(factsOf(policy, operator, stake, domain, newest), clock.now(), policy.sla);
}

function factsOf(
  policy: GateContext['policy'],
  { accountStatus, pardonedAt }: GateOperator,
  stake: number,
  domain: Domain,
  newest: readonly Finalization[],
): GateFacts {
  return {
    accountStatus,
    stakeCents: stake,
    minimumStakeCents: policy.minimumStakeCents[domain],
    newest,
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
}

function textOf(time: number | null): string | null {
  return time === null ? null : timestamp({ now: () => time });
}
