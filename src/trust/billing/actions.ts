import { Type } from '@sinclair/typebox';
import { UNBOOKED_REASONS } from '../../../db/trust/billing-enums.ts';
import { Action } from '../../platform/control/action.ts';
import { nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { unbookedPayments } from './list-unbooked.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
}

const text = nullable(Type.String());

export const unbookedAction = new Action({
  name: 'billing.unbooked',
  input: strictObject({ after: Type.Integer({ minimum: 0 }) }),
  output: strictObject({
    payments: Type.Array(
      strictObject({
        created_at: Type.String(),
        source_id: Type.String(),
        reason: oneOf(UNBOOKED_REASONS),
        amount: nullable(Type.Integer()),
        currency: text,
        purpose: text,
        operator_id: text,
        customer_id: text,
        payment_intent: text,
        event_id: Type.String(),
        sandbox: Type.Boolean(),
      }),
    ),
    next: nullable(Type.Integer()),
  }),
  run: (context: Context, { after }) => unbookedPayments(context, after),
});

export const billingActions = [unbookedAction];
