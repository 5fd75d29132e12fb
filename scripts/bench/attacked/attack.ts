import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { EXECUTABLE } from '../../build.ts';
import type { LoadResult } from '../wrk.ts';

/** The number of free payers, each of which attacks with its own key. */
export const FREE = 100;

/** A request of an attacker. It may be refused: then the service says no a hundred times at once. */
export interface Attack {
  name: string;
  method?: string;
  path: string;
  body?: JsonObject;
}

/** The executable as a service on one core, with what an attacker can store in it. */
export interface AttackedService {
  name: 'trust' | 'staffing';
  url: string;
  /** What the victim does. */
  victim: Pick<LoadResult, 'url' | 'script' | 'env'>;
  /** The keys of free payers, of which the attacks use the first for what it owns. */
  keys: readonly string[];
  /** The requests that cost most, and some that cost nearly nothing. */
  attacks: readonly Attack[];
  /** The paths of its OpenAPI documents. */
  documents: readonly string[];
  stop(): Promise<void>;
}

/** Starts a service on the first core, its data in a new directory. @returns what its ready file says */
export async function startOnFirstCore(
  service: AttackedService['name'],
  directory: string,
  settings: Record<string, string>,
): Promise<{ ready: Record<string, unknown>; stop(): Promise<void> }> {
  const file = join(directory, `${service}.json`);
  const serve = [EXECUTABLE, 'serve', '--service', service, '--port', '0', '--ready-file', file];
  const child = Bun.spawn(
    ['taskset', '-c', '0', ...serve, '--data', join(directory, service), '--log-level', 'fatal'],
    { stdout: 'ignore', stderr: 'inherit', env: { ...process.env, ...settings } },
  );
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    await Bun.sleep(5);
  }
  return {
    ready: Object(JSON.parse(readFileSync(file, 'utf8'))),
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** Sends a body as JSON. @returns the response @throws Error for a status other than 200 and 201 */
export async function posted(url: string, body: JsonObject, key?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.status !== 201 && response.status !== 200)
    throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return Object(await response.json());
}
