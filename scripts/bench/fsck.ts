import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto.ts';
import { loadKeyPair } from '../../src/platform/key-files.ts';
import { openWriter } from '../../src/platform/store/connection.ts';
import type { Transaction } from '../../src/platform/store/transaction.ts';
import { contentHash, signingMessage } from '../../src/proof/receipt/receipt.ts';
import { logReceiptIn } from '../../src/trust/log/append.ts';
import { openLogs } from '../../src/trust/log/logs.ts';
import { EXECUTABLE } from '../build.ts';
import { ROOT } from '../sources.ts';
import { bareRateOfAllCores } from './bare-ed25519.ts';
import { finalPayload, pendingPayload } from './payload.ts';

/**
 * An audit of a data directory against the same cores' bare Ed25519 verification (node:crypto with imported keys, a Worker a
 * core), in turns so that drift of the machine falls on both; counted in signatures. Every receipt is finalized, so it has two of
 * them, and a leaf. Prints a table row a round and the median ratio. Build first.
 * `bun scripts/bench/fsck.ts [rounds] [receipts]`
 */
const rounds = Number(process.argv[2] ?? 3);
const receipts = Number(process.argv[3] ?? 1_000_000);
/** So many share a transaction of the seeding. */
const GROUP = 10_000;

const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
try {
  await served();
  seedSigned(join(data, 'trust.db'), join(data, 'keys'), receipts);
  // A start publishes a checkpoint of what was put in.
  await served();
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const bare = await bareRateOfAllCores();
    const { rate, memory } = await auditRate();
    ratios.push(rate / bare);
    print(
      `| ${round} | ${bare.toFixed(0)} | ${rate.toFixed(0)} | ${(rate / bare).toFixed(3)} | ${memory} MiB |`,
    );
  }
  const median = ratios.sort((left, right) => left - right)[Math.floor(ratios.length / 2)];
  print(`median ratio ${median?.toFixed(3)}`);
} finally {
  rmSync(data, { recursive: true, force: true });
}

/** A start and a stop of the service. */
async function served(): Promise<void> {
  const ready = join(data, 'ready.json');
  rmSync(ready, { force: true });
  const child = Bun.spawn([EXECUTABLE, 'serve', '--port', '0', '--data', data, '--ready-file', ready], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  while (!(await Bun.file(ready).exists())) await Bun.sleep(20);
  child.kill('SIGTERM');
  await child.exited;
}

/** Receipts as the service signs and logs them, issued and finalized. */
function seedSigned(file: string, keys: string, count: number): void {
  const connection = openWriter(file, 'memory');
  const { sqlite } = connection;
  const tx: Transaction = {
    connection,
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
    shared: {},
    reads: {},
  };
  const logs = openLogs(tx);
  const key = sqlite
    .query<{ key_seq: number; kid: string }, []>(
      "SELECT key_seq, kid FROM signing_key WHERE purpose = 'receipts' AND status = 'active'",
    )
    .get();
  const operator = sqlite
    .query<{ operator_seq: number; operator_id: string }, []>(
      'SELECT operator_seq, operator_id FROM operator LIMIT 1',
    )
    .get();
  if (logs === null || key === null || operator === null) throw new Error('the service was not started');
  const { privateKey } = loadKeyPair(keys, 'Ed25519', key.kid);
  const insertReceipt =
    sqlite.query(`INSERT INTO receipt VALUES ($seq, $id, ${operator.operator_seq}, $agent, 'custody', $digest,
    'payments:read', '2099-05-01T12:00:00.000Z', $issuedAt, 'CODE_GENERATION', NULL, NULL, NULL, NULL, 0, 'success', 'active', 2)`);
  const insertVersion =
    sqlite.query(`INSERT INTO receipt_version VALUES ($seq, $version, $status, 'active', $outputHash, NULL,
    $tranche, NULL, $hash, $prefix, $signature, ${key.key_seq}, $signedAt)`);
  const insertFinalization = sqlite.query(
    `INSERT INTO gate_finalization VALUES (${operator.operator_seq}, 'CODE_GENERATION', 0, $finalizedAt, $seq, 0)`,
  );
  const start = Date.parse('2026-05-01T12:00:00.000Z');
  for (let from = 0; from < count; from += GROUP) {
    sqlite.run('BEGIN');
    for (let index = from; index < Math.min(from + GROUP, count); index++) {
      const seq = index + 1;
      const issuedAt = new Date(start + index).toISOString();
      const pending = pendingPayload(index, { operator_id: operator.operator_id, issued_at: issuedAt });
      insertReceipt.run({
        seq: seq,
        id: Buffer.from(pending.receipt_id.slice('rcpt_'.length), 'hex'),
        agent: pending.agent_id,
        digest: Buffer.from(pending.input_digest, 'hex'),
        issuedAt: issuedAt,
      });
      for (const [version, payload] of [pending, finalPayload(pending)].entries()) {
        const hash = contentHash(nativePrimitives, payload);
        const signature = signEd25519(privateKey, signingMessage(hash));
        insertVersion.run({
          seq: seq,
          version: version + 1,
          status: payload.status,
          outputHash: payload.output_hash === undefined ? null : Buffer.from(payload.output_hash, 'hex'),
          tranche: payload.error_tranche ?? null,
          hash: Buffer.from(hash, 'hex'),
          prefix: Number.parseInt(hash.slice(0, 12), 16),
          signature: Buffer.from(signature),
          signedAt: issuedAt,
        });
        if (version === 0) continue;
        insertFinalization.run({ seq, finalizedAt: start + index });
        logReceiptIn(
          tx,
          logs,
          { receiptSeq: seq, version: 2 },
          {
            receipt_id: payload.receipt_id,
            content_hash: hash,
            signature: Buffer.from(signature).toString('hex'),
            kid: key.kid,
            finalized_at: issuedAt,
          },
        );
      }
    }
    sqlite.run('COMMIT');
    process.stderr.write(`\r${Math.min(from + GROUP, count)} receipts`);
  }
  process.stderr.write('\n');
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

/** Signatures a second from the start of the executable to its end, and the most memory that it took. */
async function auditRate(): Promise<{ rate: number; memory: number }> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'fsck', data], { stdout: 'pipe', stderr: 'pipe' });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid));
  }, 200);
  const text = await new Response(child.stdout).text();
  clearInterval(watch);
  if ((await child.exited) !== 0)
    throw new Error(`not whole: ${text}${await new Response(child.stderr).text()}`);
  const seconds = (performance.now() - since) / 1000;
  const { examined } = JSON.parse(text);
  return { rate: Number(examined.signatures) / seconds, memory: Math.round(memory) };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
