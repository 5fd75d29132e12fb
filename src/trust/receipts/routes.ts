import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { preferredType } from '../../platform/http/request/accept.ts';
import { oneOf } from '../../platform/http/schema.ts';
import { commonErrors } from '../http/errors.ts';
import { problemOf } from '../http/schema.ts';
import { keyEventProofs } from '../log/keys/key-event-proofs.ts';
import type { StatementContext } from '../log/keys/signing/statements.ts';
import {
  BUNDLE_TYPE,
  PROOF_HEADERS,
  PROOF_TYPE,
  PROOF_TYPES,
  ProofQuery,
  ReceiptProof,
} from '../log/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import { BundleResponse } from './bundle-schema.ts';
import { receiptsErrors } from './errors.ts';
import { finalizeReceipt } from './finalize.ts';
import { gateErrors } from './gate/errors.ts';
import { GATE_REASONS } from './gate/verdict.ts';
import { getReceipt } from './get.ts';
import { receiptBundle } from './get-bundle.ts';
import { inclusionProof, type ProofContext } from './get-proof.ts';
import { publicManifest } from './get-public-manifest.ts';
import { type IssueContext, issueReceipt } from './issue.ts';
import { listReceipts } from './list.ts';
import { listVersions } from './list-versions.ts';
import { ReceiptResponse } from './receipt-schema.ts';
import type { TransitionContext } from './resign.ts';
import { revokeReceipt } from './revoke.ts';
import {
  FinalizeRequest,
  IssueRequest,
  ListQuery,
  ManifestResponse,
  PendingReceiptPath,
  ReceiptListResponse,
  ReceiptPath,
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

export const receiptRoutes = (context: ReceiptContext, { operating, open }: RouteAuth) => {
  const keyEvents = keyEventProofs(context);
  return new Elysia({ tags: ['Receipts'] })
    .use(operating)
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
        response: {
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
        detail: { operationId: 'issueReceipt', 'x-idempotent': true },
      },
    )
    .get('/api/v1/receipts', ({ query, principal }) => listReceipts(context, principal, query), {
      keyed: 'any',
      query: ListQuery,
      response: { 200: ReceiptListResponse },
      detail: { operationId: 'listReceipts' },
    })
    .get('/api/v1/receipts/:id', ({ params, principal }) => getReceipt(context, principal, params.id), {
      keyed: 'any',
      params: ReceiptPath,
      response: { 200: ReceiptResponse },
      detail: { operationId: 'getReceipt' },
    })
    .get(
      '/api/v1/receipts/:id/bundle',
      ({ params, query, principal, set }) => {
        set.headers['content-type'] = BUNDLE_TYPE;
        return receiptBundle(context, keyEvents, principal, params.id, query);
      },
      {
        keyed: 'any',
        params: ReceiptPath,
        query: ProofQuery,
        response: { 200: BundleResponse },
        detail: { operationId: 'getReceiptBundle' },
      },
    )
    .get(
      '/api/v1/receipts/:id/versions',
      ({ params, principal }) => listVersions(context, principal, params.id),
      {
        keyed: 'any',
        params: ReceiptPath,
        response: { 200: VersionsResponse },
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
        response: {
          200: ReceiptResponse,
          409: conflict([receiptsErrors.receipt_already_finalized, receiptsErrors.receipt_already_revoked]),
        },
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
        response: { 200: ReceiptResponse, 409: conflict([receiptsErrors.receipt_already_revoked]) },
        detail: { operationId: 'revokeReceipt', 'x-idempotent': true, 'x-optional-body': true },
      },
    )
    .get(
      '/api/v1/receipts/:id/public-manifest',
      ({ params, query }) => publicManifest(context, params.id, query),
      {
        open: 'publicReads',
        params: ReceiptPath,
        query: ProofQuery,
        response: { 200: ManifestResponse },
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
        response: { 200: ReceiptProof },
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
      response: { 200: StatusResponse },
      detail: { operationId: 'getReceiptStatus', security: [] },
    });
};
