/** A request whose headers have arrived, and whose body arrives when `arrive` is called. */
export interface LateBody {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the body is being read: all earlier checks are done by then. */
  awaited: Promise<void>;
  arrive(): void;
}

/** A body that keeps its reader waiting. */
export function lateBody(text: string): LateBody {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        resolve();
        await arrival;
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    // The stream pulls nothing before it is read.
    { highWaterMark: 0 },
  );
  return { body, awaited, arrive };
}

/** A request whose body is held back. */
export interface HeldRequest {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

/**
 * Sends headers, does `meanwhile` once they were let in, and then sends the body.
 * @returns status and parsed body
 */
export async function duringTheRequest(
  fetch: (request: Request) => Promise<Response>,
  { method, path, body, headers }: HeldRequest,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const late = lateBody(JSON.stringify(body));
  const answer = fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: late.body,
    }),
  );
  await late.awaited;
  await meanwhile();
  late.arrive();
  const response = await answer;
  return { status: response.status, body: Object(await response.json()) };
}
