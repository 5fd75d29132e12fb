import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { written } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { agentsErrors } from '../agents/errors.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PUBLIC, responses, WRITE } from '../http/schema.ts';
import { PROOF_HEADERS, ProofQuery, ProofText } from '../log/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { operatorsErrors } from '../operators/errors.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import { type AnchorContext, anchorEvidence } from './anchor.ts';
import { evidenceAuth, MAX_EVIDENCE_ITEMS } from './auth.ts';
import { type EvidenceProofContext, evidenceProof } from './get-proof.ts';
import { listEvidence } from './list.ts';
import {
  AnchoredResponse,
  EvidenceItemPath,
  EvidenceListResponse,
  EvidencePath,
  EvidenceRequest,
  ListQuery,
  MAX_PAYLOAD_MEMBERS,
} from './schema.ts';

/** Evidence has its own authentication: its source type decides which credential it needs. */
export const evidenceIngestRoutes = (trust: AnchorContext, { authenticatedBy }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(authenticatedBy(evidenceAuth(trust))).post(
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
      response: responses(
        { 200: AnchoredResponse, 201: AnchoredResponse },
        commonErrors.agent_not_enrolled,
        quotasErrors.quota_exceeded,
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        operatorsErrors.service_auth_failed,
        agentsErrors.invalid_proof,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'anchorEvidence',
        summary: 'Anchor evidence of an agent’s work',
        description:
          'Adds signed evidence to the hash chain of the agent; 201 means that it is durable. `signature` is Ed25519 by the ' +
          "agent's enrolled key over the UTF-8 of the 64-character digest of the payload: SHA-256 of its canonical JSON (RFC " +
          "8785), exactly as it was parsed. A signature over the digest's 32 bytes, or over the digest of JSON sorted only at the " +
          'top level, is also accepted; `reading` states which signature format matched. `event_commitment_hash` is the digest of ' +
          '{subject_commitment, source_type, payload_digest, prev_event_hash}. A repeated payload of the same agent and type ' +
          'returns 200 with the first hash and `duplicate: true`. A `task_deliverable` with outcome success delivers the HELD engagement ' +
          'that it names, also if it is repeated; a repetition has no other effect.\n\nNeeds an API key of any operator, ' +
          "since the agent's signature authenticates the evidence; a holder key can only send evidence of its own agent. " +
          '`task_deliverable` needs the service token instead, `Authorization: Bearer svc_…`: without it 401 ' +
          '`service_auth_failed` (`unauthorized` for a body above 16 KiB, which is not read without a key). If the payload does ' +
          'not match its type, `issues` names the members. A payload with a `type` that is signed for another purpose ' +
          '(`agent-auth`, `passport`, …), or with the four members of a presentation, matches no type. The outcome is `failure` ' +
          'for a span with status ERROR, a control with status fail, a deliverable with outcome failure or an ' +
          'error_classification. A revoked agent cannot anchor evidence: 403 `agent_not_enrolled`. Refused evidence also counts ' +
          `as a write in the quota. The body has at most ${MAX_EVIDENCE_ITEMS} members and elements, the payload ` +
          `${MAX_PAYLOAD_MEMBERS} members.`,
        security: [{ apiKey: [] }, { session: [] }, { serviceToken: [] }],
      },
    },
  );

export const evidenceRoutes = (context: { store: Store; cursors: Cursors }, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(keyed).get(
    '/api/v1/passport/agents/:id/evidence',
    ({ params, query, principal, set }) => {
      set.headers['content-type'] = 'application/json';
      return listEvidence(context, principal, params.id, query);
    },
    {
      keyed: 'any',
      params: EvidencePath,
      query: ListQuery,
      response: responses({ 200: written(EvidenceListResponse) }, KEYED, commonErrors.not_found),
      detail: {
        operationId: 'listEvidence',
        summary: 'List the evidence of an agent',
        description:
          "Newest first, in pages; also of revoked agents. Paging is stable while evidence is added. Only the agent's sponsor, " +
          'its holder key, admin keys and the operator who sent an item get its `payload` and `signature`. A page with long ' +
          'payloads (4 MiB together) has fewer items than its limit; `next_cursor` continues. A holder key can only read the ' +
          'evidence of its own agent.',
      },
    },
  );

export const evidenceProofRoutes = (context: EvidenceProofContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(open).get(
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
      response: responses({ 200: ProofText }, PUBLIC, commonErrors.not_found),
      detail: {
        operationId: 'getEvidenceProof',
        'x-answer-headers': PROOF_HEADERS,
        summary: 'Get the proof that the log contains an item of evidence',
        description:
          'C2SP tlog-proof, as for a receipt: the leaf index, the inclusion proof and a checkpoint of the log of evidence in one ' +
          'text, which can be verified offline. The extra data is the log entry {anchored_at, event_commitment_hash, index, ' +
          'payload_digest, prev_event_hash, source_type, subject_commitment, v}. Public, like the log itself: the payload and the ' +
          "agent's signature are not in it. Also for items that a restored backup has lost. 404 with Retry-After until the next " +
          'checkpoint, about a second after the item was anchored.',
        security: [],
      },
    },
  );
