import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import {
  dateTime,
  described,
  discriminated,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { TERMINAL_STATUSES } from '../../proof/receipt/receipt.ts';
import { Domain, ErrorTranche, ReceiptStatus, ReceiptType, RevocationStatus } from '../http/enumerations.ts';

export const domain = described(Domain, 'The operational domain that the agent acted in.');

/** The signed members of a receipt. */
export const payload = {
  receipt_id: Type.String({ description: 'The id of the receipt: `rcpt_` and a UUIDv7 without dashes.' }),
  issued_at: dateTime('The time when the receipt was issued.'),
  operator_id: Type.String({ description: 'The id of the operator that issued the receipt.' }),
  agent_id: Type.String({ description: 'The agent that acts, as the operator names it.' }),
  receipt_type: ReceiptType,
  status: ReceiptStatus,
  input_digest: hexString(32, 'SHA-256 of the input of the agent.'),
  authority_scope: Type.String({ description: 'What the agent is authorized to do.' }),
  expiry: dateTime('The time when the receipt expires, exactly as sent.'),
  revocation_status: RevocationStatus,
  output_hash: Type.Optional(hexString(32, 'SHA-256 of the output. Only with the status `success`.')),
  refusal_reason: Type.Optional(
    Type.String({ description: 'Why nothing was done. Only with the statuses `refusal` and `null`.' }),
  ),
  terminal_reason: Type.Optional(
    Type.String({
      description:
        'Why the work ended. Only with the statuses `terminal`, `graceful_shutdown`, `timeout` and `failure_tombstone`.',
    }),
  ),
  prev_receipt_hash: Type.Optional(
    hexString(
      32,
      'The content_hash of the receipt version that this receipt chains to. Absent if it is not chained.',
    ),
  ),
  domain: Type.Optional(domain),
  domain_commitment: Type.Optional(
    hexString(
      32,
      'SHA-256 of domain followed by blind_salt. Only in a blind receipt, which has no `domain`.',
    ),
  ),
  error_tranche: Type.Optional(
    described(ErrorTranche, 'The kind of failure. Absent while the receipt is pending.'),
  ),
};

const envelope = {
  content_hash: hexString(32, 'SHA-256 of the canonical JSON (RFC 8785) of the signed members.'),
  signature: hexString(64, 'Ed25519 signature over the 64 characters of content_hash.'),
  kid: Type.String({ description: 'The id of the signing key. It is not part of the signed members.' }),
  blind_salt: Type.Optional(
    nullable(
      hexString(
        32,
        'The salt of a blind receipt. Only in the response that issues it and in responses to issuer keys of its operator. null in a replay.',
      ),
    ),
  ),
};

const {
  status: _status,
  output_hash: _output,
  refusal_reason: _refusal,
  terminal_reason: _terminal,
  error_tranche: _tranche,
  ...common
} = payload;

const ReceiptMembers = named('ReceiptMembers', Type.Object({ ...common, ...envelope }));

/** Returns the schema of the receipts with some statuses, with the members that depend on the status. */
const receiptOf = (name: string, members: TProperties): TSchema =>
  named(
    name,
    Type.Unsafe({
      allOf: [ReceiptMembers],
      ...Type.Object(members, { unevaluatedProperties: false }),
    }),
  );

/** What `ReceiptResponse` says, as clients see it: a receipt has the members of its status. */
const RECEIPTS = discriminated('status', [
  receiptOf('PendingReceipt', {
    status: Type.Literal('pending', { description: 'The work has not ended.' }),
  }),
  receiptOf('SuccessReceipt', {
    status: Type.Literal('success', { description: 'The work was done.' }),
    output_hash: hexString(32, 'SHA-256 of the output.'),
    error_tranche: Type.Literal('NONE'),
  }),
  receiptOf('RefusalReceipt', {
    status: oneOf(['refusal', 'null'], { description: 'Nothing was done.' }),
    refusal_reason: Type.String({ description: 'Why nothing was done.' }),
    error_tranche: described(ErrorTranche, 'The kind of failure.'),
  }),
  receiptOf('TerminalReceipt', {
    status: oneOf(TERMINAL_STATUSES, { description: 'The work ended without an outcome.' }),
    terminal_reason: Type.String({ description: 'Why the work ended.' }),
    error_tranche: described(ErrorTranche, 'The kind of failure.'),
  }),
]);

/** Responses are written and checked by the members of all statuses; clients see a schema for each status. */
export const ReceiptResponse = named(
  'Receipt',
  strictObject({ ...payload, ...envelope }, { 'x-schema': RECEIPTS }),
);
