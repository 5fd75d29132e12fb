import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import { responseWith } from '../../../platform/http/send-together.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ENDPOINT } from './card/card.ts';
import { callerOf, handleRpc, readRpcBody } from './rpc/endpoint.ts';
import type { RpcContext } from './rpc/methods.ts';
import { RpcRequestBody, RpcResponseBody } from './schema.ts';

const OnlyNotifications = Type.Undefined({
  description: 'All calls are notifications.',
  'x-no-content': true,
});
/** Proxies such as nginx must not collect the events of a stream. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export const taskRoutes = (trust: RpcContext, auth: RouteAuth) =>
  new Elysia({ tags: ['A2A'] }).post(
    ENDPOINT,
    async ({ request, set }) => {
      const { headers } = set;
      const caller = await callerOf(auth, request, headers);
      const body = await readRpcBody(request);
      const response = await handleRpc({ trust, auth, request, headers, caller, body });
      if (response === null) return new Response(null, { status: 204 });
      if (response instanceof ReadableStream) return new Response(response, { headers: STREAM_HEADERS });
      return responseWith(response, { headers: { 'content-type': 'application/json' } });
    },
    {
      // The handler reads the body, after it has looked at the key.
      parse: 'none',
      body: RpcRequestBody,
      response: { 200: written(RpcResponseBody), 204: OnlyNotifications },
      detail: { operationId: 'callA2a', security: [{ apiKey: [] }, { session: [] }, {}] },
    },
  );
