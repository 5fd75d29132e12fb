/** A request that a receiver received. */
interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = (received: ReceivedRequest, request: Request) => Response | Promise<Response>;

/** An external server that receives webhooks. */
export interface Receiver {
  port: number;
  /** In the order of arrival. */
  received: ReceivedRequest[];
  /** Waits until this number of requests has arrived. */
  waitForRequest(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a receiver on a port of 127.0.0.1 (or of another address, with a certificate, where these are
 * given).
 */
export function receiver(
  answer: Answer,
  where: { hostname?: string; port?: number; tls?: { cert: string; key: string } } = {},
): Receiver {
  const received: ReceivedRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    ...where,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const one = {
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      received.push(one);
      for (const { resolve } of waiting.filter(({ count }) => received.length >= count)) resolve();
      return answer(one, request);
    },
  });
  return {
    port: server.port ?? 0,
    received,
    waitForRequest: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    stop: () => server.stop(true),
  };
}
