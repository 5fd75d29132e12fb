import { Failure } from '../failure.ts';
import type { App } from './app.ts';

/** Above the bodies that are taken, so that refusing one is ours to answer; the runtime's own refusal has no body. */
const BACKSTOP_BYTES = 64 * 1024 * 1024;

export interface Server {
  /** Where this machine reaches it. */
  url: string;
  /** Hands over to the application; requests that came before wait for it. */
  answer(app: App): void;
  /** Takes no more requests, waits for those under way for at most `graceMs`, and closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/** Listens on `host` and `port` (0 takes a free one), alone: two processes never share a port. @throws Failure */
export function listen(host: string, port: number): Server {
  const { promise: ready, resolve: answer } = Promise.withResolvers<App>();
  let running = 0;
  let whenIdle: (() => void) | null = null;
  const server = bind(host, port, async (request) => {
    running += 1;
    try {
      return await (await ready).fetch(request);
    } finally {
      running -= 1;
      if (running === 0) whenIdle?.();
    }
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${server.port}`,
    answer,
    async stop(graceMs) {
      const stopped = server.stop();
      if (running > 0) {
        await Promise.race([new Promise<void>((resolve) => (whenIdle = resolve)), Bun.sleep(graceMs)]);
        // The last answer is on its way out when its handler has returned.
        await Promise.race([stopped, Bun.sleep(50)]);
      }
      await server.stop(true);
    },
  };
}

function bind(hostname: string, port: number, fetch: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname,
      port,
      reusePort: false,
      idleTimeout: 30,
      maxRequestBodySize: BACKSTOP_BYTES,
      fetch,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new Failure(
        `port ${port} of ${hostname} is in use`,
        'name another with --port; 0 takes a free one',
      );
    throw new Failure(
      `cannot listen on ${hostname}:${port}: ${error instanceof Error ? error.message : error}`,
      'see --host and --port',
    );
  }
}
