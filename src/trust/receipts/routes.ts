import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { oneOf } from '../../platform/http/schema.ts';
import type { TrustAuth } from '../auth.ts';
import type { TrustContext } from '../context.ts';
import { GATE_REASONS } from '../gate/verdict.ts';
import { KEYED, PUBLIC, problemOf, responses, STORED, WRITE } from '../http/schema.ts';
import type { StatementContext } from '../keys/signing/statements.ts';
import { type IssueContext, issueReceipt } from './lifecycle/issue.ts';
import { finalizeReceipt, revokeReceipt, type TransitionContext } from './lifecycle/transitions.ts';
import {
  getReceipt,
  inclusionProof,
  listReceipts,
  type ProofContext,
  publicManifest,
} from './queries/read.ts';
import { receiptStatus } from './queries/status.ts';
import { listVersions } from './queries/versions.ts';
import {
  FinalizeRequest,
  IssueRequest,
  ListQuery,
  ManifestResponse,
  PendingReceiptPath,
  ProofText,
  ReceiptListResponse,
  ReceiptPath,
  ReceiptResponse,
  RevokeRequest,
  StatusResponse,
  VersionsResponse,
} from './schema.ts';

const conflict = (codes: Parameters<typeof problemOf>[0]) => problemOf(codes, { receipt: ReceiptResponse });

/** What the routes of receipts work with. */
type ReceiptContext = IssueContext &
  TransitionContext &
  ProofContext &
  StatementContext &
  Pick<TrustContext, 'cursors'>;

export const receiptRoutes = (context: ReceiptContext, { keyed, open }: TrustAuth) =>
  new Elysia({ tags: ['Receipts'] })
    .use(keyed)
    .use(open)
    .post(
      '/api/v1/receipts',
      async ({ body, principal, once, set }) => {
        set.status = 201;
        return issueReceipt(context, principal, body, once);
      },
      {
        keyed: 'gated',
        body: IssueRequest,
        response: responses(
          {
            201: ReceiptResponse,
            403: problemOf(['gate_denied', 'quota_exceeded', 'forbidden', 'agent_not_enrolled'], {
              reason: Type.Optional(oneOf(GATE_REASONS, { description: "The gate's reason." })),
            }),
          },
          WRITE,
          PUBLIC,
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'issueReceipt',
          summary: 'Issue a receipt',
          description:
            'Signs and stores a pending receipt; 201 means that it is durable. `domain` is required, blind or not. ' +
            'With `blind: true` the receipt carries `domain_commitment` = SHA-256(domain followed by blind_salt) ' +
            'instead of the domain. `blind_salt` is in this answer; later only your issuer keys see it, and a replay has it ' +
            'null. `prev_receipt_hash` must be a ' +
            'content_hash that some version of one of your receipts had. Refused with 403 `gate_denied` while the gate ' +
            'denies, but for `ZERO_TENANCY_REJECT`: the first receipt of a domain has to come from somewhere. A holder ' +
            'key issues with its own commitment as agent_id.',
        },
      },
    )
    .get('/api/v1/receipts', ({ query, principal }) => listReceipts(context, principal, query), {
      keyed: 'any',
      query: ListQuery,
      response: responses({ 200: ReceiptListResponse }, KEYED),
      detail: {
        operationId: 'listReceipts',
        summary: 'List your receipts',
        description:
          'Newest first, a page at a time; stable while receipts are added. `from` is inclusive, `to` exclusive. ' +
          'A limit outside 1 to 100 is refused, not clamped. An issuer key finds your blind receipts by their domain too, a holder key does not.',
      },
    })
    .get('/api/v1/receipts/:id', ({ params, principal }) => getReceipt(context, principal, params.id), {
      keyed: 'any',
      params: ReceiptPath,
      response: responses({ 200: ReceiptResponse }, KEYED, 'receipt_not_found'),
      detail: {
        operationId: 'getReceipt',
        summary: 'Read a receipt of yours',
        description:
          "With its blind_salt, if it is blind and an issuer key asks. Another operator's receipt is a 404.",
      },
    })
    .get(
      '/api/v1/receipts/:id/versions',
      ({ params, principal }) => listVersions(context, principal, params.id),
      {
        keyed: 'any',
        params: ReceiptPath,
        response: responses({ 200: VersionsResponse }, KEYED, 'receipt_not_found'),
        detail: {
          operationId: 'listReceiptVersions',
          summary: 'Every signed version of a receipt of yours',
          description:
            'Newest first: the receipt as it was signed at its revocation, finalization and issue, each with the time of its ' +
            "signature; the revocation with its reason. Another operator's receipt is a 404.",
        },
      },
    )
    .post(
      '/api/v1/receipts/:id/finalize',
      ({ params, body, principal, once }) => finalizeReceipt(context, principal, params.id, body, once),
      {
        keyed: 'any',
        params: PendingReceiptPath,
        body: FinalizeRequest,
        response: responses(
          { 200: ReceiptResponse, 409: conflict(['receipt_already_finalized', 'receipt_already_revoked']) },
          WRITE,
          'agent_not_enrolled',
          'receipt_not_found',
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'finalizeReceipt',
          summary: 'Finalize a receipt',
          description:
            'Moves a pending receipt to its outcome and signs it anew. `success` needs output_hash; `refusal` and ' +
            '`null` need refusal_reason; `terminal`, `graceful_shutdown`, `timeout` and `failure_tombstone` need ' +
            'terminal_reason; a field of another outcome is a 400. error_tranche is NONE unless given, for `timeout` ' +
            'COMPUTE_TIMEOUT. Of two that finalize at once one gets 200, the other 409 with the receipt as it stands. A receipt that was ' +
            'finalized is `receipt_already_finalized`, also when it was revoked since.',
        },
      },
    )
    .post(
      '/api/v1/receipts/:id/revoke',
      ({ params, body, principal, once }) =>
        revokeReceipt(context, principal, params.id, body?.reason ?? null, once),
      {
        keyed: 'protective',
        params: ReceiptPath,
        body: RevokeRequest,
        response: responses(
          { 200: ReceiptResponse, 409: conflict(['receipt_already_revoked']) },
          WRITE,
          'agent_not_enrolled',
          'receipt_not_found',
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          'x-optional-body': true,
          operationId: 'revokeReceipt',
          summary: 'Revoke a receipt',
          description:
            'Takes a receipt back, in whatever status, for ever, and signs it anew with revocation_status `revoked`. ' +
            'The body is optional; its reason is no part of the receipt; `GET …/versions` shows it to you. A finalized receipt that is ' +
            "revoked no longer counts: neither in its agent's rates and totals, nor at the gate. The issuer keys of a suspended account revoke, too.",
        },
      },
    )
    .get('/api/v1/receipts/:id/public-manifest', ({ params }) => publicManifest(context, params.id), {
      open: 'publicReads',
      params: ReceiptPath,
      response: responses({ 200: ManifestResponse }, PUBLIC, 'receipt_not_found'),
      detail: {
        operationId: 'getPublicManifest',
        summary: 'What anyone may know of a receipt',
        description:
          "Names masked to their first and last four characters, the service's own verdict, the chain and the " +
          'signature. Never the input digest, the scope or the salt. `inclusion_path` proves, against the newest ' +
          'checkpoint, that the log holds the finalization; it is null, with its reason, while there is none. `lost` is there only ' +
          'where the log knows of an act that the database, restored from a backup, does not.',
        security: [],
      },
    })
    .get(
      '/api/v1/receipts/:id/proof',
      ({ params, set }) => {
        set.headers['content-type'] = 'text/plain; charset=utf-8';
        return inclusionProof(context, params.id);
      },
      {
        open: 'publicReads',
        params: ReceiptPath,
        response: responses({ 200: ProofText }, PUBLIC, 'receipt_not_found', 'not_found'),
        detail: {
          operationId: 'getReceiptProof',
          summary: 'The proof that the log holds a receipt',
          description:
            'C2SP tlog-proof: the leaf index, the inclusion proof and the newest checkpoint in one text, verifiable offline. Its ' +
            'extra data is the leaf entry, whose receipt_id, content_hash, signature and kid are to be compared with the ' +
            "receipt's. 404 while the receipt is pending; for what was finalized within the last second, with Retry-After.",
          security: [],
        },
      },
    )
    .get('/api/v1/receipts/:id/status', ({ params }) => receiptStatus(context, params.id), {
      open: 'publicReads',
      params: ReceiptPath,
      response: responses({ 200: StatusResponse }, PUBLIC, STORED, 'receipt_not_found', 'conflict'),
      detail: {
        operationId: 'getReceiptStatus',
        summary: 'How a receipt stands now, signed',
        description:
          'For whoever holds a copy: a receipt that was revoked later still verifies by itself. Good for five minutes; signed by ' +
          'the key of purpose `credentials` over the digest of the other members but kid. 409 where the log holds a finalization or ' +
          'revocation that the database, restored from a backup, has lost: nothing is signed that the log contradicts. 503 `overloaded` while the clock of the ' +
          'server is known to be wrong.',
        security: [],
      },
    });
