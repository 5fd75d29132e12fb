import type { Authority } from '../../../platform/store/authority.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Payer, QuotaEnforcement, Quotas } from './quotas.ts';

/**
 * The authority of a request that an agent's signature may authorize without a key. With a key, the key is
 * checked and charged. Without one, the transaction determines the payer.
 */
export class SignerAuthority implements Authority {
  private payer: Payer | null = null;
  private enforcement: QuotaEnforcement = 'refusable';
  /** Charges the payer after the body. */
  private atTheEnd: ((tx: Transaction) => Promise<void>) | null = null;

  constructor(
    private readonly quotas: Quotas,
    private readonly key: Authority | null,
  ) {}

  admitIn(tx: Transaction): Promise<void> | undefined {
    // When the transaction's body runs again, it sets the payer again.
    this.payer = null;
    this.atTheEnd = null;
    return this.key?.admitIn(tx);
  }

  /**
   * Charges `payer` if the request has no key. Call it in the transaction's body, after every check that may
   * refuse the request, and only if it writes: the count stays after a refusal, and a stranger must not use
   * up another's quota.
   * @throws ApiError rate_limit_exceeded, quota_exceeded
   */
  paidByIn(
    tx: Transaction,
    payer: () => Payer | Promise<Payer>,
    enforcement: QuotaEnforcement = 'refusable',
  ): Promise<void> | undefined {
    return this.key === null ? this.admitPayerIn(tx, payer, enforcement) : undefined;
  }

  /**
   * Charges `payer` like `paidByIn`, but after the transaction's body. For an authorization that is checked
   * first: what the body refuses later must not be charged. The quota then refuses the whole write.
   */
  paidAtTheEnd(payer: (tx: Transaction) => Payer | Promise<Payer>, enforcement: QuotaEnforcement): void {
    if (this.key === null) this.atTheEnd = (tx) => this.admitPayerIn(tx, () => payer(tx), enforcement);
  }

  chargeIn(tx: Transaction, bytes: number): Promise<void> | undefined {
    const admit = this.atTheEnd;
    if (admit === null) return this.chargePayerIn(tx, bytes);
    return admit(tx).then(() => this.chargePayerIn(tx, bytes));
  }

  private chargePayerIn(tx: Transaction, bytes: number): Promise<void> | undefined {
    if (this.payer === null) return this.key?.chargeIn?.(tx, bytes);
    return this.quotas.chargeIn(tx, this.payer, bytes, this.enforcement);
  }

  private async admitPayerIn(
    tx: Transaction,
    payer: () => Payer | Promise<Payer>,
    enforcement: QuotaEnforcement,
  ): Promise<void> {
    const charged = await payer();
    this.payer = charged;
    this.enforcement = enforcement;
    await this.quotas.admitIn(tx, charged, enforcement);
  }
}

/**
 * Returns an operator as a payer. On the plan FREE, the quota of FREE applies to an operator that is
 * self-provisioned or that had a subscription. It does not apply to operators of the administrator.
 */
export function operatorPayer({ operatorSeq, plan, selfProvisioned, subscribed }: OperatorPlan): Payer {
  const isFree = plan === 'FREE' && (selfProvisioned || subscribed);
  return { payer: 'operator', payerSeq: operatorSeq, isFree };
}

interface OperatorPlan {
  operatorSeq: number;
  plan: 'FREE' | 'PRO';
  selfProvisioned: boolean;
  subscribed: boolean;
}
