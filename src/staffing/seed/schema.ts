import { type Static, Type } from '@sinclair/typebox';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { STATUSES } from '../../../db/staffing/requisitions-enums.ts';
import { oneOf, strictObject } from '../../platform/http/schema.ts';
import { LABEL, Label } from '../../platform/test-service/seed/names.ts';
import { SeedTime } from '../../platform/test-service/seed/times.ts';
import { RequisitionRequest } from '../requisitions/schema.ts';

/** The label of the partner whose sandbox key is in the ready file. */
export const FIRST = 'first';

const optional = Type.Optional;
const time = optional(SeedTime);
const text = (longest: number) => Type.String({ minLength: 1, maxLength: longest });
const matching = (pattern: string, form: string) => Type.String({ pattern, 'x-message': `must be ${form}` });
const day = Type.String({ format: 'date', 'x-message': 'must be a date, such as 2025-01-31' });
const npi = matching(
  '^2[0-9]{9}$',
  '10 digits of which the first is 2, in quotes: clinicians of a seed are made up',
);
const keyOf = (prefix: string) =>
  matching(`^${prefix}[0-9A-Za-z]{40}$`, `${prefix} and 40 letters and digits`);

const Partner = strictObject({
  email: optional(text(254)),
  company: optional(text(200)),
  partner_id: optional(matching('^ptr_[0-9a-f]{32}$', 'ptr_ and 32 lower-case hexadecimal characters')),
  sandbox_key: optional(keyOf('mpk_test_')),
  live_key: optional(keyOf('mpk_live_')),
  at: time,
  promoted: time,
});

const Clinician = strictObject({
  npi,
  last_name: text(100),
  first_name: optional(text(100)),
  middle_name: optional(text(100)),
  suffix: optional(text(100)),
  credential: optional(text(100)),
  former_names: optional(Type.Array(text(100), { maxItems: 20 })),
  specialties: optional(
    Type.Array(matching('^[0-9A-Z]{9}X$', 'a taxonomy code, such as 163W00000X'), { maxItems: 15 }),
  ),
  city: optional(text(100)),
  state: optional(text(64)),
  postal_code: optional(text(16)),
  enumerated_on: optional(day),
  last_updated_on: optional(day),
});

const Requisition = strictObject({
  ...RequisitionRequest.properties,
  id: optional(matching('^(?:req_[0-9a-f]{32}|(?!req_)[A-Za-z0-9][A-Za-z0-9_-]{0,63})$', 'a label or an id')),
  partner: optional(Label),
  tier: optional(oneOf(TIERS)),
  submitted: time,
  status: optional(oneOf(STATUSES)),
  changed: time,
});

const Suppression = strictObject({ npi, reason: optional(text(1024)), at: time });

const Webhook = strictObject({
  id: optional(Label),
  partner: optional(Label),
  tier: optional(oneOf(TIERS)),
  url: text(2048),
  at: time,
});

/** What a test service of the staffing service is filled with. The API checks what the form does not. */
export const StaffingSeed = strictObject({
  clinicians: optional(Type.Array(Clinician)),
  partners: optional(Type.Record(Type.String({ pattern: LABEL }), Partner, { additionalProperties: false })),
  requisitions: optional(Type.Array(Requisition)),
  suppressions: optional(Type.Array(Suppression)),
  webhooks: optional(Type.Array(Webhook)),
});

export type StaffingSeed = Static<typeof StaffingSeed>;
export type SeedPartner = NonNullable<StaffingSeed['partners']>[string];
export type SeedClinician = NonNullable<StaffingSeed['clinicians']>[number];
export type SeedRequisition = NonNullable<StaffingSeed['requisitions']>[number];
