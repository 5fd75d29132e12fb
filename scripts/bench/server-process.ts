import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../build.ts';
import { ROOT } from '../sources.ts';

const EXECUTABLE = join(ROOT, 'dist', 'bench-server');

/** The key of the first operator of every benchmark's data directory. */
export const API_KEY = `pp_${randomBytes(32).toString('hex')}`;

export interface BenchServer {
  url: string;
  /** Resident memory in MiB: now, and the most since the start. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

/** What wrk measured: answers a second, and two of its latencies as it writes them. */
export interface Load {
  rate: number;
  p50: string;
  p99: string;
  max: string;
}

/** Compiles the server of scripts/bench/server.ts as the product is compiled. */
export function compileServer(): void {
  compile('scripts/bench/server.ts', EXECUTABLE);
}

/** Starts the compiled server on a data directory; it is ready when this resolves. */
export async function startServer(data: string, rateLimits: 'on' | 'off' = 'on'): Promise<BenchServer> {
  const server = Bun.spawn([EXECUTABLE, data, API_KEY, rateLimits], { stdout: 'pipe', stderr: 'inherit' });
  const url = await firstLine(server.stdout);
  const mebibytes = (name: string): number => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  };
  return {
    url,
    memory: () => ({ now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') }),
    async stop() {
      server.kill('SIGTERM');
      await server.exited;
    },
  };
}

type Kind = 'one' | 'mixed' | 'numbered' | 'idempotent';

/**
 * Sends valid receipt requests over 64 connections. Needs wrk. `kind`: one repeated; `mixed` over 200 agents and all domains;
 * `idempotent`, each with a new Idempotency-Key; `numbered`, each with a new X-Request-Id instead, which costs wrk the same. @throws Error when an answer is not 2xx
 */
export function wrk(url: string, seconds: number, kind: Kind = 'one'): Load {
  const [command, env] = wrkCommand(url, seconds, kind);
  return loadOf(Bun.spawnSync(command, { env, stderr: 'inherit' }).stdout.toString());
}

/** The same, with `task` running beside it. */
export async function wrkWhile(
  url: string,
  seconds: number,
  kind: Kind,
  task: () => Promise<void>,
): Promise<Load> {
  const [command, env] = wrkCommand(url, seconds, kind);
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'inherit' });
  const [text] = await Promise.all([new Response(child.stdout).text(), task()]);
  return loadOf(text);
}

function wrkCommand(
  url: string,
  seconds: number,
  kind: Kind,
): [string[], Record<string, string | undefined>] {
  const script = join(ROOT, 'scripts', 'bench', 'issue.lua');
  const PREFIX = randomBytes(6).toString('hex');
  const kinds = {
    one: {},
    mixed: { MIXED: '1' },
    numbered: { NUMBERED: 'x-request-id', PREFIX },
    idempotent: { NUMBERED: 'idempotency-key', PREFIX },
  };
  return [
    ['wrk', '-t1', '-c64', `-d${seconds}`, '--latency', '-s', script, url],
    { ...process.env, API_KEY, ...kinds[kind] },
  ];
}

/** What wrk printed. @throws Error when an answer was not 2xx */
export function loadOf(text: string): Load {
  if (text.includes('Non-2xx')) throw new Error(`refused:\n${text}`);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50: /^\s+50%\s+(\S+)/m.exec(text)?.[1] ?? '',
    p99: /^\s+99%\s+(\S+)/m.exec(text)?.[1] ?? '',
    max: /Latency\s+\S+\s+\S+\s+(\S+)/.exec(text)?.[1] ?? '',
  };
}

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  throw new Error('the server did not start');
}
