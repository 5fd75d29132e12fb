import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  described,
  discriminated,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  reasonText,
  strictObject,
} from '../../platform/http/schema.ts';
import { OUTCOMES, TERMINAL_STATUSES } from '../../proof/receipt/receipt.ts';
import { ErrorTranche, ReceiptStatus, ReceiptType } from '../http/enumerations.ts';
import { DEMO_PENDING_ID, DEMO_RECEIPT_ID } from '../http/example-ids.ts';
import { InclusionPath } from '../log/schema.ts';
import { AbandonedShare } from './gate/schema.ts';
import { domain, payload, ReceiptResponse } from './receipt-schema.ts';

const EXAMPLE_DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const path = (example: string) =>
  strictObject({
    id: Type.String({ maxLength: 256, description: 'The id of the receipt: `rcpt_…`.', examples: [example] }),
  });

export const ReceiptPath = path(DEMO_RECEIPT_ID);
/** The same; its example waits to be finalized. */
export const PendingReceiptPath = path(DEMO_PENDING_ID);

export const IssueRequest = named(
  'IssueReceiptRequest',
  strictObject(
    {
      agent_id: plainName('The agent that acts: its subject commitment, or a name of your own.', 'agent-7'),
      receipt_type: ReceiptType,
      input_digest: hexString(
        32,
        'SHA-256 of the input of the agent. The service does not get the input itself.',
      ),
      authority_scope: plainName('What the agent is authorized to do.', 'payments:read'),
      expiry: dateTime(
        'The time when the receipt expires. It must be in the future. Signed exactly as sent.',
      ),
      domain,
      prev_receipt_hash: Type.Optional(
        hexString(
          32,
          'Chains this receipt to one of your earlier receipts: the content_hash of any version of that receipt.',
        ),
      ),
      blind: Type.Optional(
        Type.Boolean({
          description:
            'Whether to sign a commitment to the domain instead of the domain itself. Default false.',
        }),
      ),
    },
    {
      examples: [
        {
          agent_id: 'agent-7',
          receipt_type: 'custody',
          input_digest: EXAMPLE_DIGEST,
          authority_scope: 'payments:read',
          expiry: '2036-01-31T12:00:00Z',
          domain: 'CODE_GENERATION',
        },
      ],
    },
  ),
);

const outputHash = hexString(
  32,
  'SHA-256 of the output. Required for the status `success`, an error for others.',
);
const refusalReason = reasonText(
  'Why nothing was done. Required for the statuses `refusal` and `null`, an error for others.',
);
const terminalReason = reasonText(
  'Why the work ended. Required for the statuses `terminal`, `graceful_shutdown`, `timeout` and `failure_tombstone`, an error for others.',
);

/** What `FinalizeRequest` and the later checks accept, as clients see it: an outcome, and its members. */
const FINALIZATIONS = discriminated('status', [
  named(
    'FinalizeSuccess',
    strictObject({
      status: Type.Literal('success', { description: 'The work was done.' }),
      output_hash: outputHash,
      error_tranche: Type.Optional(
        Type.Literal('NONE', { description: 'Always `NONE` for the status `success`.' }),
      ),
    }),
  ),
  named(
    'FinalizeRefusal',
    strictObject({
      status: oneOf(['refusal', 'null'], { description: 'Nothing was done.' }),
      refusal_reason: refusalReason,
      error_tranche: Type.Optional(described(ErrorTranche, 'The kind of failure. Default `NONE`.')),
    }),
  ),
  named(
    'FinalizeTerminal',
    strictObject({
      status: oneOf(TERMINAL_STATUSES, { description: 'The work ended without an outcome.' }),
      terminal_reason: terminalReason,
      error_tranche: Type.Optional(
        described(
          ErrorTranche,
          'The kind of failure. Default `NONE`, for the status `timeout` `COMPUTE_TIMEOUT`.',
        ),
      ),
    }),
  ),
]);

export const FinalizeRequest = named(
  'FinalizeRequest',
  strictObject(
    {
      status: oneOf(OUTCOMES, { description: 'How the work ended.' }),
      output_hash: Type.Optional(outputHash),
      refusal_reason: Type.Optional(refusalReason),
      terminal_reason: Type.Optional(terminalReason),
      error_tranche: Type.Optional(
        described(
          ErrorTranche,
          'The kind of failure. Default `NONE`, for the status `timeout` `COMPUTE_TIMEOUT`; always `NONE` for `success`.',
        ),
      ),
    },
    { examples: [{ status: 'success', output_hash: EXAMPLE_DIGEST }], 'x-schema': FINALIZATIONS },
  ),
);

export const RevokeRequest = Type.Optional(
  named(
    'RevokeReceiptRequest',
    strictObject(
      {
        reason: Type.Optional(
          reasonText(
            'The reason. It is not part of the receipt; only you can read it, with `GET …/versions`.',
          ),
        ),
      },
      { examples: [{ reason: 'issued by mistake' }] },
    ),
  ),
);

export const ListQuery = strictObject({
  domain: Type.Optional(domain),
  status: Type.Optional(
    described(
      ReceiptStatus,
      'Return only receipts with this status. `terminal` also finds `graceful_shutdown`, `timeout` and `failure_tombstone`.',
    ),
  ),
  agent_id: Type.Optional(plainName('Return only receipts of this agent.', 'agent-7')),
  from: Type.Optional(dateTime('Return only receipts that were issued at or after this time.')),
  to: Type.Optional(dateTime('Return only receipts that were issued before this time.')),
  limit: limitParameter('Receipts per page.', 50),
  cursor: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`next_cursor` of the previous page, with the same filters.',
    }),
  ),
});

export const ReceiptListResponse = named(
  'ReceiptPage',
  strictObject({
    receipts: Type.Array(ReceiptResponse),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the next page. null on the last page.',
    }),
  }),
);

export const VersionsResponse = named(
  'ReceiptVersions',
  strictObject({
    versions: Type.Array(
      named(
        'ReceiptVersion',
        strictObject({
          version: Type.Integer({
            minimum: 1,
            maximum: 3,
            description: 'The number of the version, from 1 for the issue.',
          }),
          signed_at: dateTime('The time when this version was signed.'),
          revocation_reason: nullable(
            Type.String({
              description: 'The reason of the revocation. null without a reason, and for other versions.',
            }),
          ),
          receipt: ReceiptResponse,
        }),
      ),
      {
        description:
          'All signed versions, newest first: at most the revocation, the finalization and the issue.',
      },
    ),
  }),
);

/** A leaf of the log of accounts in a manifest. */
const AccountLeaf = named(
  'AccountLeaf',
  strictObject({
    event: oneOf(['issued', 'finalized', 'revoked'], { description: 'What happened to the receipt.' }),
    leaf_entry: Type.String({ description: 'The exact JSON text of the log entry.' }),
    inclusion_path: Type.Union([InclusionPath, Type.Null()], {
      description:
        'The proof that a checkpoint of the log of accounts contains the entry. null until a checkpoint covers it, within about a second.',
    }),
  }),
);

export const ManifestResponse = named(
  'PublicManifest',
  strictObject({
    receipt_id: payload.receipt_id,
    receipt_type: payload.receipt_type,
    status: payload.status,
    issued_at: payload.issued_at,
    expiry: payload.expiry,
    domain: payload.domain,
    domain_commitment: payload.domain_commitment,
    operator_id: Type.String({
      description: 'The id of the operator, masked except for its first and last four characters.',
    }),
    agent_id: Type.String({
      description: 'The agent, masked except for its first and last four characters.',
    }),
    content_hash: hexString(32, 'The content_hash of the current version of the receipt.'),
    leaf_content_hash: nullable(
      hexString(32, 'The content_hash in the log entry of the receipt. null while the log has no entry.'),
    ),
    signature: hexString(
      64,
      'The signature of the receipt: Ed25519 over the 64 characters of content_hash. Nothing signs the manifest.',
    ),
    kid: Type.String({ description: 'The id of the key that signed the receipt.' }),
    verification: strictObject({
      status: Type.String({
        description: 'The verdict of the service, by the rules of offline verification.',
      }),
      checks: strictObject({ hash: Type.String(), signature: Type.String(), key: Type.String() }),
    }),
    chain: strictObject({
      prev_receipt_hash: nullable(
        hexString(
          32,
          'The content_hash of the receipt version that this receipt chains to. null if it is not chained.',
        ),
      ),
      next: Type.Array(Type.String(), {
        description: 'The ids of the receipts that chain to this one, at most 20, oldest first.',
      }),
      depth: Type.Integer({
        minimum: 0,
        description: 'The number of receipts before this one in its chain.',
      }),
    }),
    enforcement: strictObject({
      revocation_status: payload.revocation_status,
      expired: Type.Boolean({ description: 'Whether the time of `expiry` has passed.' }),
      abandoned: Type.Boolean({
        description: 'Whether it was revoked while pending, or is pending for 30 days or past its expiry.',
      }),
      error_tranche: nullable(
        described(ErrorTranche, 'The kind of failure. null while the receipt is pending.'),
      ),
      slashed: Type.Boolean({
        description: 'Whether the finalization of the receipt took some of the stake of its operator.',
      }),
    }),
    operator_abandoned: nullable(
      described(AbandonedShare, 'Of the receipts of its operator in the domain. null for a blind receipt.'),
    ),
    inclusion_path: Type.Union([InclusionPath, Type.Null()], {
      description:
        'The proof that a checkpoint of the log contains the finalization. null while there is no proof.',
    }),
    inclusion_reason: Type.Optional(
      Type.String({ description: 'Why `inclusion_path` is null. Absent if there is a proof.' }),
    ),
    account_leaves: Type.Optional(
      Type.Array(AccountLeaf, {
        maxItems: 3,
        description:
          'The leaves of the receipt in the log of accounts, oldest first: one for each act while the account of its operator was linked. ' +
          'Absent if there is none.',
      }),
    ),
    lost: Type.Optional(
      Type.String({
        description:
          'What the log contains about the receipt but the database lost when it was restored from a backup. status, revocation_status and ' +
          'content_hash are then older than the log. Absent if nothing was lost.',
      }),
    ),
  }),
);

export const StatusResponse = named(
  'SignedReceiptStatus',
  strictObject({
    type: Type.Literal('receipt-status'),
    receipt_id: payload.receipt_id,
    content_hash: hexString(32, 'The content_hash of the current version of the receipt.'),
    status: payload.status,
    revocation_status: payload.revocation_status,
    checked_at: dateTime('The time when the service read this status.'),
    valid_until: dateTime('The end of the validity: five minutes after checked_at.'),
    signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
    kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
  }),
);

export type IssueRequestBody = Static<typeof IssueRequest>;
export type FinalizeRequestBody = Static<typeof FinalizeRequest>;
export type ReceiptListQuery = Static<typeof ListQuery>;
