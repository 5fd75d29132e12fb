import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { API_KEY } from './server-process.ts';

/** A result of wrk: responses, responses per second, and latencies in milliseconds. */
export interface Load {
  requests: number;
  rate: number;
  p50: number;
  p99: number;
  max: number;
}

/** The options of a wrk run: connections, duration, script in this directory, and environment. */
export interface LoadResult {
  url: string;
  connections: number;
  seconds: number;
  script?: string;
  env?: Record<string, string>;
  /** True if responses other than 2xx are accepted. */
  anyStatus?: boolean;
  /** The core on which it runs; any by default. */
  core?: number;
}

/** Runs wrk with one thread. @throws Error for a response other than 2xx, unless `anyStatus` is set */
export async function runWrk({
  url,
  connections,
  seconds,
  script,
  env = {},
  anyStatus = false,
  core,
}: LoadResult): Promise<Load> {
  const scripted = script === undefined ? [] : ['-s', join(ROOT, 'scripts', 'bench', 'benchmarks', script)];
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const child = Bun.spawn(
    [...pinned, 'wrk', '-t1', `-c${connections}`, `-d${seconds}`, '--latency', ...scripted, url],
    {
      env: { ...process.env, ...env },
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const text = await new Response(child.stdout).text();
  return loadOf(anyStatus ? text.replace('Non-2xx', '') : text);
}

type Kind = 'one' | 'mixed' | 'numbered' | 'idempotent';

/**
 * Issues receipts at a benchmark server, or sends the same requests to its no-op, over 64 connections.
 * `kind`: `one` repeats a request; `mixed` uses 200 agents and all domains; `idempotent` adds a new
 * Idempotency-Key to each; `numbered` a new X-Request-Id, which costs wrk the same. @throws Error for a
 * response other than 2xx
 */
export function issueAt(url: string, seconds: number, kind: Kind = 'one'): Promise<Load> {
  const PREFIX = randomBytes(6).toString('hex');
  const kinds: Record<Kind, Record<string, string>> = {
    one: {},
    mixed: { MIXED: '1' },
    numbered: { NUMBERED: 'x-request-id', PREFIX },
    idempotent: { NUMBERED: 'idempotency-key', PREFIX },
  };
  return runWrk({ url, connections: 64, seconds, script: 'issue.lua', env: { API_KEY, ...kinds[kind] } });
}

/** Parses the output of wrk. @throws Error for a response other than 2xx, and when nothing was measured */
function loadOf(text: string): Load {
  if (text.includes('Non-2xx')) throw new Error(`a response was not 2xx: ${text.replaceAll('\n', ' ')}`);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  if (Number.isNaN(rate)) throw new Error(`wrk measured nothing: ${text.replaceAll('\n', ' ')}`);
  return {
    requests: Number(/(\d+) requests in/.exec(text)?.[1]),
    rate,
    p50: milliseconds(/^\s+50%\s+(\S+)/m.exec(text)?.[1]),
    p99: milliseconds(/^\s+99%\s+(\S+)/m.exec(text)?.[1]),
    max: milliseconds(/Latency\s+\S+\s+\S+\s+(\S+)/.exec(text)?.[1]),
  };
}

/** Converts a latency in wrk's format to milliseconds. */
function milliseconds(text = ''): number {
  const [, number = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
  const scale: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };
  return Number(number) * (scale[unit] ?? Number.NaN);
}
