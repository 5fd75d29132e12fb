import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { isNotModified } from '../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../../platform/http/schema.ts';
import { cachedByKeys } from '../../agents/dids/cached-by-keys.ts';
import { commonErrors } from '../../http/errors.ts';
import { responses, WRITE } from '../../http/schema.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { type CardForm, ENDPOINT } from './card/card.ts';
import { signedCard } from './card/sign-card.ts';
import { callerOf, handleRpc, readRpcBody } from './rpc/endpoint.ts';
import type { RpcContext } from './rpc/methods.ts';
import { AgentCardResponse, RpcRequestBody, RpcResponseBody } from './schema.ts';

/** The parts of the service that the card uses. */
interface CardContext {
  signer: Signer;
  url: string | null;
  readOnly: boolean;
}

const CACHING = 'public, max-age=300';
const OnlyNotifications = Type.Undefined({
  description: 'All calls are notifications.',
  'x-no-content': true,
});
const CACHED = {
  ETag: ETAG_HEADER,
  'Cache-Control': 'Five minutes.',
};

export const cardRoutes = (trust: CardContext, { open }: RouteAuth, version: string) => {
  const card = (form: CardForm) =>
    cachedByKeys(trust, () => signedCard(trust, { url: trust.url ?? '', version }, form));
  const cards = { '0.3': card('0.3'), '1.0': card('1.0') };
  return new Elysia({ tags: ['A2A'] })
    .use(open)
    .get(
      '/.well-known/agent.json',
      ({ request, set, status }) => {
        const { json, etag } = cards['0.3']();
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        response: responses(
          { 200: written(AgentCardResponse), 304: NotModified },
          commonErrors.validation_error,
        ),
        detail: {
          operationId: 'getAgentCardOf03',
          'x-answer-headers': CACHED,
          summary: 'Get the agent card of A2A 0.3',
          description:
            'The card with the security schemes of A2A 0.1 to 0.3. It also has the members of 1.0 that these versions do not know. It is ' +
            'signed as a whole (JWS, EdDSA, detached, canonical JSON without `signatures`) by a key of `/.well-known/jwks.json`.',
          security: [],
        },
      },
    )
    .get(
      '/.well-known/agent-card.json',
      ({ request, set, status }) => {
        const isOlder = /^0\./.test(request.headers.get('a2a-version')?.trim() ?? '');
        const { json, etag } = cards[isOlder ? '0.3' : '1.0']();
        set.headers.vary = 'A2A-Version';
        if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
        set.headers['content-type'] = 'application/json';
        return json;
      },
      {
        open: 'free',
        response: responses(
          { 200: written(AgentCardResponse), 304: NotModified },
          commonErrors.validation_error,
        ),
        detail: {
          operationId: 'getAgentCard',
          'x-answer-headers': { ...CACHED, Vary: '`A2A-Version`.' },
          summary: 'Get the agent card',
          description:
            'The card of A2A 1.0, which also has the members of 0.3. With the header `A2A-Version: 0.3` it is the card of ' +
            '`/.well-known/agent.json`. The first signature covers the members of 1.0 as the SDKs canonicalize them, the second the ' +
            'whole document; both are JWS (EdDSA, detached, RFC 8785) by a key of `/.well-known/jwks.json`.',
          security: [],
        },
      },
    );
};

export const taskRoutes = (trust: RpcContext, auth: RouteAuth) =>
  new Elysia({ tags: ['A2A'] }).post(
    ENDPOINT,
    async ({ request, set, status }) => {
      const { headers } = set;
      const caller = await callerOf(auth, request, headers);
      const body = await readRpcBody(request);
      const response = await handleRpc({ trust, auth, request, headers, caller, body });
      if (response === null) return status(204, undefined);
      headers['content-type'] = 'application/json';
      return response;
    },
    {
      // The handler reads the body, after it has looked at the key.
      parse: () => null,
      body: RpcRequestBody,
      response: responses(
        { 200: written(RpcResponseBody), 204: OnlyNotifications },
        WRITE,
        commonErrors.agent_not_enrolled,
        commonErrors.rate_limit_exceeded,
      ),
      detail: {
        operationId: 'callA2a',
        summary: 'Call the agent by A2A (JSON-RPC 2.0)',
        description:
          'The endpoint of the agent card. The method names the generation of the protocol, and the response has its shapes: `tasks/send`, ' +
          '`tasks/get`, `tasks/cancel`, `tasks/list` (0.1; `tasks/…` also 0.3); `message/send` (0.2, 0.3); `SendMessage`, `GetTask`, ' +
          '`ListTasks`, `CancelTask` (1.0). A message names a skill of the card by the member `skill` of a data part or of the ' +
          'metadata, or by plain words; what is missing is asked for (`input-required`). A repeated message (same messageId and content, ' +
          'within 24 hours) returns its task and does nothing again; `Idempotency-Key` has no effect. A batch has at most 50 ' +
          'calls; after 4 MiB of results (those of calls without an id included) or 10 seconds, the others are not run (reason ' +
          '`BATCH_TOO_LARGE`). No call of a batch is begun after the client has disconnected. `totalSize` of a list is exact up to ' +
          '1,000, and 1,001 for more.\n\n' +
          'Sending, cancelling and listing need a key, which may do what it may do over REST. Getting a task needs none for the ' +
          "service's own ids (`a2a_…`): then it shows the state and the escrow. Errors of a call travel with status 200: −32700 invalid " +
          'JSON, −32600 invalid call, −32601 unknown method, −32602 wrong params, −32001 unknown task, −32002 task cannot be canceled, ' +
          '−32003 no push notifications, −32004 unsupported (streaming, a message to an ended task), −32005 files, −32007 no ' +
          'extended card, −32009 unknown A2A-Version, −32010 too many writes, −32000 refused otherwise. Tasks are deleted after `a2a.keep_tasks_days`.',
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );
