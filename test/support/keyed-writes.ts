import type { TrustApp } from './trust-app.ts';

type Caller = TrustApp['own'];

/**
 * Returns all operations of the OpenAPI document that may have a key and are not GET: `POST
 * /api/v1/receipts`.
 */
export async function keyedWrites({ anyone }: TrustApp): Promise<string[]> {
  const { paths } = Object((await anyone.get('/openapi.json')).body);
  return Object.entries(Object(paths)).flatMap(([path, operations]) =>
    Object.entries(Object(operations))
      // A route that asks for no key has an empty list; one that says nothing takes those of the document.
      .filter(([method, operation]) => method !== 'get' && Object(operation).security?.length !== 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** Sends writes with an empty body, about `id`. @returns those that are not refused with a code, sorted */
export async function writesNotRefused(
  caller: Caller,
  writes: readonly string[],
  id: string,
  code: string,
): Promise<string[]> {
  const open: string[] = [];
  for (const write of writes) {
    const [method = '', template = ''] = write.split(' ');
    const path = template.replaceAll(/\{\w+\}/g, id);
    // The method of the call decides what the endpoint of A2A requires.
    const sent = template === '/api/v1/a2a/tasks' ? { jsonrpc: '2.0', id: 1, method: 'SendMessage' } : {};
    const { body } = await caller.call(method, path, method === 'DELETE' ? undefined : sent);
    // OTLP has errors of its own, whose message begins with the code.
    if ((body.reason_code ?? String(body.message).split(':')[0]) !== code) open.push(write);
  }
  return open.sort();
}
