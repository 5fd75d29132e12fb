import { type Static, Type } from '@sinclair/typebox';
import { DELIVERIES, ESCROW_STATUSES } from '../../../db/trust/escrow-enums.ts';
import { ROLES } from '../../../db/trust/operators-enums.ts';
import {
  hexString,
  nullable,
  oneOf,
  plainName,
  reasonText,
  strictObject,
} from '../../platform/http/schema.ts';
import { LABEL, Label } from '../../platform/test-service/seed/names.ts';
import { SeedTime } from '../../platform/test-service/seed/times.ts';
import { SENT_TYPES } from '../../proof/evidence/source-types.ts';
import { DOMAINS, ERROR_TRANCHES, RECEIPT_STATUSES, RECEIPT_TYPES } from '../../proof/receipt/receipt.ts';
import { TRANSFER_KINDS } from '../ledger/credits/schema.ts';

/** The label of the operator that the service itself creates. */
export const FIRST = 'first';

const optional = Type.Optional;
const time = optional(SeedTime);
const amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const text = (longest: number) => Type.String({ minLength: 1, maxLength: longest });
const matching = (pattern: string, form: string) => Type.String({ pattern, 'x-message': `must be ${form}` });
const apiKeyText = matching('^pp_[0-9a-f]{64}$', 'pp_ and 64 lower-case hexadecimal characters');
const digest = hexString(32, '');

/** Things by the labels that a seed gives them. */
const labelled = <Schema extends ReturnType<typeof strictObject>>(schema: Schema) =>
  optional(Type.Record(Type.String({ pattern: LABEL }), schema, { additionalProperties: false }));

const ApiKey = strictObject({
  api_key: optional(apiKeyText),
  name: optional(plainName('', '')),
  role: optional(oneOf(ROLES)),
  agent: optional(Label),
  admin: optional(Type.Boolean()),
  scope: optional(Type.Object({})),
  at: time,
});

const Operator = strictObject({
  operator_id: optional(matching('^op_cus_[0-9A-Za-z]{24}$', 'op_cus_ and 24 letters and digits')),
  api_key: optional(apiKeyText),
  name: optional(plainName('', '')),
  admin: optional(Type.Boolean()),
  stake_cents: optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  credits: optional(amount),
  status: optional(oneOf(['ACTIVE', 'SUSPENDED'])),
  api_keys: labelled(ApiKey),
  at: time,
});

const Agent = strictObject({
  operator: optional(nullable(Label)),
  name: optional(plainName('', '')),
  seed: optional(hexString(32, '')),
  at: time,
  revoked: time,
  revocation_reason: optional(reasonText('')),
});

const Receipt = strictObject({
  id: optional(
    matching('^(?:rcpt_[0-9a-f]{32}|(?!rcpt_)[A-Za-z0-9][A-Za-z0-9_-]{0,63})$', 'a label or a receipt id'),
  ),
  operator: optional(Label),
  agent: optional(text(256)),
  receipt_type: optional(oneOf(RECEIPT_TYPES)),
  input_digest: optional(digest),
  authority_scope: optional(text(256)),
  domain: optional(oneOf(DOMAINS)),
  blind: optional(Type.Boolean()),
  after: optional(text(64)),
  issued: time,
  expiry: time,
  status: optional(oneOf(RECEIPT_STATUSES)),
  output_hash: optional(digest),
  reason: optional(reasonText('')),
  error_tranche: optional(oneOf(ERROR_TRANCHES)),
  finalized: time,
  revoked: time,
  revocation_reason: optional(reasonText('')),
});

const Evidence = strictObject({
  agent: Label,
  operator: optional(Label),
  source_type: oneOf(SENT_TYPES),
  payload: Type.Object({}),
  at: time,
});

const memo = optional(text(256));
const Grant = strictObject({ to: Label, amount, operator: optional(Label), memo, at: time });
const Transfer = strictObject({
  from: Label,
  to: Label,
  amount,
  kind: optional(oneOf(TRANSFER_KINDS)),
  memo,
  at: time,
});

const Engagement = strictObject({
  task_id: text(128),
  hirer: Label,
  worker: Label,
  amount,
  description: optional(text(4096)),
  deadline: time,
  status: optional(oneOf(ESCROW_STATUSES)),
  at: time,
  delivery: optional(oneOf(DELIVERIES)),
  delivered: time,
  disputed: time,
  dispute_reason: optional(reasonText('')),
  ended: time,
  worker_amount: optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  note: optional(reasonText('')),
});

const Webhook = strictObject({
  id: optional(Label),
  operator: optional(Label),
  url: text(2048),
  events: Type.Array(text(64), { minItems: 1 }),
  all: optional(Type.Boolean()),
  secret: optional(matching('^whk_[0-9a-f]{64}$', 'whk_ and 64 lower-case hexadecimal characters')),
  at: time,
});

const listOf = <Schema extends ReturnType<typeof strictObject>>(schema: Schema) =>
  optional(Type.Array(schema));

/** What a test service of the trust service is filled with. The API checks what the form does not. */
export const TrustSeed = strictObject({
  operators: labelled(Operator),
  agents: labelled(Agent),
  webhooks: listOf(Webhook),
  grants: listOf(Grant),
  transfers: listOf(Transfer),
  evidence: listOf(Evidence),
  receipts: listOf(Receipt),
  engagements: listOf(Engagement),
});

export type TrustSeed = Static<typeof TrustSeed>;
/** One entry of a member of a seed. */
export type EntryOf<Name extends keyof TrustSeed> =
  NonNullable<TrustSeed[Name]> extends readonly (infer Entry)[]
    ? Entry
    : NonNullable<TrustSeed[Name]> extends Record<string, infer Entry>
      ? Entry
      : never;
