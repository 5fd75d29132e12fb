import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../build.ts';
import { ROOT } from '../sources.ts';

/**
 * Durable issuing against the same server's validated no-op POST, with wrk and 64 connections, in turns so that drift of
 * the machine falls on both. Prints a table row a round and the medians. Needs wrk. `bun scripts/bench/issue.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 5);
const executable = join(ROOT, 'dist', 'bench-server');
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const apiKey = `pp_${randomBytes(32).toString('hex')}`;
compile('scripts/bench/server.ts', executable);
const server = Bun.spawn([executable, data, apiKey], { stdout: 'pipe', stderr: 'inherit' });
try {
  const url = await firstLine(server.stdout);
  wrk(`${url}/noop`, 2);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const noop = wrk(`${url}/noop`, 5);
    const issue = wrk(`${url}/api/v1/receipts`, 5);
    ratios.push(issue.rate / noop.rate);
    print(
      `| ${round} | ${noop.rate.toFixed(0)} | ${issue.rate.toFixed(0)} | ${(issue.rate / noop.rate).toFixed(3)} | ${issue.p99} | ${issue.max} |`,
    );
  }
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? '0';
  print(
    `median ratio ${ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]?.toFixed(3)}, memory ${(Number(rss) / 1024).toFixed(0)} MiB`,
  );
} finally {
  server.kill('SIGTERM');
  await server.exited;
  rmSync(data, { recursive: true, force: true });
}

function wrk(url: string, seconds: number): { rate: number; p99: string; max: string } {
  const script = join(ROOT, 'scripts', 'bench', 'issue.lua');
  const { stdout } = Bun.spawnSync(['wrk', '-t1', '-c64', `-d${seconds}`, '--latency', '-s', script, url], {
    env: { ...process.env, API_KEY: apiKey },
    stderr: 'inherit',
  });
  const text = stdout.toString();
  if (text.includes('Non-2xx')) throw new Error(`refused:\n${text}`);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p99: /99%\s+(\S+)/.exec(text)?.[1] ?? '',
    max: /Latency\s+\S+\s+\S+\s+(\S+)/.exec(text)?.[1] ?? '',
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  throw new Error('the server did not start');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
