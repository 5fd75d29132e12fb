import { PAYMENT_KINDS, type PAYMENT_STATUSES } from '../../../../db/trust/billing-enums.ts';

export type PaymentKind = (typeof PAYMENT_KINDS)[number];
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

const PAID = ['paid', 'partly_refunded', 'refunded'] as const;
const RETURNED = ['made', 'reversed'] as const;

/** The states that entries of each kind have. */
const STATUSES_OF: Readonly<Record<PaymentKind, readonly PaymentStatus[]>> = {
  topup: PAID,
  subscription: PAID,
  settlement: ['paid'],
  refund: RETURNED,
  chargeback: RETURNED,
  debt: ['owed'],
  debt_payment: ['paid'],
  dispute: ['open', 'lost', 'released'],
  warning: ['open'],
};

/** Returns the combinations of kind and status that filters leave. */
export function rangesOf(
  kind: PaymentKind | undefined,
  status: PaymentStatus | undefined,
): readonly { kind: PaymentKind; status: PaymentStatus }[] {
  return PAYMENT_KINDS.flatMap((name) =>
    STATUSES_OF[name].flatMap((each) =>
      (kind ?? name) === name && (status ?? each) === each ? [{ kind: name, status: each }] : [],
    ),
  );
}
