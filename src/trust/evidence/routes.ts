import { Elysia } from 'elysia';
import { written } from '../../platform/http/schema.ts';
import type { TrustAuth } from '../auth.ts';
import type { CommandContext } from '../context.ts';
import { KEYED, PUBLIC, responses, WRITE } from '../http/schema.ts';
import { type AnchorContext, anchorEvidence } from './anchor.ts';
import { MAX_EVIDENCE_ITEMS } from './auth.ts';
import { listEvidence } from './list.ts';
import {
  AnchoredResponse,
  EvidenceListResponse,
  EvidencePath,
  EvidenceRequest,
  ListQuery,
  MAX_PAYLOAD_MEMBERS,
} from './schema.ts';

/** Evidence has its own authentication: its source type decides which credential it needs. */
export const evidenceIngestRoutes = (trust: AnchorContext, { evidenceAuth }: TrustAuth) =>
  new Elysia({ tags: ['Evidence'] }).use(evidenceAuth).post(
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
        'agent_not_enrolled',
        'quota_exceeded',
        WRITE,
        PUBLIC,
        'service_auth_failed',
        'invalid_proof',
        'idempotency_key_reused',
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'anchorEvidence',
        summary: 'Anchor evidence of an agent’s work',
        description:
          'Adds what the agent signed to its hash chain; 201 means that it is durable. `signature` is Ed25519 by the ' +
          "agent's enrolled key over the UTF-8 of the 64-character digest of the payload (SHA-256 of its canonical JSON, RFC " +
          "8785), which is hashed exactly as it was parsed; a signature over the digest's 32 bytes, or over the digest of " +
          'JSON sorted at the top alone, is taken as well, and `reading` says which it was. `event_commitment_hash` is the ' +
          'digest of {subject_commitment, source_type, payload_digest, prev_event_hash}. The same payload again, for the ' +
          'same agent and type, is 200 with the first hash and `duplicate: true`: nothing is counted or told twice. ' +
          "An API key of any operator will do, since the agent's signature is the authority; a holder key brings its own " +
          "agent's alone. `task_deliverable` needs the service token instead, `Authorization: Bearer svc_…`: without it 401 " +
          '`service_auth_failed` (`unauthorized` for a body above 16 KiB, which is not read without a key). Of a payload that does not fit its type ' +
          '`issues` names the members; a payload with a `type` that is signed for another purpose ' +
          '(`agent-auth`, `passport`, …) or the four members of a presentation fits none. The outcome is ' +
          '`failure` for a span with status ERROR, a control with status fail, a deliverable with outcome failure or an ' +
          'error_classification. A revoked agent anchors nothing more: 403 `agent_not_enrolled`. Evidence whose payload ' +
          `or signature is refused counts as a write of whoever would be charged. The body has at most ${MAX_EVIDENCE_ITEMS} members ` +
          `and elements, the payload itself ${MAX_PAYLOAD_MEMBERS} members.`,
        security: [{ apiKey: [] }, { session: [] }, { serviceToken: [] }],
      },
    },
  );

export const evidenceRoutes = (context: Pick<CommandContext, 'store' | 'cursors'>, { keyed }: TrustAuth) =>
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
      response: responses({ 200: written(EvidenceListResponse) }, KEYED, 'not_found'),
      detail: {
        operationId: 'listEvidence',
        summary: 'List the evidence of an agent',
        description:
          'Newest first, a page at a time; stable while evidence is added; of revoked agents too. Each item carries its ' +
          "`payload` and `signature` only for the agent's sponsor, its holder key, admins, and the operator who brought it. A page " +
          'ends before its limit when its payloads are long (4 MiB together), with `next_cursor` for the rest. A holder key reads ' +
          "its own agent's evidence alone.",
      },
    },
  );
