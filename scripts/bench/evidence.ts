import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto.ts';
import { digest } from '../../src/proof/digest.ts';
import { bytesToHex } from '../../src/proof/hex.ts';
import { ROOT } from '../sources.ts';
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
    await writeBodies(file, keys[round % agents]?.privateKey);
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

/** Signed pushes of one commit, some 1,000 characters of payload, no two alike. */
async function writeBodies(file: string, key: KeyObject | undefined): Promise<void> {
  if (key === undefined) throw new Error('there is no such agent');
  const out = createWriteStream(file);
  for (let index = 0; index < BODIES; index++) {
    const payload = push();
    const signature = bytesToHex(signEd25519(key, Buffer.from(digest(nativePrimitives, payload))));
    const line = `${JSON.stringify({ source_type: 'github_push_webhook', payload, signature })}\n`;
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(resolve));
  // What still waits for the disk would be written beside the measurement, and make its syncs wait.
  Bun.spawnSync(['sync', file]);
}

function push() {
  const sha = (): string => crypto.getRandomValues(new Uint8Array(20)).toHex();
  const [before, after] = [sha(), sha()];
  const author = { name: 'Ada Example', email: 'ada@example.org', username: 'ada' };
  return {
    ref: 'refs/heads/main',
    before,
    after,
    created: false,
    deleted: false,
    forced: false,
    compare: `https://github.com/example/parser/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: [
      {
        id: after,
        tree_id: sha(),
        message: 'Take the last line as well when the file does not end in one',
        timestamp: '2026-05-01T12:00:00Z',
        author,
        added: ['test/unit/last-line.test.ts'],
        removed: [],
        modified: ['src/reader.ts', 'src/lines.ts', 'CHANGELOG.md'],
      },
    ],
    repository: { id: 186853002, name: 'parser', full_name: 'example/parser', default_branch: 'main' },
    pusher: { name: 'ada', email: 'ada@example.org' },
    sender: { login: 'ada', id: 21031067, type: 'User', site_admin: false },
  };
}
