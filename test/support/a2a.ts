import { client, type Fetch } from './client.ts';

export const A2A = '/api/v1/a2a/tasks';

type Json = Record<string, unknown>;

/** Returns a client of the A2A endpoint with a key. */
export function a2aClient(fetch: Fetch, url: string, key: string | null) {
  const { post } = client(fetch, url, key);
  const call = async (method: string, params: Json, id: unknown = 1): Promise<Json> => {
    const { body } = await post(A2A, { jsonrpc: '2.0', id, method, params });
    return body;
  };
  return {
    post: (body: unknown, headers: Record<string, string> = {}) => post(A2A, body, headers),
    call,
    /** The result of a call. @throws for an error */
    async result(method: string, params: Json): Promise<Json> {
      const body = await call(method, params);
      if (body.result === undefined) throw new Error(`${method} failed: ${JSON.stringify(body)}`);
      return Object(body.result);
    },
    /** The code of a call's error; null for a result. */
    async code(method: string, params: Json): Promise<unknown> {
      return Object((await call(method, params)).error).code ?? null;
    },
    /** Sends a message by 1.0. @returns the task */
    async send(parts: Json[], more: Json = {}, params: Json = {}): Promise<Json> {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...more };
      const body = await call('SendMessage', { message, ...params });
      const { task } = Object(body.result);
      if (task === undefined) throw new Error(`it was not sent: ${JSON.stringify(body)}`);
      return task;
    },
  };
}
