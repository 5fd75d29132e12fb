import type { Running } from '../../test/support/process.ts';

/**
 * Kills a server with SIGKILL when `reached` resolves, while workers load it. @param load the workers; each
 * ends only with an error @throws Error when the server ended before, or refused a request
 */
export async function killUnder(
  server: Running,
  reached: PromiseWithResolvers<void>,
  load: readonly Promise<never>[],
): Promise<void> {
  let killed = false;
  const ended = load.map((worker) =>
    worker.catch((error: unknown) => {
      if (!killed) reached.reject(error);
      return String(error);
    }),
  );
  await reached.promise;
  killed = true;
  const { code } = await server.stop('SIGKILL');
  if (code !== 137) throw new Error(`the kill came too late: the service had ended with ${code}`);
  // A broken connection is the expected effect of a kill; an error response is not.
  const refused = (await Promise.all(ended)).find((message) => / returned /.test(message));
  if (refused !== undefined) throw new Error(refused);
}
