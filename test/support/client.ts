export const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Returns a valid request to issue a receipt, with some members changed; undefined removes a member. */
export function issueBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    agent_id: 'agent-7',
    receipt_type: 'custody',
    input_digest: DIGEST,
    authority_scope: 'payments:read',
    expiry: '2036-01-31T12:00:00Z',
    domain: 'CODE_GENERATION',
    ...changes,
  };
}

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** A function that sends HTTP requests: the network's fetch, or the application in this process. */
export type Fetch = (request: Request) => Promise<Response>;

/** Returns a client with a key. It sends a string body unchanged. */
export function client(fetch: Fetch, url: string, key: string | null) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<ApiResponse> => {
    const headers: Record<string, string> = { 'content-type': 'application/json', ...more };
    if (key !== null) headers.authorization = `Bearer ${key}`;
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(new Request(`${url}${path}`, init));
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  };
  return {
    key,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown, more?: Record<string, string>) => call('POST', path, body, more),
    issue: (changes?: Record<string, unknown>) => call('POST', '/api/v1/receipts', issueBody(changes)),
    finalize: (id: unknown, body: unknown) => call('POST', `/api/v1/receipts/${id}/finalize`, body),
    revoke: (id: unknown, body?: unknown) => call('POST', `/api/v1/receipts/${id}/revoke`, body),
  };
}

/** A receipt's members as strings. */
export function strings(body: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

/** Runs `task` for every item, `width` at a time, in order of arrival. */
export async function concurrently<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/**
 * Runs `body` while `load` runs, and waits for both, even when one of them fails. Without that, the load of a
 * test that failed, or whose server was ended by the test's time limit, fails while another test runs.
 * @param load ends soon after `isOver` returns true
 * @throws the error of the body, else that of the load
 */
export async function underLoad<Body, Load>(
  load: (isOver: () => boolean) => Promise<Load>,
  body: () => Promise<Body>,
): Promise<[Body, Load]> {
  let isOver = false;
  const [ofBody, ofLoad] = await Promise.allSettled([
    body().finally(() => {
      isOver = true;
    }),
    load(() => isOver),
  ]);
  if (ofBody.status === 'rejected') throw ofBody.reason;
  if (ofLoad.status === 'rejected') throw ofLoad.reason;
  return [ofBody.value, ofLoad.value];
}
