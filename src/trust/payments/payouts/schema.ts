import { type Static, Type } from '@sinclair/typebox';
import { PAYOUT_HOLDS, PAYOUT_RAILS, PAYOUT_STATUSES } from '../../../../db/trust/payouts-enums.ts';
import {
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { DEMO_WITHDRAWAL_ID } from '../../http/example-ids.ts';
import { WAITING_FOR } from './representation.ts';

const withdrawal = {
  withdrawal_id: Type.String({ description: 'The id of the withdrawal: `wdr_…`.' }),
  subject_commitment: hexString(32, 'The agent that withdraws.'),
  amount: Type.Integer({ minimum: 1, description: 'Paid credits.' }),
  usd_cents: Type.Integer({ minimum: 1, description: 'The worth of the credits when they were reserved.' }),
  disputed: Type.Integer({
    minimum: 0,
    description:
      'How many of the credits returned to the agent, because their payment is disputed or was refunded. The others are paid.',
  }),
  address: Type.String({ description: 'The custodial wallet that is paid, as EIP-55 writes it.' }),
  reference: Type.String({ description: "The client's name of the withdrawal." }),
  status: oneOf(PAYOUT_STATUSES, {
    description:
      '`queued`: the credits are reserved. `submitted`: the payment is on its way. `confirmed`: it is final, and the credits are gone. ' +
      '`failed`: nothing was paid, and the credits were returned.',
  }),
  rail: nullable(
    oneOf(PAYOUT_RAILS, {
      description: 'How it is paid: by an administrator, or on a chain. null while it is queued.',
    }),
  ),
  waiting_for: nullable(
    oneOf(WAITING_FOR, {
      description:
        '`administrator`: an administrator pays it or decides about it. `active_operator`: the account of the sponsor is not active. `active_agent`: the agent is frozen. ' +
        'null if nothing is missing.',
    }),
  ),
  external_reference: nullable(
    Type.String({
      description:
        'What names the payment: the hash of its transaction, or the text of the administrator. null before it is confirmed.',
    }),
  ),
  failure_reason: nullable(Type.String({ description: 'Why it failed. null if it did not.' })),
  receipt_id: Type.String({ description: 'The receipt of the withdrawal.' }),
  created_at: dateTime('The time of the withdrawal.'),
  updated_at: dateTime('The time of the last change.'),
};

const Withdrawal = named(
  'Withdrawal',
  strictObject(withdrawal, { description: 'A withdrawal and the state of its payout.' }),
);

const nextCursor = nullable(Type.String({ description: 'The `cursor` of the next page. null at the end.' }));

export const WithdrawalResponse = named('WithdrawalState', strictObject({ withdrawal: Withdrawal }));
export const WithdrawalListResponse = named(
  'WithdrawalPage',
  strictObject({ withdrawals: Type.Array(Withdrawal), next_cursor: nextCursor }),
);

export const WithdrawalPath = strictObject({
  withdrawalId: Type.String({
    maxLength: 64,
    description: 'The id of the withdrawal.',
    examples: [DEMO_WITHDRAWAL_ID],
  }),
});

export const WithdrawalListQuery = strictObject({
  subject_commitment: { ...hexString(32, 'The agent.'), examples: [EXAMPLE_COMMITMENT] },
  limit: limitParameter('Withdrawals per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
});
export type WithdrawalListQuery = Static<typeof WithdrawalListQuery>;

/** A payout for the administrator. */
const AdministeredPayout = strictObject({
  ...withdrawal,
  pays_credits: Type.Integer(),
  pays_usd_cents: Type.Integer(),
  operator_id: nullable(Type.String()),
  held: nullable(oneOf(PAYOUT_HOLDS)),
  attempts: Type.Integer({ minimum: 0 }),
  last_error: nullable(Type.String()),
});
export const AdministeredPayoutResponse = strictObject({ payout: AdministeredPayout });
export const AdministeredPayoutListResponse = strictObject({
  payouts: Type.Array(AdministeredPayout),
  next_cursor: nextCursor,
  stopped: nullable(strictObject({ rail: oneOf(PAYOUT_RAILS), since: Type.String() })),
});
