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
const number = (description: string) => Type.Integer({ description });

/** The members of an entry of payments. */
export const entryFields = {
  created_at: dateTime('When it was booked.'),
  kind: named(
    'PaymentKind',
    oneOf(PAYMENT_KINDS, {
      description:
        '`refund` and `chargeback` (a lost dispute): what the payer got back. `debt`: what of it is owed. `warning`: of fraud.',
    }),
  ),
  status: named(
    'PaymentStatus',
    oneOf(PAYMENT_STATUSES, {
      description: 'As it is now. `reversed`: a refund that failed, or a chargeback that was won.',
    }),
  ),
  amount: nullable(
    Type.Integer({
      description: 'In US cents: what was paid, what went back (below zero), or what is disputed.',
    }),
  ),
  credits: number('The credits that it gave or took back; of a debt, those that are owed.'),
  promotional_credits: number('The promotional credits that it gave.'),
  stake_cents: number('As `credits`, of a stake.'),
  currency: text('`usd`.'),
  reference: Type.String({ description: 'The session or invoice, the dispute, or the settlement.' }),
  session_id: text('The session of the processor.'),
  invoice_id: text('The invoice of the processor.'),
  payment_intent: text('The payment intent of the processor.'),
  charge_id: text('The charge of the processor.'),
  transaction_id: text('The transaction of the ledger.'),
  subject_commitment: text('The agent of a settlement.'),
  held_until: text('Until when its credits cannot be withdrawn; null if they can.'),
  invoice_url: text("The processor's page of the invoice."),
  invoice_pdf: text('The invoice as PDF.'),
  receipt_url: text("The processor's receipt."),
  sandbox: Type.Boolean({ description: 'Whether no real money was paid.' }),
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
