import type { Finalization, gateStanding } from '../../../db/trust/gate.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../proof/receipt.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { type OperatorRow, operatorById } from '../operators/service.ts';
import type { Rules } from '../rules.ts';
import { gateSql } from './store.ts';
import { type GateFacts, type GateReason, gateVerdict, slaOutlook } from './verdict.ts';

/** What anyone may ask: whether an operator may act in a domain. Blind receipts are left out, so that they stay blind. */
export async function verifyGate(
  trust: Trust,
  operatorId: string,
  domain: Domain,
): Promise<{ allow_invocation: boolean; reason: GateReason }> {
  const reason = await trust.store.read((snapshot) =>
    reasonFor(snapshot, trust, operatorById(snapshot, operatorId), domain, 'blind left out'),
  );
  return { allow_invocation: reason === 'OK', reason };
}

/**
 * Refuses to issue while the gate denies; an operator without a finalized receipt in the domain must begin somewhere.
 * @throws ApiError gate_denied
 */
export function passGateIn(tx: Transaction, trust: Trust, operatorSeq: number, domain: Domain): void {
  const operator = trust.principals.operatorIn(tx, operatorSeq);
  const reason = reasonFor(tx, trust, operator, domain, 'blind counted');
  if (reason === 'OK' || reason === 'ZERO_TENANCY_REJECT') return;
  throw trustError('gate_denied', {
    message: `The gate does not let this operator act in ${domain} now: ${reason}.`,
    members: { reason },
  });
}

/** Counts a finalization of one of the operator's own receipts. `at` is in milliseconds since 1970. */
export function countFinalizationIn(
  tx: Transaction,
  receipt: { operatorSeq: number; domain: Domain; blind: boolean },
  at: number,
  isBreach: boolean,
): void {
  const latest: Finalization[] = [[at, isBreach ? 1 : 0]];
  gateSql(tx).count.run({ ...receipt, latest });
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
  const all = gateSql(snapshot).ofOperator.all({ operatorSeq: operator.operatorSeq });
  const standing = (rows: readonly GateRow[], domain: Domain) => {
    const facts = factsOf(rules, operator, rows, domain);
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
    const rows = all.filter((row) => row.domain === domain);
    return {
      domain,
      verify: standing(
        rows.filter(({ blind }) => !blind),
        domain,
      ),
      issue: standing(rows, domain),
    };
  });
}

type GateRow = typeof gateStanding.$inferSelect;

function reasonFor(
  snapshot: Snapshot,
  { rules, clock }: Pick<Trust, 'rules' | 'clock'>,
  operator: OperatorRow | undefined,
  domain: Domain,
  blind: 'blind counted' | 'blind left out',
): GateReason {
  const now = clock.now();
  if (operator === undefined) return gateVerdict(null, now);
  const rows = gateSql(snapshot)
    .standing.all({ operatorSeq: operator.operatorSeq, domain })
    .filter((row) => blind === 'blind counted' || !row.blind);
  return gateVerdict(factsOf(rules, operator, rows, domain), now, rules.sla);
}

function factsOf(
  rules: Rules,
  { accountStatus, stakeCents, pardonedAt }: OperatorRow,
  rows: readonly GateRow[],
  domain: Domain,
): GateFacts {
  return {
    accountStatus,
    stakeCents,
    minimumStakeCents: rules.minimumStakeCents[domain],
    finalized: rows.reduce((sum, row) => sum + row.finalized, 0),
    newest: rows.flatMap((row) => row.newest),
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
}

function textOf(time: number | null): string | null {
  return time === null ? null : timestamp({ now: () => time });
}
