import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { written } from '../../platform/http/schema.ts';
import { responseWith } from '../../platform/http/send-together.ts';
import type { Store } from '../../platform/store/store.ts';
import { BUNDLE_TYPE, PROOF_HEADERS, ProofQuery, ProofText } from '../log/schema.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { type AnchorContext, anchorEvidence } from './anchor.ts';
import { type EvidenceCaller, evidenceAuth, MAX_EVIDENCE_ITEMS } from './auth.ts';
import { evidenceBundle } from './get-bundle.ts';
import { type EvidenceProofContext, evidenceProof } from './get-proof.ts';
import { listEvidence } from './list.ts';
import {
  AnchoredResponse,
  EvidenceBundleResponse,
  EvidenceItemPath,
  EvidenceListResponse,
  EvidencePath,
  EvidenceRequest,
  ListQuery,
  MAX_PAYLOAD_MEMBERS,
} from './schema.ts';

/** How the local administrator sends evidence. */
const AS_WITH_A_KEY = {
  access: 'any',
  callerOf: (principal: OperatorActor): EvidenceCaller => ({ principal }),
} as const;

/** Evidence has its own authentication: its source type decides which credential it needs. */
export const evidenceIngestRoutes = (trust: AnchorContext, { operatingOr }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(operatingOr(evidenceAuth(trust), AS_WITH_A_KEY)).post(
    '/api/v1/passport/agents/:id/evidence',
    async ({ params, body, principal, once, set }) => {
      const anchored = await anchorEvidence(trust, principal, params.id, body, once);
      set.status = anchored.duplicate ? 200 : 201;
      return anchored;
    },
    {
      keyed: true,
      params: EvidencePath,
      body: EvidenceRequest,
      response: { 200: AnchoredResponse, 201: AnchoredResponse },
      detail: {
        operationId: 'anchorEvidence',
        'x-idempotent': true,
        security: [{ apiKey: [] }, { session: [] }, { serviceToken: [] }],
        'x-values': { MAX_EVIDENCE_ITEMS, MAX_PAYLOAD_MEMBERS },
      },
    },
  );

export const evidenceRoutes = (context: { store: Store; cursors: Cursors }, { operating }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(operating).get(
    '/api/v1/passport/agents/:id/evidence',
    async ({ params, query, principal }) => {
      const json = await listEvidence(context, principal, params.id, query);
      return responseWith(json, { headers: { 'content-type': 'application/json' } });
    },
    {
      keyed: 'any',
      params: EvidencePath,
      query: ListQuery,
      response: { 200: written(EvidenceListResponse) },
      detail: { operationId: 'listEvidence' },
    },
  );

export const evidenceProofRoutes = (context: EvidenceProofContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] })
    .use(open)
    .get(
      '/api/v1/passport/agents/:id/evidence/:event/proof',
      async ({ params, query, set }) => {
        const { text, cosigned } = await evidenceProof(context, params.id, params.event, query);
        set.headers['content-type'] = 'text/plain; charset=utf-8';
        set.headers.cosigned = String(cosigned);
        return text;
      },
      {
        open: 'publicReads',
        params: EvidenceItemPath,
        query: ProofQuery,
        response: { 200: ProofText },
        detail: { operationId: 'getEvidenceProof', 'x-response-headers': PROOF_HEADERS, security: [] },
      },
    )
    .get(
      '/api/v1/passport/agents/:id/evidence/:event/bundle',
      ({ params, query, set }) => {
        set.headers['content-type'] = BUNDLE_TYPE;
        return evidenceBundle(context, params.id, params.event, query);
      },
      {
        open: 'publicReads',
        params: EvidenceItemPath,
        query: ProofQuery,
        response: { 200: EvidenceBundleResponse },
        detail: { operationId: 'getEvidenceBundle', security: [] },
      },
    );
