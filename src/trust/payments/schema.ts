import { type Static, Type } from '@sinclair/typebox';
import { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import { PAYOUT_STATUSES } from '../../../db/trust/payouts-enums.ts';
import {
  characters,
  dateTime,
  described,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../agents/example-agent.ts';
import { AgentAuthShape } from '../agents/schema.ts';
import { MeterReceipt } from '../ledger/metering/schema.ts';
import { PRODUCTS } from '../ledger/metering/settings.ts';

/** The largest amount of credits. */
const MOST = Number.MAX_SAFE_INTEGER;
/** The largest length of a reference. The reference of the movement is longer: it includes the rail. */
const MAX_REFERENCE = 200;
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const commitment = hexString(32, "The agent's subject commitment.");
const amount = (description: string) => ({
  ...Type.Integer({ minimum: 1, maximum: MOST, description }),
  'x-message': `must be an integer from 1 to ${MOST}`,
});
const count = (description: string) => Type.Integer({ minimum: 0, maximum: MOST, description });
const Product = named(
  'PaidProduct',
  oneOf(PRODUCTS, { description: 'A product that is paid with credits.' }),
);
const Rail = named(
  'SettlementRail',
  oneOf(SETTLEMENT_RAILS, {
    description:
      'The payment rail. `x402` is a notice that was signed by HMAC, as of all rails, not the protocol x402.',
  }),
);
const reference = (description: string, example: string) =>
  characters(MAX_REFERENCE, CONTROL, description, example);

export const WalletQuery = strictObject({
  subject_commitment: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
    'x-message': 'must be 64 lower-case hexadecimal characters',
  }),
});

export const WalletResponse = named(
  'AgentWallet',
  strictObject(
    {
      subject_commitment: commitment,
      available: count('The credits that the agent can spend: paid and promotional ones together.'),
      locked: count('The credits in escrow, or reserved for withdrawals.'),
      withdrawable: count('The paid ones among the available credits that are not held.'),
      held: Type.Array(
        strictObject({
          amount: amount('Paid credits that cannot be withdrawn yet.'),
          until: dateTime('When they can.'),
        }),
        { description: 'The other paid ones among the available credits, the earliest first.' },
      ),
      sandbox: Type.Optional(
        strictObject(
          {
            available: count('The sandbox credits that the agent can spend.'),
            locked: count('The sandbox credits in escrow.'),
          },
          { description: 'Credits from tests of payments. Only if the agent ever had some.' },
        ),
      ),
    },
    { description: 'The credits of an agent.' },
  ),
);

export const ProductsResponse = named(
  'ProductCatalogue',
  strictObject({
    products: Type.Array(
      strictObject({
        product: Product,
        credits: amount('The price in credits.'),
        description: Type.String({ description: 'What the product is.' }),
      }),
      { description: 'All products.' },
    ),
  }),
);

export const SpendRequest = named(
  'SpendRequest',
  strictObject(
    {
      subject_commitment: described(commitment, 'The agent that pays.'),
      product: Product,
      max_credits: amount('The most that the payment may cost. If the price is higher, nothing is charged.'),
      merchant: Type.Optional(
        characters(
          256,
          CONTROL,
          'The merchant that is paid. The digest and the receipt of the payment name it.',
          'shop.example',
        ),
      ),
      nonce: Type.String({
        pattern: '^[!-~]{16,64}$',
        description: 'A value that the payer chooses. It can be used only once for each agent.',
        'x-message': 'must be 16 to 64 printable ASCII characters without space',
      }),
      expires_at: dateTime(
        'The time in the future until which the payment counts. A merchant accepts it before this time only.',
      ),
      agent_auth: Type.Optional(AgentAuthShape),
    },
    {
      examples: [
        {
          subject_commitment: EXAMPLE_COMMITMENT,
          product: 'reputation_lookup_verified',
          max_credits: 5,
          merchant: 'shop.example',
          nonce: 'payment-2030-01-31-0001',
          expires_at: '2030-01-31T12:00:00Z',
        },
      ],
    },
  ),
);

export const SpendResponse = named(
  'AuthorizedPayment',
  strictObject({
    authorized: Type.Literal(true),
    product: Product,
    credits_charged: amount('The price in credits.'),
    remaining_credits: count('What the agent can still spend of these credits.'),
    meter_ref: Type.String({ description: 'The transaction of the ledger that paid: `txn_…`.' }),
    payment_digest: hexString(
      32,
      'SHA-256 of the canonical JSON (RFC 8785) of {subject_commitment, product, credits_charged, merchant, nonce, expires_at, meter_ref}; ' +
        'merchant is null if the request had none.',
    ),
    meter_receipt: described(
      MeterReceipt,
      'The signed receipt, which has the digest and its terms. Show it to the merchant, who can verify it without this service.',
    ),
  }),
);

export const WithdrawalRequest = named(
  'WithdrawalRequest',
  strictObject(
    {
      subject_commitment: described(commitment, 'The agent whose credits are withdrawn.'),
      amount: amount(
        'Paid credits, at least `payouts.minimum` of the service: by default 1, or 100 if it pays on a chain. Each is worth `credits.cents_per_credit` US ' +
          'cents, 1 unless the service has another price.',
      ),
      reference: characters(
        256,
        CONTROL,
        'Your name of the withdrawal, unique for the agent.',
        'payout 2030-01',
      ),
      agent_auth: Type.Optional(AgentAuthShape),
    },
    { examples: [{ subject_commitment: EXAMPLE_COMMITMENT, amount: 500, reference: 'payout 2030-01' }] },
  ),
);

export const WithdrawalResponse = named(
  'QueuedWithdrawal',
  strictObject({
    withdrawal_id: Type.String({ description: 'The id of the withdrawal: `wdr_…`.' }),
    receipt_id: Type.String({ description: 'The receipt that the service issued for it: `rcpt_…`.' }),
    reference: Type.String({ description: 'Your name of the withdrawal.' }),
    status: oneOf(PAYOUT_STATUSES, {
      description:
        '`queued`: the credits are locked. `submitted`: the payout is on its way. `confirmed`: it was paid. `failed`: the credits were returned. ' +
        'The first response has always `queued`.',
    }),
  }),
);

export const SettlementRequest = named(
  'SettlementRequest',
  strictObject(
    {
      rail: Rail,
      reference: reference(
        "The rail's id of the settlement. It is booked only once. In NFC, without white space at its ends and without characters that nobody sees (Cc, Cf, Cs, Zl, Zp).",
        'x402_7f3a',
      ),
      subject_commitment: described(commitment, 'The agent that gets the credits. It must be enrolled.'),
      credits: amount('The paid credits that the agent gets.'),
      amount_label: Type.Optional(
        characters(64, CONTROL, 'What was paid, for people. It is the memo of the movement.', '25.00 USDC'),
      ),
    },
    {
      examples: [
        {
          rail: 'x402',
          reference: 'x402_7f3a',
          subject_commitment: EXAMPLE_COMMITMENT,
          credits: 2500,
          amount_label: '25.00 USDC',
        },
      ],
    },
  ),
);

export const SettlementResponse = named(
  'BookedSettlement',
  strictObject({
    settlement_id: Type.String({ description: 'The id of the settlement: `stl_…`.' }),
    rail: Rail,
    reference: Type.String({ description: "The rail's id of the settlement." }),
    subject_commitment: commitment,
    credits: amount('The paid credits that the agent got.'),
    amount_label: nullable(
      Type.String({ description: 'What was paid, for people. null if the request had none.' }),
    ),
    status: Type.Literal('credited'),
    transaction_id: Type.String({ description: 'The transaction of the ledger: `txn_…`.' }),
    credited_at: dateTime('The time when the credits were booked.'),
  }),
);

export type WalletResponse = Static<typeof WalletResponse>;
export type SpendRequest = Static<typeof SpendRequest>;
export type WithdrawalRequest = Static<typeof WithdrawalRequest>;
export type WithdrawalResponse = Static<typeof WithdrawalResponse>;
export type SettlementRequest = Static<typeof SettlementRequest>;
export type SettlementResponse = Static<typeof SettlementResponse>;
