import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../build.ts';
import { ROOT } from '../sources.ts';

const SERVER = join(ROOT, 'dist', 'bench-server');

/** The key of the first operator of every benchmark's data directory. */
export const API_KEY = `pp_${randomBytes(32).toString('hex')}`;

export interface BenchServer {
  url: string;
  pid: number;
  /** Returns the resident memory in MB: now, and the peak since the start. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

/** Compiles the trust server with a no-op route in the same way as the product. */
export function compileServer(): void {
  compile('scripts/bench/server.ts', SERVER);
}

/**
 * Starts the compiled trust server on a data directory; resolves when it is ready.
 * @param publication whether it publishes checkpoints after its start
 */
export async function startServer(
  data: string,
  rateLimits: 'on' | 'off' = 'on',
  publication: 'on' | 'off' = 'on',
): Promise<BenchServer> {
  return (await startedServer([SERVER, data, API_KEY, rateLimits, publication])).server;
}

/**
 * Returns the memory of a process in MB, by the field name in /proc/PID/status; 0 when the process has ended.
 */
export function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** Starts a server. Its first line of output is the URL and, after a space, `rest`. */
async function startedServer(command: string[]): Promise<{ server: BenchServer; rest: string }> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  const [url = '', rest = ''] = (await firstLine(child.stdout)).split(' ');
  return {
    rest,
    server: {
      url,
      pid: child.pid,
      memory: () => ({ now: memoryOf(child.pid, 'VmRSS'), peak: memoryOf(child.pid, 'VmHWM') }),
      async stop() {
        child.kill('SIGTERM');
        await child.exited;
      },
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  throw new Error('the server did not start');
}
