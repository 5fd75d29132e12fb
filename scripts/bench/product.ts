import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processorTime } from './processor-time.ts';

/** A running executable of the product: the current build or an older one. */
export interface Product {
  url: string;
  apiKey: string;
  data: string;
  /** The milliseconds from exec until the ready file was written. */
  startedMs: number;
  /** Returns the processor time of all its threads that live, in seconds. */
  processorSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Starts an executable on a data directory. `email`: the address of a staffing partner; its sandbox key
 * becomes the API key.
 */
export async function startProduct(
  executable: string,
  data: string,
  {
    service,
    rateLimits,
    env = {},
  }: { service: 'trust' | 'staffing'; rateLimits: 'on' | 'off'; env?: Record<string, string> },
): Promise<Product> {
  const ready = join(data, 'ready.json');
  rmSync(ready, { force: true });
  const apiKey = `pp_${randomBytes(32).toString('hex')}`;
  const args = ['serve', '--service', service, '--port', '0', '--data', data, '--ready-file', ready];
  const since = performance.now();
  const child = Bun.spawn([executable, ...args, '--rate-limits', rateLimits, '--log-level', 'warn'], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: {
      ...process.env,
      ...env,
      ...(service === 'trust'
        ? { COUNTERSIGN_BOOTSTRAP_API_KEY: apiKey }
        : { COUNTERSIGN_BOOTSTRAP_EMAIL: 'bench@firm.example' }),
    },
  });
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`${executable} did not start`);
    await Bun.sleep(1);
  }
  const startedMs = performance.now() - since;
  const readyFile: { url: string; api_key: string | null } = JSON.parse(readFileSync(ready, 'utf8'));
  return {
    url: readyFile.url,
    apiKey: service === 'trust' ? apiKey : (readyFile.api_key ?? ''),
    data,
    startedMs,
    processorSeconds: () => processorTime(child.pid).all,
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}
