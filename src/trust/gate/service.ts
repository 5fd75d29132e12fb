import type { Finalization } from '../../../db/trust/gate.ts';
import { timestamp } from '../../platform/clock.ts';
import { SharedReads } from '../../platform/store/shared-reads.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../proof/receipt/receipt.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { type OperatorRow, operatorById } from '../operators/service.ts';
import type { Rules } from '../rules.ts';
import { gateSql } from './store.ts';
import { type GateFacts, type GateReason, gateVerdict, slaOutlook, WEIGHED } from './verdict.ts';

/** What the gate asks of an operator. */
type GateOperator = Pick<OperatorRow, 'operatorSeq' | 'accountStatus' | 'stakeCents' | 'pardonedAt'>;

/** What issuing weighs, by operator and domain: read once for all receipts that share a transaction. */
const weighedAtIssue = new SharedReads<readonly Finalization[]>();

/** What anyone may ask: whether an operator may act in a domain. Blind receipts are left out, so that they stay blind. */
export async function verifyGate(
  trust: Trust,
  operatorId: string,
  domain: Domain,
): Promise<{ allow_invocation: boolean; reason: GateReason }> {
  const reason = await trust.store.read((snapshot) => {
    const operator = operatorById(snapshot, operatorId);
    if (operator === undefined) return gateVerdict(null, trust.clock.now());
    return reasonWith(trust, operator, domain, newestIn(snapshot, operator, domain, [false]));
  });
  return { allow_invocation: reason === 'OK', reason };
}

/**
 * Refuses to issue while the gate denies; an operator without a finalized receipt in the domain must begin somewhere.
 * @throws ApiError gate_denied
 */
export function passGateIn(tx: Transaction, trust: Trust, operatorSeq: number, domain: Domain): void {
  const operator = trust.principals.operatorIn(tx, operatorSeq);
  const reason =
    operator === undefined
      ? 'OPERATOR_UNKNOWN'
      : reasonWith(
          trust,
          operator,
          domain,
          weighedAtIssue.getSync(tx, `${operatorSeq} ${domain}`, () =>
            newestIn(tx, operator, domain, [false, true]),
          ),
        );
  if (reason === 'OK' || reason === 'ZERO_TENANCY_REJECT') return;
  throw trustError('gate_denied', {
    message: `The gate does not let this operator act in ${domain} now: ${reason}.`,
    members: { reason },
  });
}

/** A receipt as the gate counts it. */
export interface GateReceipt {
  operatorSeq: number;
  receiptSeq: number;
  domain: Domain;
  blind: boolean;
  /** Milliseconds since 1970: the time of the signed version. */
  finalizedAt: number;
}

/** Counts one of the operator's own receipts, which the transaction finalizes. */
export function countFinalizationIn(tx: Transaction, receipt: GateReceipt, isBreach: boolean): void {
  gateSql(tx).count.run({ ...receipt, breach: isBreach });
  weighedAtIssue.clear();
}

/** Takes a finalized receipt, which the transaction has revoked, out of what the gate weighs. */
export function discountFinalizationIn(tx: Transaction, receipt: GateReceipt): void {
  gateSql(tx).discount.run({ ...receipt });
  weighedAtIssue.clear();
}

/**
 * How an operator stands at the gate in each domain: asked by anyone, where blind receipts are left out, and when it issues,
 * where they count.
 */
export function gateStandings(
  snapshot: Snapshot,
  { rules, clock }: Pick<Trust, 'rules' | 'clock'>,
  operator: OperatorRow,
) {
  const now = clock.now();
  const standing = (newest: readonly Finalization[], domain: Domain) => {
    const facts = factsOf(rules, operator, domain, newest);
    const { receipts, breaches, breachesUntilDenied, deniesAt, liftsAt } = slaOutlook(facts, now, rules.sla);
    return {
      reason: gateVerdict(facts, now, rules.sla),
      receipts,
      breaches,
      breaches_until_denied: breachesUntilDenied,
      denies_at: textOf(deniesAt),
      lifts_at: textOf(liftsAt),
    };
  };
  return DOMAINS.map((domain) => {
    const open = newestIn(snapshot, operator, domain, [false]);
    const blind = newestIn(snapshot, operator, domain, [true]);
    return { domain, verify: standing(open, domain), issue: standing([...open, ...blind], domain) };
  });
}

function reasonWith(
  { rules, clock }: Pick<Trust, 'rules' | 'clock'>,
  operator: GateOperator,
  domain: Domain,
  newest: readonly Finalization[],
): GateReason {
  return gateVerdict(factsOf(rules, operator, domain, newest), clock.now(), rules.sla);
}

function factsOf(
  rules: Rules,
  { accountStatus, stakeCents, pardonedAt }: GateOperator,
  domain: Domain,
  newest: readonly Finalization[],
): GateFacts {
  return {
    accountStatus,
    stakeCents,
    minimumStakeCents: rules.minimumStakeCents[domain],
    newest,
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
}

/** The newest finalizations of each form: among them are the newest of both. */
function newestIn(
  snapshot: Snapshot,
  { operatorSeq }: GateOperator,
  domain: Domain,
  forms: readonly boolean[],
): Finalization[] {
  return forms.flatMap((blind) =>
    gateSql(snapshot)
      .newest.all({ operatorSeq, domain, blind, rows: WEIGHED })
      .map(({ finalizedAt, breach }): Finalization => [finalizedAt, breach ? 1 : 0]),
  );
}

function textOf(time: number | null): string | null {
  return time === null ? null : timestamp({ now: () => time });
}
