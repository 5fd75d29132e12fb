import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { compileServer, median, print, startServer, wrk } from './server-process.ts';

/**
 * Durable issuing against the same server's validated no-op POST, with wrk and 64 connections, in turns so that drift of
 * the machine falls on both. Prints a table row a round and the medians. Needs wrk. `bun scripts/bench/issue.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 5);
compileServer();
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const server = await startServer(data);
try {
  wrk(`${server.url}/noop`, 2);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const noop = wrk(`${server.url}/noop`, 5);
    const issue = wrk(`${server.url}/api/v1/receipts`, 5);
    ratios.push(issue.rate / noop.rate);
    print(
      `| ${round} | ${noop.rate.toFixed(0)} | ${issue.rate.toFixed(0)} | ${(issue.rate / noop.rate).toFixed(3)} | ${issue.p99} | ${issue.max} |`,
    );
  }
  print(`median ratio ${median(ratios).toFixed(3)}, memory ${server.memory().now.toFixed(0)} MiB`);
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
