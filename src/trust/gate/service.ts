import type { Finalization } from '../../../db/trust/gate.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Domain } from '../../proof/receipt.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { type OperatorRow, operatorById, operatorBySeq } from '../operators/service.ts';
import { gateSql } from './store.ts';
import { type GateReason, gateVerdict, WEIGHED } from './verdict.ts';

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
}

/** Takes a finalized receipt, which the transaction has revoked, out of what the gate weighs. */
export function discountFinalizationIn(tx: Transaction, receipt: GateReceipt): void {
  gateSql(tx).discount.run({ ...receipt });
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
  const newest = newestIn(snapshot, operatorSeq, domain, blind === 'blind counted' ? [false, true] : [false]);
  const facts = {
    accountStatus,
    stakeCents,
    minimumStakeCents: rules.minimumStakeCents[domain],
    newest,
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
  return gateVerdict(facts, now);
}

/** The newest finalizations of each form: among them are the newest of both. */
function newestIn(
  snapshot: Snapshot,
  operatorSeq: number,
  domain: Domain,
  forms: readonly boolean[],
): Finalization[] {
  return forms.flatMap((blind) =>
    gateSql(snapshot)
      .newest.all({ operatorSeq, domain, blind, rows: WEIGHED })
      .map(({ finalizedAt, breach }): Finalization => [finalizedAt, breach ? 1 : 0]),
  );
}
