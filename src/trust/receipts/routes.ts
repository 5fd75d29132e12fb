import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { preferredType } from '../../platform/http/request/accept.ts';
import { oneOf } from '../../platform/http/schema.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PUBLIC, problemOf, responses, STORED, WRITE } from '../http/schema.ts';
import { creditsErrors } from '../ledger/credits/errors.ts';
import { ledgerErrors } from '../ledger/errors.ts';
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
          WRITE,
          clockErrors.clock_wrong,
          PUBLIC,
          commonErrors.idempotency_key_reused,
          ledgerErrors.insufficient_credits,
          creditsErrors.scope_violation,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'issueReceipt',
          summary: 'Issue a receipt',
          description:
            'Signs and stores a pending receipt; 201 means that it is durable. `domain` is always required. With `blind: true` the ' +
            'receipt has `domain_commitment` = SHA-256(domain followed by blind_salt) instead of the domain. This response contains ' +
            '`blind_salt`; later only your issuer keys can read it, and in a replay it is null. `prev_receipt_hash` must be the ' +
            'content_hash of a version of one of your receipts. 403 `gate_denied` while the gate denies the operator, except for ' +
            '`ZERO_TENANCY_REJECT`, so that the first receipt of a domain can be issued. A holder key must use its own commitment ' +
            'as agent_id. Where the service has a price (the setting `receipts.price`, default 0), each receipt costs that many ' +
            'credits of the operator; 402 if it has too few, or if the spending scope of the key does not allow it (a scope with ' +
            '`products` must contain `receipt`).',
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
          'Newest first, in pages. Paging is stable while receipts are added. `from` is inclusive, `to` exclusive. A limit ' +
          'outside 1 to 100 is an error. An issuer key also finds your blind receipts by their domain; a holder key does not.',
      },
    })
    .get('/api/v1/receipts/:id', ({ params, principal }) => getReceipt(context, principal, params.id), {
      keyed: 'any',
      params: ReceiptPath,
      response: responses({ 200: ReceiptResponse }, KEYED, receiptsErrors.receipt_not_found),
      detail: {
        operationId: 'getReceipt',
        summary: 'Get a receipt',
        description:
          "An issuer key also gets the blind_salt of a blind receipt. Another operator's receipt returns 404.",
      },
    })
    .get(
      '/api/v1/receipts/:id/versions',
      ({ params, principal }) => listVersions(context, principal, params.id),
      {
        keyed: 'any',
        params: ReceiptPath,
        response: responses({ 200: VersionsResponse }, KEYED, receiptsErrors.receipt_not_found),
        detail: {
          operationId: 'listReceiptVersions',
          summary: 'List all signed versions of a receipt',
          description:
            'Newest first: the receipt as it was signed when it was revoked, finalized and issued, each with the time of its ' +
            "signature; the revocation with its reason. Another operator's receipt returns 404.",
        },
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
        detail: {
          'x-idempotent': true,
          operationId: 'finalizeReceipt',
          summary: 'Finalize a receipt',
          description:
            'Gives a pending receipt its outcome and signs it again. `success` needs output_hash; `refusal` and `null` need ' +
            'refusal_reason; `terminal`, `graceful_shutdown`, `timeout` and `failure_tombstone` need terminal_reason. A field of ' +
            'another outcome is a 400. error_tranche is by default NONE, for `timeout` COMPUTE_TIMEOUT; any other than NONE takes a ' +
            "percentage of the operator's stake (GET /api/v1/operator/slashing-ledger). Of two concurrent requests " +
            'one gets 200, the other 409 with the current receipt. A receipt that was finalized before is a 409 ' +
            '`receipt_already_finalized`, also if it was revoked later. A key whose scope has ended can still finalize the receipts that ' +
            'it issued; any other receipt is a 403 `scope_ended`.',
        },
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
        detail: {
          'x-idempotent': true,
          'x-optional-body': true,
          operationId: 'revokeReceipt',
          summary: 'Revoke a receipt',
          description:
            'Permanent, in any status. Signs the receipt again with revocation_status `revoked`. The body is optional. Its reason ' +
            "is not part of the receipt; `GET …/versions` returns it to you. A revoked receipt no longer counts in the agent's " +
            'rates and totals, nor at the gate. Issuer keys of a suspended operator can also revoke receipts. A key whose scope has ' +
            'ended can still revoke the receipts that it issued; any other receipt is a 403 `scope_ended`. A receipt that the service ' +
            'issued itself (of a paid engagement, a withdrawal or telemetry) is revoked by admin keys only, of any operator.',
        },
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
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          receiptsErrors.receipt_not_found,
          commonErrors.conflict,
        ),
        detail: {
          operationId: 'getPublicManifest',
          summary: 'Get the public part of a receipt',
          description:
            'Names are masked except for their first and last four characters. The response also has the verdict of the service, ' +
            'the chain and the signature; never the input digest, the scope or the salt. `inclusion_path` proves that the log ' +
            'contains the finalization, with the newest checkpoint that witnesses have cosigned or, for an entry that this does ' +
            'not cover yet, with the newest of all (`cosigned: false`); without a proof it is null, and the response states why. ' +
            '`lost` exists only if the log has a finalization or revocation that the database lost when it was restored from a ' +
            'backup. With `signed=1` the response is signed, for others to rely on: type `receipt-manifest`, valid for five minutes; ' +
            'the signature and the kid of the receipt are then `receipt_signature` and `receipt_kid`. 409 if `lost` would be there, ' +
            'unless the receipt is revoked; 503 `clock_wrong` while the clock of the server is known to be wrong.',
          security: [],
        },
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
          'x-answer-headers': { ...PROOF_HEADERS, Vary: 'Accept' },
          summary: 'Get the proof that the log contains a receipt',
          description:
            'C2SP tlog-proof: the leaf index, the inclusion proof and a checkpoint in one text, which can be verified offline. The ' +
            'checkpoint is the newest that witnesses have cosigned; for an entry that this does not cover yet, and without a ' +
            'witness policy, it is the newest of all. A fresh entry is cosigned within seconds. The extra data is the leaf entry: ' +
            'compare its receipt_id, content_hash, signature and kid with the receipt. 404 while the receipt is pending, and with ' +
            'Retry-After until the next checkpoint, about 300 ms after it was finalized.\n\n' +
            'If Accept prefers application/scitt-receipt+cose, returns a COSE receipt (RFC 9942) for the same tree instead: the ' +
            'inclusion proof, and the EdDSA signature of the active key of purpose `receipts-log` over the root, which you compute ' +
            'from the entry (`leaf_entry` of the public manifest, or the extra data of the text). It has no checkpoint and no ' +
            'cosignatures: `Cosigned` is about the checkpoint of the tree. 404 while the log has only one entry, since a COSE ' +
            'receipt has at least one hash. All other values of Accept are ignored.',
          security: [],
        },
      },
    )
    .get('/api/v1/receipts/:id/status', ({ params }) => receiptStatus(context, params.id), {
      open: 'publicReads',
      params: ReceiptPath,
      response: responses(
        { 200: StatusResponse },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        receiptsErrors.receipt_not_found,
        commonErrors.conflict,
      ),
      detail: {
        operationId: 'getReceiptStatus',
        summary: 'Get the current status of a receipt, signed',
        description:
          'For anyone who has a copy of the receipt: a copy that was made before the revocation still verifies. Valid for five ' +
          'minutes. Signed by the key of purpose `credentials` over the digest of all other members except kid. 409 if the log ' +
          'has a finalization or revocation that the database lost when it was restored from a backup. 503 `clock_wrong` while the ' +
          "server's clock is known to be wrong.",
        security: [],
      },
    });
