import { Type } from '@sinclair/typebox';
import { named } from '../../../platform/http/schema.ts';

const payout = named(
  'PayoutEventData',
  Type.Object({
    withdrawal_id: Type.String(),
    subject_commitment: Type.String(),
    /** Credits: those that are queued, were paid, or returned to the agent. */
    amount: Type.Integer(),
  }),
);

/** The events about payouts, for the sponsor of the agent that withdraws. */
export const payoutsEvents = {
  'payout.queued': payout,
  'payout.confirmed': payout,
  'payout.failed': payout,
};
