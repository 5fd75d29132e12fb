import { Elysia } from 'elysia';
import type { TrustAuth } from '../auth.ts';
import type { TrustContext } from '../context.ts';
import { BODY, PUBLIC, problemOf, responses, STORED, WRITE } from '../http/schema.ts';
import { completeEnrollment, startEnrollment } from './enrollment/enroll.ts';
import { provisionAgent, startProvisioning } from './enrollment/provision.ts';
import { requestLineOf } from './management/agent-auth.ts';
import { createHolderKey } from './management/holder-keys.ts';
import { revokeAgent, setAgentName, setSponsor } from './management/management.ts';
import { setPresentation } from './management/presentation.ts';
import { getPassport } from './passport.ts';
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

const PREFIX = '/api/v1/passport/agents';

/** The API key is optional: it says who sponsors the agent. */
const KEY_OR_NOTHING = [{}, { apiKey: [] }];

export const agentRoutes = (trust: TrustContext, { keyed, open, identified, callerOf }: TrustAuth) =>
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
        response: responses({ 200: StartResponse }, WRITE, PUBLIC, 'quota_exceeded'),
        detail: {
          operationId: 'startEnrollment',
          summary: 'Begin an enrollment',
          description:
            'Answers a nonce that the agent signs with its key within five minutes. The subject commitment, by which the agent is ' +
            'known from then on, is SHA-256 of `agent-id:<public_key>:<context>`. The operator whose key comes along sponsors the ' +
            'agent: it answers for it, and issues its receipts. At most five challenges of one caller (the key, else the address) wait for a ' +
            'commitment at a time; a start touches no other. The nonce is `chal_` and base64url of the canonical JSON of `{purpose: "enroll", ' +
            'host, subject_commitment, expires_at, random}`. The host is that of the service: sign for no other. Keys of small or mixed order and what is no canonical point of the curve are refused, and so is a revoked agent.',
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
          'invalid_proof',
          WRITE,
          PUBLIC,
          'quota_exceeded',
          'challenge_not_found',
          'challenge_expired',
        ),
        detail: {
          operationId: 'completeEnrollment',
          summary: 'Complete an enrollment',
          description:
            "The example's signature is a placeholder, since each challenge needs its own: `countersign enroll URL --key FILE` starts and completes an enrollment. " +
            "The agent's signature over the UTF-8 of the nonce. Send the nonce as `challenge_nonce`; without it the caller's challenges " +
            'are tried, then the newest of others. 201 with the passport; 200 with the same passport for an agent that is enrolled ' +
            'already. A challenge is good once: a second time is 404, and after its end 410, for ten minutes. The sponsor is the ' +
            'operator whose key was on start, else the one whose key is on this call; two different are 403, and so is a challenge whose key ' +
            'on start was deleted since.',
          security: KEY_OR_NOTHING,
        },
      },
    )
    .get(`${PREFIX}/:id/passport`, ({ params }) => getPassport(trust, params.id), {
      open: 'publicReads',
      params: AgentPath,
      response: responses({ 200: PassportResponse }, PUBLIC, 'not_found', 'storage_unavailable'),
      detail: {
        operationId: 'getPassport',
        summary: "An agent's passport",
        description:
          'As the agent stands now, signed by the key of purpose `credentials` over the 64 characters of content_hash. ' +
          'A revoked agent keeps its passport, with the state REVOKED.',
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
          'invalid_proof',
          'agent_not_enrolled',
          WRITE,
          PUBLIC,
          'quota_exceeded',
          'conflict',
          'nonce_reused',
        ),
        detail: {
          operationId: 'setPresentation',
          summary: 'Set or clear the photo of an agent',
          description:
            "The agent's signature is the authority: over the digest of the object with the four members subject_commitment, photo_url, " +
            'photo_content_sha256 and photo_mime_type. Its 32 raw bytes, or JSON sorted at the top alone, are accepted as well. ' +
            '`photo_url: null` clears the photo; the signed object then has null for all three. What the agent once presented and ' +
            "replaced, a cleared photo among it, is a 409 without `agent_auth`, the agent's holder key or its sponsor's: anybody may have " +
            'kept that signature.',
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
          'invalid_proof',
          'agent_not_enrolled',
          WRITE,
          PUBLIC,
          'quota_exceeded',
          'nonce_reused',
        ),
        detail: {
          operationId: 'setAgentName',
          summary: 'Give an agent another name',
          description:
            "By an issuer key of the agent's sponsor (an admin key while it has none), or by `agent_auth`. The name follows the rule of " +
            'enroll/start; null takes it away. The passport is signed anew when it is asked for.',
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
          'invalid_proof',
          'agent_not_enrolled',
          'forbidden',
          'quota_exceeded',
          'conflict',
          'nonce_reused',
        ),
        detail: {
          operationId: 'createHolderKey',
          summary: 'Make a holder key for the agent itself',
          description:
            "The example's `agent_auth` is a placeholder, since each call needs its own: `countersign authorize` makes one. " +
            "By `agent_auth`: the way back for an agent that lost its holder key. The key belongs to the agent's sponsor and spends within " +
            'what all of its holder keys for the agent may spend. An agent without a sponsor gets an operator of its own, on plan FREE with an ' +
            'empty pool. Any other sponsor makes the first holder key itself, by `POST /api/v1/operator/api-keys`; while there is none, also ' +
            'because it deleted them all, this is 403. With five holder keys it takes `revoke_others`, which ends the others at once.',
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
          summary: 'Ask for work, to enroll without a sponsor',
          description:
            'A nonce for two minutes, good once, and how many zeros the SHA-256 of `challenge_nonce:pow_nonce` has to begin with. ' +
            'The nonce says `purpose: "autonomous"`, the host of the service, and null for subject_commitment. At most five of one ' +
            'address wait for a key at a time. ' +
            '`countersign solve` does the work.',
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
          'invalid_proof',
          'forbidden',
          'quota_exceeded',
          'challenge_not_found',
          'conflict',
          'challenge_expired',
        ),
        detail: {
          operationId: 'provisionAgent',
          summary: 'Enroll without a sponsor, by proof of work',
          description:
            "The example's work and signature are placeholders, since each challenge needs its own: `countersign solve URL --key FILE` does the work and signs it. " +
            'Proof of work, then proof of possession. The agent gets an operator of its own, on plan FREE with an empty pool, which ' +
            'sponsors it and whose whole id is in the answer, and a holder key, which is shown this once. An agent that is enrolled already is a 409.',
          security: [],
        },
      },
    )
    .post(
      `${PREFIX}/:id/revoke`,
      ({ principal, params, body, once }) =>
        revokeAgent(trust, principal, params.id, body?.reason ?? null, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: RevokeAgentRequest,
        response: responses(
          { 200: PassportResponse, 409: problemOf(['invalid_state'], { passport: PassportResponse }) },
          WRITE,
          'not_found',
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          'x-optional-body': true,
          operationId: 'revokeAgent',
          summary: 'Revoke an agent',
          description:
            'For ever: it cannot enroll again, bring evidence or present itself, and it leaves the leaderboard. What it did stays. ' +
            "By its sponsor's key or an admin key.",
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
          'invalid_proof',
          WRITE,
          PUBLIC,
          'agent_not_enrolled',
          'quota_exceeded',
          'not_found',
          'nonce_reused',
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'setSponsor',
          summary: 'Give an agent another sponsor',
          description:
            'An admin key names whichever operator, or null: then admin keys speak for the agent. Any other key names its own operator, ' +
            'and brings `agent_auth`, the agent\'s signature (strict reading alone) over the digest of `{type: "agent-auth", method: "PUT", ' +
            "path, body (without agent_auth), audience, commitment, nonce, expires_at}`, without a query string. The former sponsor's " +
            'holder keys speak for it no more. `audience` is in `GET /api/v1/public-key`.',
        },
      },
    );
