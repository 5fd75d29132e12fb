import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { type Load, loadOf } from './server-process.ts';

/** A running executable of the product, the one that is built here or an older one. */
export interface Product {
  url: string;
  apiKey: string;
  data: string;
  /** Milliseconds from exec until its ready file was written. */
  startedMs: number;
  stop(): Promise<void>;
}

/** A data directory of its own, on the disk of the checkout. */
export function newData(): string {
  return mkdtempSync(join(ROOT, 'dist', 'bench-'));
}

/** Starts an executable on a data directory. `email`: of a staffing partner, whose sandbox key is then the API key. */
export async function startProduct(
  executable: string,
  data: string,
  { service, rateLimits }: { service: 'trust' | 'staffing'; rateLimits: 'on' | 'off' },
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
  const told: { url: string; api_key: string | null } = JSON.parse(readFileSync(ready, 'utf8'));
  return {
    url: told.url,
    apiKey: service === 'trust' ? apiKey : (told.api_key ?? ''),
    data,
    startedMs,
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** What wrk sends: over how many connections, for how long, by which script of this directory, with which environment. */
export interface Shot {
  url: string;
  connections: number;
  seconds: number;
  script?: string;
  env?: Record<string, string>;
  /** Whether answers other than 2xx count as well. */
  anyStatus?: boolean;
}

/** Runs wrk to its end, with one thread. @throws Error when an answer was not 2xx and should be */
export async function shoot({
  url,
  connections,
  seconds,
  script,
  env = {},
  anyStatus = false,
}: Shot): Promise<Load> {
  const scripted = script === undefined ? [] : ['-s', join(ROOT, 'scripts', 'bench', script)];
  const child = Bun.spawn(['wrk', '-t1', `-c${connections}`, `-d${seconds}`, '--latency', ...scripted, url], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  return loadOf(anyStatus ? text.replace('Non-2xx', '') : text);
}

/** A latency as wrk writes it, in milliseconds. */
export function milliseconds(text: string): number {
  const [, number = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
  const scale: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };
  return Number(number) * (scale[unit] ?? Number.NaN);
}
