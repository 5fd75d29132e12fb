import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { writeBodies } from './bodies.ts';
import { API_KEY, compileServer, loadOf, median, print, startServer, wrk } from './server-process.ts';

/**
 * Durable anchoring of evidence, payloads of 1 KB each signed anew, against the same server's durable issuing, with wrk and
 * 64 connections, in turns so that drift of the machine falls on both. Prints a table row a round and the median ratio. Needs wrk.
 * `bun scripts/bench/evidence.ts [rounds] [agents]`
 */
const rounds = Number(process.argv[2] ?? 5);
const agents = Number(process.argv[3] ?? 1);
const SECONDS = 5;
/** More than are sent in that time. */
const BODIES = 60_000;

compileServer();
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const server = await startServer(data);
try {
  const keys = Array.from({ length: agents }, () => generateKeyPairSync('ed25519'));
  const commitments: string[] = [];
  for (const { publicKey } of keys) {
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const response = await fetch(`${server.url}/enrolled`, {
      method: 'POST',
      body: Buffer.from(x, 'base64url').toString('hex'),
    });
    commitments.push(await response.text());
  }
  wrk(`${server.url}/api/v1/receipts`, 2);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const issue = wrk(`${server.url}/api/v1/receipts`, SECONDS);
    const file = join(data, `bodies-${round}`);
    await writeBodies(file, keys[round % agents]?.privateKey, BODIES);
    const evidence = anchoring(
      `${server.url}/api/v1/passport/agents/${commitments[round % agents]}/evidence`,
      file,
    );
    rmSync(file);
    ratios.push(evidence.rate / issue.rate);
    print(
      `| ${round} | ${issue.rate.toFixed(0)} | ${evidence.rate.toFixed(0)} | ${(evidence.rate / issue.rate).toFixed(3)} | ${evidence.p99} | ${evidence.max} |`,
    );
  }
  print(`median ratio ${median(ratios).toFixed(3)}, memory ${server.memory().now.toFixed(0)} MiB`);
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}

function anchoring(url: string, file: string) {
  const script = join(ROOT, 'scripts', 'bench', 'evidence.lua');
  const command = ['wrk', '-t1', '-c64', `-d${SECONDS}`, '--latency', '-s', script, url];
  const env = { ...process.env, API_KEY, BODIES: file };
  return loadOf(Bun.spawnSync(command, { env, stderr: 'inherit' }).stdout.toString());
}
