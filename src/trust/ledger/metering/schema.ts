import { Type } from '@sinclair/typebox';
import { dateTime, hexString, named, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { PRODUCTS } from './settings.ts';

/** Members of the receipt of an agent's payment, with which a merchant can check it without the service. */
const payment = {
  merchant: Type.Optional(
    nullable(Type.String({ description: 'Of a payment: the merchant. null if the request named none.' })),
  ),
  nonce: Type.Optional(Type.String({ description: 'Of a payment: its nonce.' })),
  expires_at: Type.Optional(
    Type.String({
      description: 'Of a payment: when it ends. Accept it before this time only, and only once.',
    }),
  ),
  payment_digest: Type.Optional(
    hexString(
      32,
      'Of a payment: SHA-256 of the canonical JSON of {subject_commitment, product, credits_charged, merchant, nonce, expires_at, ' +
        'meter_ref}; subject_commitment is `payer`.',
    ),
  ),
};

/** The receipt of a charge, as `chargeAccountIn` signs it. */
export const MeterReceipt = named(
  'MeterReceipt',
  strictObject(
    {
      type: Type.Literal('meter'),
      meter_ref: Type.String({ description: 'The transaction of the ledger that paid: `txn_…`.' }),
      product: oneOf(PRODUCTS, { description: 'What was paid.' }),
      payer: Type.String({ description: 'The commitment of the agent, or the id of the operator.' }),
      credits_charged: Type.Integer({ minimum: 1, description: 'The price in credits.' }),
      remaining_credits: Type.Integer({
        minimum: 0,
        description: 'What the payer can still spend of these credits.',
      }),
      sandbox: Type.Optional(
        Type.Literal(true, { description: 'Present if sandbox credits paid, which cost nothing.' }),
      ),
      charged_at: dateTime('The time of the charge.'),
      ...payment,
      signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
      kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
    },
    { description: 'A signed receipt of a charge.' },
  ),
);
