import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { preferredType } from '../../platform/http/request/accept.ts';
import { oneOf } from '../../platform/http/schema.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, LIMITED_WRITE, PUBLIC, PUBLIC_READ, problemOf, responses, WRITE } from '../http/schema.ts';
import { creditsErrors } from '../ledger/credits/errors.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { clockErrors } from '../log/clock/errors.ts';
import type { StatementContext } from '../log/keys/signing/statements.ts';
import { PROOF_HEADERS, PROOF_TYPE, PROOF_TYPES, ProofQuery, ReceiptProof } from '../log/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import { receiptsErrors } from './errors.ts';
import { finalizeReceipt } from './finalize.ts';
import { gateErrors } from './gate/errors.ts';
import { GATE_REASONS } from './gate/verdict.ts';
import { getReceipt } from './get.ts';
import { publicManifest } from './get-public-manifest.ts';
import { type IssueContext, issueReceipt } from './issue.ts';
import { listReceipts } from './list.ts';
import { listVersions } from './list-versions.ts';
import { inclusionProof, type ProofContext } from './proof.ts';
import type { TransitionContext } from './resign.ts';
import { revokeReceipt } from './revoke.ts';
import {
  FinalizeRequest,
  IssueRequest,
  ListQuery,
  ManifestQuery,
  ManifestResponse,
  PendingReceiptPath,
  ReceiptListResponse,
  ReceiptPath,
  ReceiptResponse,
  RevokeRequest,
  StatusResponse,
  VersionsResponse,
} from './schema.ts';
import { receiptStatus } from './status.ts';

const conflict = (codes: Parameters<typeof problemOf>[0]) => problemOf(codes, { receipt: ReceiptResponse });

/** The parts of the service that the routes of receipts need. */
type ReceiptContext = IssueContext &
  TransitionContext &
  ProofContext &
  StatementContext & { cursors: Cursors };

export const receiptRoutes = (context: ReceiptContext, { keyed, open }: RouteAuth) =>
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
            403: problemOf(
              [
                gateErrors.gate_denied,
                quotasErrors.quota_exceeded,
                commonErrors.forbidden,
                commonErrors.scope_ended,
                commonErrors.agent_not_enrolled,
              ],
              {
                reason: Type.Optional(oneOf(GATE_REASONS, { description: "The gate's reason." })),
              },
            ),
          },
          LIMITED_WRITE,
          clockErrors.clock_wrong,
          commonErrors.idempotency_key_reused,
          ledgerErrors.insufficient_credits,
          creditsErrors.scope_violation,
        ),
        detail: { operationId: 'issueReceipt', 'x-idempotent': true },
      },
    )
    .get('/api/v1/receipts', ({ query, principal }) => listReceipts(context, principal, query), {
      keyed: 'any',
      query: ListQuery,
      response: responses({ 200: ReceiptListResponse }, KEYED),
      detail: { operationId: 'listReceipts' },
    })
    .get('/api/v1/receipts/:id', ({ params, principal }) => getReceipt(context, principal, params.id), {
      keyed: 'any',
      params: ReceiptPath,
      response: responses({ 200: ReceiptResponse }, KEYED, receiptsErrors.receipt_not_found),
      detail: { operationId: 'getReceipt' },
    })
    .get(
      '/api/v1/receipts/:id/versions',
      ({ params, principal }) => listVersions(context, principal, params.id),
      {
        keyed: 'any',
        params: ReceiptPath,
        response: responses({ 200: VersionsResponse }, KEYED, receiptsErrors.receipt_not_found),
        detail: { operationId: 'listReceiptVersions' },
      },
    )
    .post(
      '/api/v1/receipts/:id/finalize',
      ({ params, body, principal, once }) => finalizeReceipt(context, principal, params.id, body, once),
      {
        keyed: 'finalization',
        params: PendingReceiptPath,
        body: FinalizeRequest,
        response: responses(
          {
            200: ReceiptResponse,
            409: conflict([receiptsErrors.receipt_already_finalized, receiptsErrors.receipt_already_revoked]),
          },
          WRITE,
          commonErrors.agent_not_enrolled,
          receiptsErrors.receipt_not_found,
          commonErrors.idempotency_key_reused,
        ),
        detail: { operationId: 'finalizeReceipt', 'x-idempotent': true },
      },
    )
    .post(
      '/api/v1/receipts/:id/revoke',
      ({ params, body, principal, once }) =>
        revokeReceipt(context, principal, params.id, body?.reason ?? null, once),
      {
        keyed: 'revocation',
        params: ReceiptPath,
        body: RevokeRequest,
        response: responses(
          { 200: ReceiptResponse, 409: conflict([receiptsErrors.receipt_already_revoked]) },
          WRITE,
          commonErrors.agent_not_enrolled,
          receiptsErrors.receipt_not_found,
          commonErrors.idempotency_key_reused,
        ),
        detail: { operationId: 'revokeReceipt', 'x-idempotent': true, 'x-optional-body': true },
      },
    )
    .get(
      '/api/v1/receipts/:id/public-manifest',
      ({ params, query }) => publicManifest(context, params.id, query),
      {
        open: 'publicReads',
        params: ReceiptPath,
        query: ManifestQuery,
        response: responses(
          { 200: ManifestResponse },
          PUBLIC_READ,
          clockErrors.clock_wrong,
          receiptsErrors.receipt_not_found,
          commonErrors.conflict,
        ),
        detail: { operationId: 'getPublicManifest', security: [] },
      },
    )
    .get(
      '/api/v1/receipts/:id/proof',
      async ({ params, query, request, set }) => {
        const type = preferredType(request.headers.get('accept'), PROOF_TYPES);
        const { proof, cosigned } = await inclusionProof(context, params.id, query, type);
        set.headers['content-type'] = type === PROOF_TYPE ? `${type}; charset=utf-8` : type;
        set.headers.vary = 'Accept';
        set.headers.cosigned = String(cosigned);
        return proof;
      },
      {
        open: 'publicReads',
        params: ReceiptPath,
        query: ProofQuery,
        response: responses(
          { 200: ReceiptProof },
          PUBLIC,
          receiptsErrors.receipt_not_found,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getReceiptProof',
          'x-response-headers': { ...PROOF_HEADERS, Vary: 'Accept' },
          security: [],
        },
      },
    )
    .get('/api/v1/receipts/:id/status', ({ params }) => receiptStatus(context, params.id), {
      open: 'publicReads',
      params: ReceiptPath,
      response: responses(
        { 200: StatusResponse },
        PUBLIC_READ,
        clockErrors.clock_wrong,
        receiptsErrors.receipt_not_found,
        commonErrors.conflict,
      ),
      detail: { operationId: 'getReceiptStatus', security: [] },
    });
