import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { asFailure, Failure } from '../failure.ts';
import type { Handler } from './action.ts';

/** Returns the path of the control socket in a data directory. */
export function controlSocket(directory: string): string {
  return join(directory, 'control.sock');
}

export interface Control {
  stop(): Promise<void>;
}

/**
 * Serves the commands of the same user on this machine: `POST /<action>` with JSON on a Unix socket in the
 * data directory. No other user can connect: the socket has mode 0600, and its directory always has 0700.
 * @param otherwise the response to an action that is not one of `actions`; by default, that it is not known
 */
export function openControl<Context>(
  directory: string,
  context: Context,
  actions: readonly Handler<Context>[],
  log: Logger,
  otherwise: Failure | null = null,
): Control {
  const socket = controlSocket(directory);
  // A killed process leaves its socket. The process with the directory's lock may remove it.
  rmSync(socket, { force: true });
  const server = Bun.serve({
    unix: socket,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      const action = actions.find((known) => known.name === name);
      if (action === undefined) {
        const { message, hint } =
          otherwise ??
          new Failure(
            `the running countersign does not know the action ${name}`,
            'restart it with the version of this command',
          );
        return Response.json({ error: message, hint }, { status: 404 });
      }
      try {
        const input: unknown = await request.json();
        if (!action.isPolled) log.info({ action: name, ...action.logged?.(input) }, 'control');
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
