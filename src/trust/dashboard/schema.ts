import { Type } from '@sinclair/typebox';
import { dateTime, described, named, nullable, strictObject } from '../../platform/http/schema.ts';
import { Domain, GateReason } from '../http/enumerations.ts';
import { operatorStatusFields } from '../operators/schema.ts';

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const used = (description: string) =>
  strictObject(
    {
      used: amount('How much is used.'),
      limit: nullable(amount('The limit; null for no limit.')),
    },
    { description },
  );

const atTheGate = (description: string) =>
  strictObject(
    {
      reason: described(GateReason, 'What the gate says now.'),
      receipts: amount('Receipts of the domain that the SLA rule weighs.'),
      breaches: amount('How many of them are SLA breaches that were not pardoned.'),
      breaches_until_denied: nullable(
        amount(
          'How many of the next receipts have to be SLA breaches, one after the other, for the SLA rule to deny; 0 while it ' +
            'does, null if it never would.',
        ),
      ),
      denies_at: nullable(
        dateTime(
          'When the SLA rule denies without any further receipt, since good ones have aged; else null.',
        ),
      ),
      lifts_at: nullable(
        dateTime('When the SLA rule stops denying without any further receipt; null while it does not deny.'),
      ),
    },
    { description },
  );

export const DashboardResponse = named(
  'Operator',
  strictObject({
    ...operatorStatusFields,
    gate: strictObject({
      sla: strictObject(
        {
          window_days: amount('For so many days a finalized receipt is weighed.'),
          share_percent: amount('More breaches than this share deny.'),
          minimum_receipts: amount('Fewer receipts never deny.'),
          newest: amount('Only so many of the newest receipts are weighed.'),
        },
        { description: 'The SLA rule.' },
      ),
      domains: Type.Array(
        strictObject({
          domain: Domain,
          verify: atTheGate('As `POST /api/v1/gate/verify` answers anyone: blind receipts are left out.'),
          issue: atTheGate(
            'When you issue: blind receipts count, and `ZERO_TENANCY_REJECT` refuses nothing.',
          ),
        }),
      ),
    }),
    quota: strictObject(
      {
        writes_per_minute: used(
          'Requests that write, in windows of 60 seconds. Beyond the limit: 429 `rate_limit_exceeded`.',
        ),
        stored_bytes: used(
          'What its writes have stored since the account was made: database pages (4 KiB) as they were allocated, and 64 bytes for ' +
            'each row. Deleting gives nothing back. Beyond the limit: 403 `quota_exceeded`.',
        ),
        webhooks: used('Beyond the limit: 409 `conflict`.'),
      },
      {
        description:
          'What the account may write. Deleting, revoking, finalizing and ending sessions count and are never refused.',
      },
    ),
  }),
);
