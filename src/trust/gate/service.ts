import type { Finalization } from '../../../db/trust/gate.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Domain } from '../../proof/receipt.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { type OperatorRow, operatorById, operatorBySeq } from '../operators/service.ts';
import { gateSql } from './store.ts';
import { type GateReason, gateVerdict } from './verdict.ts';

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
  const reason = reasonFor(tx, trust, operatorBySeq(tx, operatorSeq), domain, 'blind counted');
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

function reasonFor(
  snapshot: Snapshot,
  { rules, clock }: Trust,
  operator: OperatorRow | undefined,
  domain: Domain,
  blind: 'blind counted' | 'blind left out',
): GateReason {
  const now = clock.now();
  if (operator === undefined) return gateVerdict(null, now);
  const { operatorSeq, accountStatus, stakeCents, pardonedAt } = operator;
  const rows = gateSql(snapshot)
    .standing.all({ operatorSeq, domain })
    .filter((row) => blind === 'blind counted' || !row.blind);
  const facts = {
    accountStatus,
    stakeCents,
    minimumStakeCents: rules.minimumStakeCents[domain],
    finalized: rows.reduce((sum, row) => sum + row.finalized, 0),
    newest: rows.flatMap((row) => row.newest),
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
  return gateVerdict(facts, now);
}
