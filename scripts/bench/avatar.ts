import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { compileServer, type Load, loadOf, median, print, startServer } from './server-process.ts';

/**
 * Reading avatars against the no-op GET of the same server, asked in the same way, in turns: one agent's; of 1,000 hashes over and over; and
 * of 100,000, more than are remembered. 100,000 agents are enrolled. Prints a table row a round and the medians. Needs wrk. `bun scripts/bench/avatar.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 5);
const AGENTS = 100_000;
const SECONDS = 5;

compileServer();
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const ratios: Record<string, number[]> = { 'one agent': [], '1,000 hashes': [], '100,000 hashes': [] };
try {
  await (await startServer(data)).stop();
  const known = enrolled(join(data, 'trust.db'));
  const server = await startServer(data, 'off');
  try {
    const avatar = `${server.url}/api/v1/avatar`;
    get(`${avatar}/${known}`);
    for (let round = 1; round <= rounds; round++) {
      const plain = get(`${server.url}/noop`);
      const scripted = get(server.url, 1000, '/noop');
      report(round, 'one agent', plain, get(`${avatar}/${known}`));
      report(round, '1,000 hashes', scripted, get(server.url, 1000));
      report(round, '100,000 hashes', scripted, get(server.url, 100_000));
    }
  } finally {
    await server.stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}
for (const [name, values] of Object.entries(ratios))
  print(`${name}: median ratio ${median(values).toFixed(3)}`);

/** Enrolls agents that satisfy the schema and nothing more, a tenth of them with a photo. @returns the hash of one without */
function enrolled(file: string): string {
  const database = new Database(file, { readwrite: true, strict: true });
  const agent = database.query(
    `INSERT INTO agent VALUES (?1, ?2, ?2, 'passport-v1', NULL, ?3, 'ISSUED', NULL, '2026-01-01T00:00:00.000Z', NULL, NULL)`,
  );
  const photo = database.query(
    `INSERT INTO presentation VALUES (NULL, ?1, 'https://example.com/photo.png', ?2, 'image/png', ?3, 'digest', '2026-01-01T00:00:00.000Z')`,
  );
  let hash = '';
  database.transaction(() => {
    for (let seq = 1; seq <= AGENTS; seq++) {
      const commitment = randomBytes(32);
      agent.run(seq, commitment, randomBytes(16));
      if (seq % 10 === 0) photo.run(seq, randomBytes(32), randomBytes(64));
      else hash = commitment.toString('hex');
    }
  })();
  database.close();
  return hash;
}

function report(round: number, name: string, noop: Load, load: Load): void {
  const ratio = load.rate / noop.rate;
  ratios[name]?.push(ratio);
  print(
    `| ${round} | ${name} | ${noop.rate.toFixed(0)} | ${load.rate.toFixed(0)} | ${ratio.toFixed(3)} | ${load.p99} |`,
  );
}

/** @param hashes how many different ones, which no agent has; none: the URL as it stands @param fixed asked for instead of each */
function get(url: string, hashes = 0, fixed?: string): Load {
  const script = hashes === 0 ? [] : ['-s', join(ROOT, 'scripts', 'bench', 'avatar.lua')];
  const env = { ...process.env, HASHES: String(hashes), FIXED: fixed };
  const command = ['wrk', '-t1', '-c64', `-d${SECONDS}`, '--latency', ...script, url];
  return loadOf(Bun.spawnSync(command, { env }).stdout.toString());
}
