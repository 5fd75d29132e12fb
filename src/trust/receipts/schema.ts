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
  plainText,
  reasonText,
  strictObject,
} from '../../platform/http/schema.ts';
import { OUTCOMES, TERMINAL_STATUSES } from '../../proof/receipt/receipt.ts';
import { DEMO_PENDING_ID, DEMO_RECEIPT_ID } from '../demo/known-ids.ts';
import { Domain, ErrorTranche, ReceiptStatus, ReceiptType, RevocationStatus } from '../http/enumerations.ts';
import { InclusionPath } from '../log/schema.ts';

const EXAMPLE_DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const domain = described(Domain, 'The operational domain that the agent acted in.');
const path = (example: string) =>
  strictObject({
    id: Type.String({ maxLength: 256, description: "The receipt's id.", examples: [example] }),
  });

export const ReceiptPath = path(DEMO_RECEIPT_ID);
/** The same; its example waits to be finalized. */
export const PendingReceiptPath = path(DEMO_PENDING_ID);

export const IssueRequest = named(
  'IssueReceiptRequest',
  strictObject(
    {
      agent_id: plainName('The agent that acts.', 'agent-7'),
      receipt_type: ReceiptType,
      input_digest: hexString(32, 'SHA-256 of what the agent was given. The input itself stays with you.'),
      authority_scope: plainName('What the agent was allowed to do.', 'payments:read'),
      expiry: dateTime('Until when the receipt holds; in the future. Signed exactly as sent.'),
      domain,
      prev_receipt_hash: Type.Optional(
        hexString(32, 'Chains to one of your earlier receipts: the content_hash of any of its versions.'),
      ),
      blind: Type.Optional(
        Type.Boolean({ description: 'Sign a commitment to the domain instead of the domain itself.' }),
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

const outputHash = hexString(32, 'SHA-256 of what came out; for success, and only there.');
const refusalReason = reasonText('Why nothing was done; for refusal and null, and only there.');
const terminalReason = reasonText(
  'Why the work ended; for terminal, graceful_shutdown, timeout and failure_tombstone, and only there.',
);

/** What `FinalizeRequest` and the rules after it accept together, as clients know it: an outcome, and what belongs to it. */
const FINALIZATIONS = discriminated('status', [
  named(
    'FinalizeSuccess',
    strictObject({
      status: Type.Literal('success', { description: 'The work was done.' }),
      output_hash: outputHash,
      error_tranche: Type.Optional(Type.Literal('NONE', { description: 'The only one that success has.' })),
    }),
  ),
  named(
    'FinalizeRefusal',
    strictObject({
      status: oneOf(['refusal', 'null'], { description: 'Nothing was done.' }),
      refusal_reason: refusalReason,
      error_tranche: Type.Optional(described(ErrorTranche, 'What went wrong. Default NONE.')),
    }),
  ),
  named(
    'FinalizeTerminal',
    strictObject({
      status: oneOf(TERMINAL_STATUSES, { description: 'The work ended without an outcome.' }),
      terminal_reason: terminalReason,
      error_tranche: Type.Optional(
        described(ErrorTranche, 'What went wrong. Default NONE, for timeout COMPUTE_TIMEOUT.'),
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
          'What went wrong. Default NONE, for timeout COMPUTE_TIMEOUT; success is always NONE.',
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
            'The reason. Stored with the version that the revocation signs; not part of the receipt.',
          ),
        ),
      },
      { examples: [{ reason: 'issued by mistake' }] },
    ),
  ),
);

export const ListQuery = strictObject({
  domain: Type.Optional(domain),
  status: Type.Optional(described(ReceiptStatus, '`terminal` finds the finer terminal states as well.')),
  agent_id: Type.Optional(plainName('Receipts of this agent.', 'agent-7')),
  from: Type.Optional(dateTime('Issued at or after this time.')),
  to: Type.Optional(dateTime('Issued before this time.')),
  limit: limitParameter('Receipts per page.', 50),
  cursor: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`next_cursor` of the previous page, with the same filters.',
    }),
  ),
});

const payload = {
  receipt_id: Type.String({ description: 'The identifier: `rcpt_` and a UUIDv7 without dashes.' }),
  issued_at: dateTime('When the receipt was issued.'),
  operator_id: Type.String({ description: 'The operator who issued it.' }),
  agent_id: Type.String({ description: 'The agent that acts.' }),
  receipt_type: ReceiptType,
  status: ReceiptStatus,
  input_digest: hexString(32, 'SHA-256 of what the agent was given.'),
  authority_scope: Type.String({ description: 'What the agent was allowed to do.' }),
  expiry: dateTime('Until when the receipt holds, exactly as sent.'),
  revocation_status: RevocationStatus,
  output_hash: Type.Optional(hexString(32, 'Only after success.')),
  refusal_reason: Type.Optional(Type.String({ description: 'Only after refusal or null.' })),
  terminal_reason: Type.Optional(Type.String({ description: 'Only in terminal states.' })),
  prev_receipt_hash: Type.Optional(hexString(32, 'Only when chained.')),
  domain: Type.Optional(domain),
  domain_commitment: Type.Optional(
    hexString(32, 'When issued blind: SHA-256 of domain followed by blind_salt.'),
  ),
  error_tranche: Type.Optional(described(ErrorTranche, 'Once the receipt is not pending.')),
};

export const ReceiptResponse = named(
  'Receipt',
  strictObject({
    ...payload,
    content_hash: hexString(32, 'SHA-256 of the canonical payload.'),
    signature: hexString(64, 'Ed25519 over the 64 characters of content_hash.'),
    kid: Type.String({ description: 'The key that signed; not part of the signed payload.' }),
    blind_salt: Type.Optional(
      nullable(
        hexString(
          32,
          "Of a blind receipt, for its operator's issuer keys and in the answer to the issue. Null in a replay.",
        ),
      ),
    ),
  }),
);

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
          version: Type.Integer({ minimum: 1, maximum: 3, description: 'Counted from 1, the issue.' }),
          signed_at: dateTime('When this version was signed.'),
          revocation_reason: nullable(
            Type.String({ description: 'Why the receipt was revoked, if somebody said so.' }),
          ),
          receipt: ReceiptResponse,
        }),
      ),
      { description: 'Newest first: at most the revocation, the finalization and the issue.' },
    ),
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
    operator_id: Type.String({ description: 'Masked.' }),
    agent_id: Type.String({ description: 'Masked.' }),
    content_hash: hexString(32, 'Of the receipt as it stands.'),
    leaf_content_hash: nullable(hexString(32, 'As it was written to the log; null while it is not there.')),
    signature: hexString(64, 'Ed25519 over content_hash.'),
    kid: Type.String({ description: 'The key that signed.' }),
    verification: strictObject({
      status: Type.String({
        description: "The service's own verdict, by the rules of offline verification.",
      }),
      checks: strictObject({ hash: Type.String(), signature: Type.String(), key: Type.String() }),
    }),
    chain: strictObject({
      prev_receipt_hash: nullable(hexString(32, 'The version that this receipt chains to.')),
      next: Type.Array(Type.String(), {
        description: 'Receipts that chain to this one, at most 20, oldest first.',
      }),
      depth: Type.Integer({ minimum: 0, description: 'Receipts before this one in its chain.' }),
    }),
    enforcement: strictObject({
      revocation_status: payload.revocation_status,
      expired: Type.Boolean(),
      error_tranche: nullable(ErrorTranche),
      slashed: Type.Boolean({ description: 'Whether stake was taken for it.' }),
    }),
    inclusion_path: Type.Union([InclusionPath, Type.Null()], {
      description:
        'The proof that the log holds the finalization, against the newest checkpoint; null while there is none.',
    }),
    inclusion_reason: Type.Optional(Type.String({ description: 'Why there is no inclusion path.' })),
    lost: Type.Optional(
      Type.String({
        description:
          'What the log holds of the receipt and the database has lost: status, revocation_status and content_hash are of before it.',
      }),
    ),
  }),
);

export const StatusResponse = named(
  'SignedReceiptStatus',
  strictObject({
    type: Type.Literal('receipt-status'),
    receipt_id: payload.receipt_id,
    content_hash: hexString(32, 'Of the receipt as it stands.'),
    status: payload.status,
    revocation_status: payload.revocation_status,
    checked_at: dateTime('The time of this state.'),
    valid_until: dateTime('The end of its validity, five minutes later.'),
    signature: hexString(64, 'Ed25519 over the digest of the other members but kid.'),
    kid: Type.String({ description: 'The key of purpose `credentials` that signed.' }),
  }),
);

export const ProofText = plainText('A proof by C2SP tlog-proof; its extra data is the leaf entry.');

export type IssueRequestBody = Static<typeof IssueRequest>;
export type FinalizeRequestBody = Static<typeof FinalizeRequest>;
export type ReceiptListQuery = Static<typeof ListQuery>;
