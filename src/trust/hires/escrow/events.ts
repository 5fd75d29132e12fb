import { Type } from '@sinclair/typebox';
import { named, oneOf } from '../../../platform/http/schema.ts';

/** The statuses that events name. */
const STATUSES = [
  'HELD',
  'DELIVERED',
  'PAID',
  'CANCELLED',
  'DECLINED',
  'DISPUTED',
  'RESOLVED',
  'EXPIRED',
] as const;

const engagement = named(
  'EngagementEventData',
  Type.Object({
    task_id: Type.String(),
    hirer_commitment: Type.String(),
    worker_commitment: Type.String(),
    /** Credits. */
    amount: Type.Integer(),
    status: oneOf(STATUSES),
  }),
);

/** The events about engagements, one for each status, for the sponsors of both sides. */
export const escrowEvents = {
  'engagement.held': engagement,
  'engagement.delivered': engagement,
  'engagement.paid': engagement,
  'engagement.cancelled': engagement,
  'engagement.declined': engagement,
  'engagement.disputed': engagement,
  'engagement.resolved': engagement,
  'engagement.expired': engagement,
};
