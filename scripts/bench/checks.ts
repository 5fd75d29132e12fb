import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { compileServer, median, print, startServer, wrk } from './server-process.ts';

/**
 * What rate limits and idempotency cost when issuing: limits off, limits on, and limits on with an Idempotency-Key on
 * every request, each server on a fresh database, in turns. Prints a table row a round and the medians. Needs wrk.
 * `bun scripts/bench/checks.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 5);
compileServer();
const ratios: { limits: number[]; keys: number[] } = { limits: [], keys: [] };
for (let round = 1; round <= rounds; round++) {
  const without = await rate('off', 'numbered');
  const limits = await rate('on', 'numbered');
  const keys = await rate('on', 'idempotent');
  ratios.limits.push(limits / without);
  ratios.keys.push(keys / without);
  print(`| ${round} | ${[without, limits, keys].map((figure) => figure.toFixed(0)).join(' | ')} |`);
}
print(
  `median ratios: limits ${median(ratios.limits).toFixed(3)}, and keys ${median(ratios.keys).toFixed(3)}`,
);

async function rate(limits: 'on' | 'off', kind: 'numbered' | 'idempotent'): Promise<number> {
  const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  const server = await startServer(data, limits);
  try {
    wrk(`${server.url}/api/v1/receipts`, 2, kind);
    return wrk(`${server.url}/api/v1/receipts`, 5, kind).rate;
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
