import type { Authority } from '../../platform/store/authority.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Payer, Quotas } from './quotas.ts';

/** Writes by nobody whose key would be known: by what an agent signed. Who is charged turns out in the transaction. */
export class SignerAuthority implements Authority {
  private payer: Payer | null = null;

  constructor(private readonly quotas: Quotas) {}

  admitIn(): void {
    // A body that is run again finds its payer again.
    this.payer = null;
  }

  /** Says who is charged; to be called in the body as soon as it is known. @throws ApiError rate_limit_exceeded, quota_exceeded */
  paidByIn(tx: Transaction, payer: Payer): void {
    this.quotas.admitIn(tx, payer, 'refusable');
    this.payer = payer;
  }

  chargeIn(tx: Transaction, bytes: number): void {
    if (this.payer !== null) this.quotas.chargeIn(tx, this.payer, bytes, 'refusable');
  }
}

/** An operator as a payer. The quota of FREE holds for operators that provisioned themselves, while they are on that plan. */
export function operatorPayer({ operatorSeq, plan, selfProvisioned }: OperatorPlan): Payer {
  return { payer: 'operator', payerSeq: operatorSeq, isFree: plan === 'FREE' && selfProvisioned };
}

interface OperatorPlan {
  operatorSeq: number;
  plan: 'FREE' | 'PRO';
  selfProvisioned: boolean;
}
