import type { Resolve } from '../names.ts';

/** Every name is this machine: the webhooks of a demonstration stay on it. */
export const onThisMachine: Resolve = async () => ['127.0.0.1'];

/** Takes the webhooks of a demonstration. */
export interface Receiver {
  /** Where it listens. */
  url: string;
  stop(): Promise<void>;
}

/** Listens on a free port of this machine and answers every webhook with 204. */
export function openReceiver(): Receiver {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer();
      return new Response(null, { status: 204 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/webhooks`, stop: () => server.stop(true) };
}
