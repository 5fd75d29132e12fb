import { Elysia } from 'elysia';
import { NotModified } from '../../platform/http/schema.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { REPUTATION_CONTEXT_PATH, STATUS_LIST_PATH } from '../../proof/credential/contexts.ts';
import { CommitmentPath } from '../agents/schema.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { CredentialCache } from './cache.ts';
import { credentialsErrors } from './errors.ts';
import { getStatusList, type StatusListContext } from './get-status-list.ts';
import { getCredential, type IssueContext } from './issue.ts';
import { reputationContext } from './reputation-context.ts';
import { type RevokeContext, revokeCredential } from './revoke.ts';
import {
  ContextText,
  CredentialIdPath,
  CredentialText,
  RevokeCredentialRequest,
  RevokedCredential,
  StatusListPath,
  StatusListText,
} from './schema.ts';
import { CACHING, CONTEXT_HEADERS, isNotModified, sendContext } from './signed-text.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  signer: Signer;
  log: TrustLog;
  clockWatch: ClockWatch;
  url: string | null;
  credentialCache: CredentialCache;
  readOnly: boolean;
}

/** The parts of the service that the routes of credentials use. */
type CredentialContext = IssueContext & StatusListContext & RevokeContext;

export const credentialRoutes = (trust: CredentialContext & Context, { open, keyed }: RouteAuth) =>
  new Elysia({ tags: ['Credentials'] })
    .use(open)
    .use(keyed)
    .get(
      '/api/v1/credentials/:commitment',
      async ({ params: { commitment }, request, set, status }) => {
        const known = getCredential(trust, commitment);
        const signed = known instanceof Promise ? await known : known;
        return isNotModified(signed, request, set.headers) ? status(304, undefined) : signed.json;
      },
      {
        open: 'publicReads',
        params: CommitmentPath,
        response: responses(
          { 200: CredentialText, 304: NotModified },
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          commonErrors.agent_not_enrolled,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getReputationCredential',
          'x-answer-headers': CACHING,
          summary: "Get an agent's reputation as a W3C credential",
          description:
            'A Verifiable Credential (VC Data Model 2.0) with a Data Integrity proof of the cryptosuite `eddsa-jcs-2022`. Any verifier ' +
            'of these standards accepts it without this service. The issuer is the did:web of the service, whose document is at ' +
            '`/.well-known/did.json`, or its did:key if it has no public https host. Valid for 24 hours. The same credential is ' +
            'returned until the numbers of the agent change, 12 hours pass, it is revoked or the key changes. `checkpoint` cites ' +
            'published checkpoints, so that a reader can audit the numbers. If the newest leaf of the agent is in no checkpoint yet, ' +
            'the response waits for it, about a second. A revoked agent returns 403, and all its credentials count as revoked.',
          security: [],
        },
      },
    )
    .get(
      `${STATUS_LIST_PATH}:list`,
      async ({ params: { list }, request, set, status }) => {
        const signed = await getStatusList(trust, Number(list));
        return isNotModified(signed, request, set.headers) ? status(304, undefined) : signed.json;
      },
      {
        open: 'publicReads',
        params: StatusListPath,
        response: responses(
          { 200: StatusListText, 304: NotModified },
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          commonErrors.not_found,
          credentialsErrors.status_list_ended,
        ),
        detail: {
          operationId: 'getStatusList',
          'x-answer-headers': CACHING,
          summary: 'Get a status list of credentials',
          description:
            'A BitstringStatusListCredential (W3C Bitstring Status List) of purpose `revocation`, signed like the credentials in it, and ' +
            'by the same key, also after its retirement. The bit at the `statusListIndex` of a credential is 1 once the credential or ' +
            'its agent is revoked. A list has 131,072 entries; at most half are used, at random positions. Cacheable for one ' +
            'minute. 410 after the last credential of a list whose key is retired, and if its key was reported as compromised.',
          security: [],
        },
      },
    )
    .post(
      '/api/v1/credentials/:id/revoke',
      ({ principal, params, body, once }) =>
        revokeCredential(trust, principal, params.id, body?.reason ?? null, once),
      {
        keyed: 'issuer',
        params: CredentialIdPath,
        body: RevokeCredentialRequest,
        response: responses(
          { 200: RevokedCredential },
          WRITE,
          commonErrors.not_found,
          commonErrors.invalid_state,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          'x-optional-body': true,
          operationId: 'revokeCredential',
          summary: 'Revoke a credential',
          description:
            'Needs an admin key. Permanent: the status list shows it with its next response, and clients that cache the list within a ' +
            'minute. Only this credential is revoked: the next request for a credential of the same agent gets a new one. To end all ' +
            'of them, revoke the agent.',
        },
      },
    )
    .get(REPUTATION_CONTEXT_PATH, ({ set }) => sendContext(set.headers, reputationContext()), {
      open: 'free',
      response: responses({ 200: ContextText }, commonErrors.validation_error),
      detail: {
        operationId: 'getReputationContext',
        'x-answer-headers': CONTEXT_HEADERS,
        summary: 'Get the JSON-LD context of credentials',
        description: 'Defines every term of credentials about reputations, version 1. It never changes.',
        security: [],
      },
    });
