import { Type } from '@sinclair/typebox';
import { dateTime, described, named, nullable, strictObject } from '../../../platform/http/schema.ts';
import { Domain } from '../../http/enumerations.ts';
import { operatorStatusFields } from '../../operators/schema.ts';
import { AbandonedShare, GateReason } from '../../receipts/gate/schema.ts';
import { linkedStateFields } from '../../receipts/linked/schema.ts';

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const used = (description: string) =>
  strictObject(
    {
      used: amount('The amount that is used.'),
      limit: nullable(amount('The limit. null if there is no limit.')),
    },
    { description },
  );

const receiptIds = (description: string) => Type.Array(Type.String(), { maxItems: 20, description });

const atTheGate = (description: string) =>
  strictObject(
    {
      reason: described(GateReason, 'The decision of the gate now.'),
      receipts: amount('The number of receipts of the domain that the SLA rule counts.'),
      breaches: amount('How many of these receipts are SLA breaches that were not pardoned.'),
      breach_receipts: receiptIds('The ids of these breaches, newest first.'),
      abandoned: described(AbandonedShare, 'Of the receipts of the domain.'),
      abandoned_receipts: receiptIds(
        'The ids of the newest 20 abandoned receipts within the window. Finalize those that are pending.',
      ),
      breaches_until_denied: nullable(
        amount(
          'The number of further SLA breaches in a row after which the SLA rule denies. 0 while it denies; null if it would never deny.',
        ),
      ),
      denies_at: nullable(
        dateTime(
          'The time from which a rule about receipts denies without any further receipt, because good receipts become too old to count. ' +
            'null if that does not happen, and while one denies.',
        ),
      ),
      lifts_at: nullable(
        dateTime(
          'The time from which no rule about receipts denies, without any further receipt. null while none denies.',
        ),
      ),
    },
    { description },
  );

export const DashboardResponse = named(
  'Operator',
  strictObject({
    ...operatorStatusFields,
    linked_account: Type.Optional(
      strictObject(linkedStateFields, {
        description:
          'The account in the log of accounts, which has a leaf for each receipt that was issued, finalized or revoked while the account ' +
          'was linked. Absent if it was never linked.',
      }),
    ),
    gate: strictObject({
      sla: strictObject(
        {
          window_days: amount('The number of days for which a finalized receipt counts.'),
          share_percent: amount(
            'The rule denies if more than this percentage of the counted receipts are SLA breaches.',
          ),
          minimum_receipts: amount('The rule denies only if at least this number of receipts counts.'),
          newest: amount('At most this number of the newest receipts of a domain counts.'),
        },
        {
          description:
            'The SLA rule of the gate: the values of the settings `gate.sla_…`. An SLA (service-level agreement) breach is a ' +
            'finalized receipt with error_tranche `SLA_BREACH`.',
        },
      ),
      max_abandoned_share: nullable(
        amount(
          'The setting `gate.max_abandoned_share`: the rule denies if more than this percentage of the newest 100 receipts were abandoned. null: never.',
        ),
      ),
      domains: Type.Array(
        strictObject({
          domain: Domain,
          verify: atTheGate(
            'The decision that `POST /api/v1/gate/verify` returns to anyone. Blind receipts do not count.',
          ),
          issue: atTheGate(
            'The decision when you issue a receipt. Blind receipts count, and `ZERO_TENANCY_REJECT` does not prevent issuing.',
          ),
        }),
      ),
    }),
    quota: strictObject(
      {
        writes_per_minute: used(
          'Requests that write, in the current window of 60 seconds. Beyond the limit: 429 `rate_limit_exceeded`.',
        ),
        stored_bytes: used(
          'Bytes that the writes of the operator have stored since it was created: allocated database pages of 4 KiB, and 64 bytes for ' +
            'each row. Deleting does not reduce the number. Beyond the limit: 403 `quota_exceeded`.',
        ),
        webhooks: used('Webhooks that exist. Beyond the limit: 409 `conflict`.'),
      },
      {
        description:
          'The limits of what the operator may write. Deleting, revoking, finalizing and ending sessions count, but are never refused.',
      },
    ),
  }),
);
