import type { Config } from '../config/setting.ts';
import type { Resolve } from '../network/name-resolver.ts';
import type { RunningService } from '../service-definition.ts';

/** Resolves every name to this machine, so that webhooks of a demonstration do not leave it. */
export const resolveToLoopback: Resolve = async () => ['127.0.0.1'];

/** A receiver for the webhooks of a demonstration. */
interface Receiver {
  /** The URL that it listens on. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Opens a demonstration whose webhooks go to a receiver in this process. The receiver stops with the service.
 * @param open is called with the URL of the receiver, and with settings that allow webhooks to it
 */
export async function openWithReceiver<Service extends RunningService>(
  given: Config,
  open: (url: string, config: Config) => Promise<Service>,
): Promise<Service> {
  const receiver = openReceiver();
  try {
    // The receiver speaks plain http. The demonstration limits webhooks to this machine.
    const service = await open(receiver.url, new Map([...given, ['webhooks.allow_private', 'on']]));
    return {
      ...service,
      async close() {
        await service.close();
        await receiver.stop();
      },
    };
  } catch (error) {
    await receiver.stop();
    throw error;
  }
}

/** Starts a receiver on a free port of this machine. It responds to every webhook with 204. */
function openReceiver(): Receiver {
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
