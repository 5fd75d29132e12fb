import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { BODY, PUBLIC, problemOf, responses, STORED, WRITE } from '../http/schema.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principals } from '../operators/auth/principals.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { Events } from '../webhooks/events.ts';
import { requestLineOf } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import type { AgentRecords, CredentialChanges, PresentationCache } from './agent-records.ts';
import { createHolderKey } from './create-holder-key.ts';
import { completeEnrollment, startEnrollment } from './enroll.ts';
import { agentsErrors } from './errors.ts';
import { getPassport } from './get-passport.ts';
import { provisionAgent, startProvisioning } from './provision.ts';
import { revokeAgent } from './revoke.ts';
import {
  AgentPath,
  ChallengeRequest,
  ChallengeResponse,
  CompleteRequest,
  HolderKeyRequest,
  HolderKeyResponse,
  NameRequest,
  PassportResponse,
  PresentationRequest,
  PresentationResponse,
  ProvisionRequest,
  ProvisionResponse,
  RevokeAgentRequest,
  SponsorRequest,
  StartRequest,
  StartResponse,
} from './schema.ts';
import { setAgentName } from './set-name.ts';
import { setPresentation } from './set-presentation.ts';
import { setSponsor } from './set-sponsor.ts';
import type { AgentsPolicy } from './settings.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: AgentsPolicy;
  principals: Principals;
  quotas: Quotas;
  signer: Signer;
  log: TrustLog;
  clockWatch: ClockWatch;
  events: Events;
  url: string | null;
  agentCache: AgentCache;
  avatars: PresentationCache;
  agentRecords: AgentRecords;
  credentialCache: CredentialChanges;
  readOnly: boolean;
}

const PREFIX = '/api/v1/passport/agents';

/** The API key is optional: it says who sponsors the agent. */
const KEY_OR_NOTHING = [{}, { apiKey: [] }];

export const agentRoutes = (trust: Context, { keyed, open, identified, callerOf }: RouteAuth) =>
  new Elysia({ tags: ['Agents'] })
    .use(keyed)
    .use(open)
    .use(identified)
    .post(
      `${PREFIX}/enroll/start`,
      ({ principal, body, request }) =>
        startEnrollment(trust, { principal, address: callerOf(request) }, body),
      {
        identified: { policy: 'enrollment', access: 'issuer' },
        body: StartRequest,
        response: responses({ 200: StartResponse }, WRITE, PUBLIC, quotasErrors.quota_exceeded),
        detail: {
          operationId: 'startEnrollment',
          summary: 'Start an enrollment',
          description:
            'Returns a nonce that the agent must sign with its key within five minutes. The subject commitment identifies the ' +
            'agent: SHA-256 of `agent-id:<public_key>:<context>`. The operator of the API key becomes the sponsor of the agent: it ' +
            'is responsible for the agent and issues its receipts. A caller (the key, else the client address) can have at most ' +
            'five open challenges per commitment; challenges are independent of each other. The nonce is `chal_` and base64url of ' +
            'the canonical JSON of `{purpose: "enroll", host, subject_commitment, expires_at, random}`. The host is that of this ' +
            'service: do not sign for another. Keys of small or mixed order, keys that are not canonical points of the curve, and ' +
            'revoked agents are refused.',
          security: KEY_OR_NOTHING,
        },
      },
    )
    .post(
      `${PREFIX}/enroll/complete`,
      async ({ principal, body, request, set }) => {
        const caller = { principal, address: callerOf(request) };
        const { passport: issued, isNew } = await completeEnrollment(trust, caller, body);
        set.status = isNew ? 201 : 200;
        return issued;
      },
      {
        identified: { policy: 'enrollment', access: 'issuer' },
        body: CompleteRequest,
        response: responses(
          { 200: PassportResponse, 201: PassportResponse },
          agentsErrors.invalid_proof,
          WRITE,
          clockErrors.clock_wrong,
          PUBLIC,
          quotasErrors.quota_exceeded,
          agentsErrors.challenge_not_found,
          agentsErrors.challenge_expired,
        ),
        detail: {
          operationId: 'completeEnrollment',
          summary: 'Complete an enrollment',
          description:
            'Each challenge needs its own signature: `countersign enroll URL --key FILE` starts and completes an enrollment. The ' +
            "example's signature is a placeholder, except in a demonstration, until three minutes after the page was loaded. " +
            'The agent signs the UTF-8 of the nonce. Send the nonce as `challenge_nonce`; ' +
            'without it, the challenges of the caller are tried, then the newest of others. Returns 201 with the passport, or 200 ' +
            'with a passport of the same passport_id as of now if the agent is already enrolled. A challenge is valid once: its ' +
            'second use returns 404, and its use after expiry returns 410 for ten minutes. The sponsor is the operator whose key started the enrollment, else the ' +
            'operator of the key of this request. 403 if the two differ, or if the key that started the enrollment was deleted or its ' +
            'scope has ended.',
          security: KEY_OR_NOTHING,
        },
      },
    )
    .get(`${PREFIX}/:id/passport`, ({ params }) => getPassport(trust, params.id), {
      open: 'publicReads',
      params: AgentPath,
      response: responses(
        { 200: PassportResponse },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getPassport',
        summary: "Get an agent's passport",
        description:
          'The current state of the agent, signed by the key of purpose `credentials` over the 64 characters of content_hash. To ' +
          'rely on a passport, check the signature, that the state is ISSUED, that as_of is at most 60 seconds in the future and ' +
          'that valid_until (24 hours after as_of) has not passed: the agent may be revoked after as_of. `evidence` commits to ' +
          "the agent's whole chain of evidence. A revoked agent keeps its passport, with the state REVOKED. 503 `clock_wrong` while " +
          "the server's clock is known to be wrong, except for a revoked agent.",
        security: [],
      },
    })
    .put(
      `${PREFIX}/:id/presentation`,
      ({ principal, params, body, request }) =>
        setPresentation(trust, principal, params.id, requestLineOf(request), body),
      {
        identified: { policy: 'publicPosts', access: 'any' },
        params: AgentPath,
        body: PresentationRequest,
        response: responses(
          { 200: PresentationResponse },
          agentsErrors.invalid_proof,
          commonErrors.agent_not_enrolled,
          WRITE,
          PUBLIC,
          quotasErrors.quota_exceeded,
          commonErrors.conflict,
          agentsErrors.nonce_reused,
        ),
        detail: {
          operationId: 'setPresentation',
          summary: 'Set or clear the photo of an agent',
          description:
            "Authenticated by the agent's signature over the digest of the object with the four members subject_commitment, " +
            'photo_url, photo_content_sha256 and photo_mime_type. Signatures over the 32 raw bytes of the digest, or over JSON ' +
            'sorted only at the top level, are also accepted. `photo_url: null` clears the photo; the signed object then has null ' +
            'for all three members. A photo (or null) that the agent presented earlier and replaced is a 409, because others may ' +
            "have saved its signature; send `agent_auth`, the agent's holder key or a key of its sponsor to set it again.",
          security: KEY_OR_NOTHING,
        },
      },
    )
    .put(
      `${PREFIX}/:id/name`,
      ({ principal, params, body, request }) =>
        setAgentName(trust, principal, params.id, requestLineOf(request), body),
      {
        identified: { policy: 'publicPosts', access: 'issuer' },
        params: AgentPath,
        body: NameRequest,
        response: responses(
          { 200: PassportResponse },
          agentsErrors.invalid_proof,
          commonErrors.agent_not_enrolled,
          WRITE,
          clockErrors.clock_wrong,
          PUBLIC,
          quotasErrors.quota_exceeded,
          agentsErrors.nonce_reused,
        ),
        detail: {
          operationId: 'setAgentName',
          summary: 'Change the name of an agent',
          description:
            "Needs an issuer key of the agent's sponsor, an admin key, or `agent_auth`. The name follows the rule of enroll/start; " +
            "null removes it. While the account of the agent's sponsor is suspended, only an admin key changes the name (403). The " +
            'next request for the passport signs a new one.',
          security: KEY_OR_NOTHING,
        },
      },
    )
    .post(
      `${PREFIX}/:id/keys`,
      ({ params, body, request, set }) => {
        set.status = 201;
        return createHolderKey(trust, params.id, requestLineOf(request), body);
      },
      {
        open: 'publicPosts',
        params: AgentPath,
        body: HolderKeyRequest,
        response: responses(
          { 201: HolderKeyResponse },
          PUBLIC,
          BODY,
          STORED,
          agentsErrors.invalid_proof,
          commonErrors.agent_not_enrolled,
          commonErrors.forbidden,
          quotasErrors.quota_exceeded,
          commonErrors.conflict,
          agentsErrors.nonce_reused,
        ),
        detail: {
          operationId: 'createHolderKey',
          summary: 'Create a holder key as the agent',
          description:
            "Each request needs its own `agent_auth`: `countersign authorize` makes one. The example's is a placeholder, except in a " +
            'demonstration: there it is valid once, until eight minutes after the page was loaded. Authenticated by `agent_auth`, so ' +
            'that an agent that lost its holder key can get another. The key belongs to the ' +
            "agent's sponsor and has the limits of all of its holder keys for the agent. An agent without a sponsor gets an " +
            'operator of its own, on plan FREE with 0 credits. Another sponsor must create the first holder key itself with ' +
            '`POST /api/v1/operator/api-keys`; without one the response is 403. With five holder keys `revoke_others` is required, which ' +
            'deletes the other keys at once.',
          security: [],
        },
      },
    )
    .post(
      `${PREFIX}/autonomous/challenge`,
      ({ body, request }) =>
        startProvisioning(trust, { principal: null, address: callerOf(request) }, body.public_key),
      {
        open: 'enrollment',
        body: ChallengeRequest,
        response: responses({ 200: ChallengeResponse }, PUBLIC, BODY, STORED),
        detail: {
          operationId: 'autonomousChallenge',
          summary: 'Request a challenge with a proof of work, to provision an agent',
          description:
            'Returns a nonce that is valid once within two minutes, and the number of zeros with which the SHA-256 of ' +
            '`challenge_nonce:pow_nonce` must begin. The nonce has `purpose: "autonomous"`, the host of the service, and null as ' +
            'subject_commitment. A client address can have at most five open challenges per key. `countersign solve` does the work.',
          security: [],
        },
      },
    )
    .post(
      `${PREFIX}/autonomous/provision`,
      ({ body, request, set }) => {
        set.status = 201;
        return provisionAgent(trust, body, callerOf(request));
      },
      {
        open: 'enrollment',
        body: ProvisionRequest,
        response: responses(
          { 201: ProvisionResponse },
          PUBLIC,
          BODY,
          STORED,
          clockErrors.clock_wrong,
          agentsErrors.invalid_proof,
          commonErrors.forbidden,
          quotasErrors.quota_exceeded,
          agentsErrors.challenge_not_found,
          commonErrors.conflict,
          agentsErrors.challenge_expired,
        ),
        detail: {
          operationId: 'provisionAgent',
          summary: 'Provision an agent with its own operator, by proof of work',
          description:
            "The example's work and signature are placeholders, since each challenge needs its own: `countersign solve URL --key " +
            'FILE` does the work and signs it. The request needs a proof of work and a proof of key possession. The agent gets its ' +
            'own operator as sponsor, on plan FREE with 0 credits; the response has the full id of the operator, and a holder ' +
            'key that only this response contains. An agent that is already enrolled returns 409.',
          security: [],
        },
      },
    )
    .put(
      `${PREFIX}/:id/sponsor`,
      ({ principal, params, body, request, once }) =>
        setSponsor(trust, principal, params.id, requestLineOf(request), body, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: SponsorRequest,
        response: responses(
          { 200: PassportResponse },
          agentsErrors.invalid_proof,
          WRITE,
          clockErrors.clock_wrong,
          PUBLIC,
          commonErrors.agent_not_enrolled,
          quotasErrors.quota_exceeded,
          commonErrors.not_found,
          agentsErrors.nonce_reused,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'setSponsor',
          summary: 'Change the sponsor of an agent',
          description:
            'An admin key that no `scope` limits can name any active operator, or null: then admin keys act for the agent. Any other key must name its own ' +
            "operator and send `agent_auth`, the agent's signature (only in the format `digest`) over the digest of `{type: " +
            '"agent-auth", method: "PUT", path, body (without agent_auth), audience, commitment, nonce, expires_at}`, without a ' +
            'query string. Holder keys of the earlier sponsor cannot act for the agent while it has another sponsor or none. While ' +
            'the account of the present sponsor is suspended, only an admin key changes the sponsor (403); an agent of a closed ' +
            'account can leave. ' +
            '`audience` is in `GET /api/v1/public-key`.',
        },
      },
    );

/** Revoking has its own authentication: a key, or only the agent's signature. */
export const agentRevocationRoutes = (trust: Context, { agentAuth }: RouteAuth) =>
  new Elysia({ tags: ['Agents'] })
    .use(agentAuth)
    .post(
      `${PREFIX}/:id/revoke`,
      ({ principal: { principal }, params, body, request, once }) =>
        revokeAgent(trust, principal, params.id, requestLineOf(request), body ?? {}, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: RevokeAgentRequest,
        response: responses(
          {
            200: PassportResponse,
            409: problemOf([commonErrors.invalid_state, agentsErrors.nonce_reused], {
              passport: Type.Optional(PassportResponse),
            }),
          },
          WRITE,
          PUBLIC,
          agentsErrors.invalid_proof,
          commonErrors.agent_not_enrolled,
          commonErrors.not_found,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          'x-optional-body': true,
          operationId: 'revokeAgent',
          summary: 'Revoke an agent',
          description:
            'Permanent, and logged: the agent can no longer enroll, add evidence, spend credits or set its photo, and leaves the ' +
            'leaderboard. HELD engagements are refunded, DELIVERED ones paid when due, and withdrawals paid. A few seconds after the last ' +
            'of them ended, its credits move to the pool of its sponsor. Its earlier evidence and receipts remain. Needs ' +
            'an issuer key of its sponsor that no `scope` limits, an admin key, or `agent_auth` of the agent. A revoked agent can sign no ' +
            'second request: 403 `agent_not_enrolled`.',
          security: [{ apiKey: [] }, { session: [] }, {}],
        },
      },
    );
