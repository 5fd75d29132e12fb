import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { asFailure } from '../failure.ts';
import type { Handler } from './action.ts';

/** The socket's place in a data directory. */
export function controlSocket(directory: string): string {
  return join(directory, 'control.sock');
}

export interface Control {
  stop(): Promise<void>;
}

/**
 * Answers the commands of this machine's same user, beside the service: `POST /<action>` with JSON on a socket in the data
 * directory, which nobody else can reach (mode 0600, and until it is the umask's, in a directory of mode 0700).
 */
export function openControl<Context>(
  directory: string,
  context: Context,
  actions: readonly Handler<Context>[],
  log: Logger,
): Control {
  const socket = controlSocket(directory);
  // Left by a process that was killed: whoever holds the directory's lock owns the name.
  rmSync(socket, { force: true });
  const server = Bun.serve({
    unix: socket,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      const action = actions.find((known) => known.name === name);
      if (action === undefined) {
        return Response.json(
          { error: `the running countersign knows no ${name}`, hint: null },
          { status: 404 },
        );
      }
      try {
        const input: unknown = await request.json();
        log.info({ action: name }, 'control');
        return Response.json({ result: await action.handle(context, input) });
      } catch (error) {
        const { message, hint, exitCode } = asFailure(error);
        return Response.json({ error: message, hint, exitCode }, { status: 400 });
      }
    },
  });
  chmodSync(socket, 0o600);
  return { stop: () => server.stop() };
}
