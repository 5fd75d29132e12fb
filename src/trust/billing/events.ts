import { Type } from '@sinclair/typebox';
import { PAYMENT_KINDS } from '../../../db/trust/billing-enums.ts';
import { named, nullable, oneOf } from '../../platform/http/schema.ts';

const payment = named(
  'PaymentEventData',
  Type.Object({
    kind: oneOf(PAYMENT_KINDS),
    /** US cents; null for a settlement. */
    amount: nullable(Type.Integer()),
    credits: Type.Integer(),
    reference: Type.String(),
  }),
);

/** The events about payments of an operator, with members of its list of payments. */
export const billingEvents = {
  'payment.booked': payment,
  'payment.refunded': payment,
  'payment.disputed': payment,
};
