import type { ApiCall } from '../../../src/platform/demo/api-client.ts';
import { client } from '../client.ts';
import { run, serve } from '../process.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A running service, whose data directory is recorded or was recorded. */
export interface Session {
  data: string;
  url: string;
  /** The content of its ready file. */
  ready: Json;
  ask: ApiCall;
  /** Runs a command on the data directory. @returns stdout */
  command(...args: string[]): Promise<string>;
}

/** Returns the environment variables of settings. */
function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `COUNTERSIGN_${key.replaceAll('.', '_').toUpperCase()}`,
      value,
    ]),
  );
}

/** Runs a command to its end. @returns stdout @throws Error when it fails */
export async function command(args: string[], settings: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await run(args, { env: environment(settings), limitMs: 300_000 });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Serves a data directory while `task` runs, and stops the server in the end. */
export async function served<T>(
  data: string,
  settings: Readonly<Record<string, string>>,
  args: string[],
  task: (session: Session) => Promise<T>,
): Promise<T> {
  const server = await serve(data, environment({ rate_limits: 'off', ...settings }), args);
  try {
    return await task({
      data,
      url: server.url,
      ready: server.ready,
      ask: caller(server.url),
      command: (...words) => command([...words, '--data', data], settings),
    });
  } finally {
    const { code, stderr } = await server.stop();
    if (code !== 0) process.stderr.write(stderr);
  }
}

/** Returns a client that sends requests over the network. A refused request is an error. */
function caller(url: string): ApiCall {
  return async (line, { body, key = null, headers = {} } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await client(fetch, url, key).call(method, path, body, headers);
    if (response.status < 400) return response.body;
    throw new Error(`${line} ${JSON.stringify(body)} is ${response.status} ${JSON.stringify(response.body)}`);
  };
}

/** Waits until a condition holds. @throws Error after a minute */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await holds()); await Bun.sleep(100))
    if (performance.now() > end) throw new Error(`${what}: it never came to hold`);
}

/** Waits until all logs of a trust service were published: their sizes stay the same for some seconds. */
export async function settled({ url }: Session): Promise<void> {
  const sizes = async () => {
    const logs = ['receipts', 'keys', 'revocations', 'evidence', 'accounts'];
    const texts = await Promise.all(
      logs.map(async (log) => (await fetch(`${url}/log/${log}/checkpoint?cosigned=no`)).text()),
    );
    return texts.map((text) => text.split('\n')[1]).join();
  };
  let [last, since] = [await sizes(), performance.now()];
  await until('the logs are published', async () => {
    const now = await sizes();
    if (now !== last) [last, since] = [now, performance.now()];
    return performance.now() - since > 4000;
  });
}
