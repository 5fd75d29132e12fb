import { Elysia } from 'elysia';
import { NotModified } from '../../platform/http/schema.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import {
  REPUTATION_CONTEXT_PATH,
  REPUTATION_CONTEXT_V1_PATH,
  STATUS_LIST_PATH,
} from '../../proof/credential/contexts.ts';
import { CommitmentPath } from '../agents/schema.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { CredentialCache } from './cache.ts';
import { getReputationCredential } from './get-reputation-credential.ts';
import { getStatusList, type StatusListContext } from './get-status-list.ts';
import type { IssueContext } from './issue.ts';
import { reputationContext, reputationContextV1 } from './reputation-context.ts';
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

type CredentialContext = IssueContext & StatusListContext & RevokeContext;

export const credentialRoutes = (trust: CredentialContext & Context, { open, operating }: RouteAuth) =>
  new Elysia({ tags: ['Credentials'] })
    .use(open)
    .use(operating)
    .get(
      '/api/v1/credentials/:commitment',
      async ({ params: { commitment }, request, set, status }) => {
        const known = getReputationCredential(trust, commitment);
        const signed = known instanceof Promise ? await known : known;
        return isNotModified(signed, request, set.headers) ? status(304, undefined) : signed.json;
      },
      {
        open: 'publicReads',
        params: CommitmentPath,
        response: { 200: CredentialText, 304: NotModified },
        detail: { operationId: 'getReputationCredential', 'x-response-headers': CACHING, security: [] },
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
        response: { 200: StatusListText, 304: NotModified },
        detail: { operationId: 'getStatusList', 'x-response-headers': CACHING, security: [] },
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
        response: { 200: RevokedCredential },
        detail: { operationId: 'revokeCredential', 'x-idempotent': true, 'x-optional-body': true },
      },
    )
    .get(REPUTATION_CONTEXT_PATH, ({ set }) => sendContext(set.headers, reputationContext()), {
      open: 'free',
      response: { 200: ContextText },
      detail: { operationId: 'getReputationContext', 'x-response-headers': CONTEXT_HEADERS, security: [] },
    })
    .get(REPUTATION_CONTEXT_V1_PATH, ({ set }) => sendContext(set.headers, reputationContextV1()), {
      open: 'free',
      response: { 200: ContextText },
      detail: { operationId: 'getReputationContextV1', 'x-response-headers': CONTEXT_HEADERS, security: [] },
    });
