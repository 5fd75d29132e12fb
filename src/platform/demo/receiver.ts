import type { Config } from '../config/setting.ts';
import type { Resolve } from '../network/name-resolver.ts';
import type { RunningService } from '../service-definition.ts';

/** Every name is this machine: the webhooks of a demonstration stay on it. */
export const resolveToLoopback: Resolve = async () => ['127.0.0.1'];

/** Takes the webhooks of a demonstration. */
interface Receiver {
  /** Where it listens. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Opens a demonstration that sends its webhooks to a receiver in this process, which ends with the service.
 * @param open is called with the URL of the receiver, and with the settings by which webhooks may be sent to it
 */
export async function openWithReceiver(
  given: Config,
  open: (url: string, config: Config) => Promise<RunningService>,
): Promise<RunningService> {
  const receiver = openReceiver();
  try {
    // Plain http is what the receiver speaks; where webhooks may go is limited to this machine.
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

/** Listens on a free port of this machine and answers every webhook with 204. */
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
