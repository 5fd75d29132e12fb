import { Type } from '@sinclair/typebox';
import { PAYMENT_KINDS, PAYMENT_STATUSES } from '../../../../db/trust/billing-enums.ts';
import {
  dateTime,
  inForms,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
  textOf,
} from '../../../platform/http/schema.ts';

const text = (description: string) => nullable(Type.String({ description }));
const orNull = nullable(Type.String());
const number = (description: string) => Type.Integer({ description });

/** The members of an entry of payments. */
export const entryFields = {
  created_at: dateTime('When it was booked.'),
  kind: named(
    'PaymentKind',
    oneOf(PAYMENT_KINDS, {
      description:
        '`refund`, `chargeback` (of a lost dispute): what the payer got back. `debt`: the part that is owed.',
    }),
  ),
  status: named(
    'PaymentStatus',
    oneOf(PAYMENT_STATUSES, {
      description: '`reversed`: a refund that failed, or a chargeback that was won.',
    }),
  ),
  amount: nullable(
    Type.Integer({
      description: 'In US cents: what was paid, went back (below zero), or is disputed.',
    }),
  ),
  credits: number('What it gave or took back; of a debt, what is owed.'),
  promotional_credits: Type.Integer(),
  stake_cents: number('As `credits`, of a stake.'),
  currency: orNull,
  reference: Type.String({ description: 'The session or invoice, the dispute, or the settlement.' }),
  invoice_id: orNull,
  payment_intent: orNull,
  charge_id: orNull,
  transaction_id: orNull,
  subject_commitment: text('The agent of a settlement.'),
  held_until: text('Until when its credits cannot be withdrawn.'),
  invoice_url: orNull,
  invoice_pdf: orNull,
  receipt_url: orNull,
  sandbox: Type.Boolean(),
};

export const PaymentsQuery = strictObject({
  kind: Type.Optional(entryFields.kind),
  status: Type.Optional(entryFields.status),
  from: Type.Optional(dateTime('At or after this time.')),
  to: Type.Optional(dateTime('Before this time.')),
  limit: limitParameter('Entries per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 256, description: '`next_cursor` of the previous page.' })),
});

/** The media type of the list for spreadsheets. */
export const CSV_TYPE = 'text/csv';

export const PaymentsResponse = inForms(
  [
    named(
      'PaymentPage',
      strictObject({
        payments: Type.Array(named('Payment', strictObject(entryFields))),
        next_cursor: nullable(Type.String({ description: 'The cursor of the next page.' })),
      }),
    ),
    textOf(CSV_TYPE, 'The same members as columns.'),
  ],
  'The payments, in the form that Accept prefers.',
);
