import type { Snapshot } from '../../platform/store/transaction.ts';
import { balancesIn } from '../ledger/balances.ts';
import { isSuspendedByRefund } from './payment-store.ts';

/** What an operator owes after refunds. */
export interface Debts {
  /** Credits, which a top-up of credits covers. */
  credits: number;
  sandboxCredits: number;
  /** US cents, which a top-up of the stake covers. */
  stakeCents: number;
  sandboxStakeCents: number;
  /** Whether a refund suspended the account, so that covering the debts activates it again. */
  isSuspendedByRefund: boolean;
}

/** Returns what an operator owes after refunds. */
export async function operatorDebts(snapshot: Snapshot, operatorSeq: number): Promise<Debts> {
  const balances = await balancesIn(snapshot, { kind: 'receivable', ownerSeq: operatorSeq });
  return {
    credits: 0 - (balances.get('paid') ?? 0),
    sandboxCredits: 0 - (balances.get('sandbox') ?? 0),
    stakeCents: 0 - (balances.get('cents') ?? 0),
    sandboxStakeCents: 0 - (balances.get('sandbox_cents') ?? 0),
    isSuspendedByRefund: await isSuspendedByRefund(snapshot, operatorSeq),
  };
}
