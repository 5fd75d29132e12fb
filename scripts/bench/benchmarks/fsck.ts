import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../../src/platform/crypto/crypto.ts';
import { loadKeyPair } from '../../../src/platform/crypto/key-files.ts';
import { openWriter } from '../../../src/platform/store/connection.ts';
import { snapshotOf, type Transaction } from '../../../src/platform/store/transaction.ts';
import { contentHash, signingMessage } from '../../../src/proof/receipt/receipt.ts';
import { openLogs } from '../../../src/trust/log/logs.ts';
import { logReceiptIn } from '../../../src/trust/receipts/log/leaves.ts';
import { EXECUTABLE } from '../../build.ts';
import { bareRateOfAllCores } from '../bare-ed25519.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { finalPayload, pendingPayload } from '../payload.ts';
import { RECEIPT } from '../receipt-rows.ts';
import { memoryOf } from '../server-process.ts';
import { median, print } from '../statistics.ts';

/** The number of receipts per transaction of the seeding. */
const GROUP = 10_000;

export const fsck = defineBenchmark({
  name: 'fsck',
  capability: 'Verification and audit',
  about:
    '`countersign fsck` of a data directory, from exec to exit, against bare Ed25519 verification on the same cores, in turns. Counted ' +
    'in signatures: each receipt is finalized and has two. `fsck` also hashes every version, leaf and tile, checks all counts, and has ' +
    'SQLite check the whole file.',
  needs: ['product'],
  metrics: {
    ratio: {
      label: 'Signatures audited ÷ bare signatures verified',
      unit: 'ratio',
      goal: atLeast(0.7),
      goalHoldsFor: 'full',
    },
    rate: { label: 'Signatures audited a second', unit: 'count' },
    memory: { label: 'Memory of the audit at most', unit: 'MB' },
  },
  short: { receipts: 100_000, rounds: 3, seconds: 3 },
  full: { receipts: 1_000_000, rounds: 3, seconds: 5 },
  async run({ receipts, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await served(data);
    await seedSigned(join(data, 'trust.db'), join(data, 'keys'), receipts);
    // A start publishes a checkpoint of the inserted receipts.
    await served(data);
    const ratios: number[] = [];
    const audits = [];
    for (let round = 1; round <= rounds; round++) {
      const bare = await bareRateOfAllCores(seconds);
      const audit = await audited(data);
      ratios.push(audit.rate / bare);
      audits.push(audit);
      print(
        `| ${round} | ${bare.toFixed(0)} | ${audit.rate.toFixed(0)} | ${(audit.rate / bare).toFixed(3)} | ${audit.memory.toFixed(0)} MB |`,
      );
    }
    return {
      ratio: median(ratios),
      rate: median(audits.map(({ rate }) => rate)),
      memory: Math.max(...audits.map(({ memory }) => memory)),
    };
  },
});

/** Starts and stops the service. */
async function served(data: string): Promise<void> {
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

/** Inserts issued and finalized receipts that are signed and logged as by the service. */
async function seedSigned(file: string, keys: string, count: number): Promise<void> {
  const connection = openWriter(file, 'memory');
  const { sqlite } = connection;
  const tx: Transaction = {
    ...snapshotOf(connection),
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
    shared: {},
    reads: {},
  };
  const logs = await openLogs(tx);
  const key = sqlite
    .query<{ key_seq: number; kid: string; valid_from: string }, []>(
      "SELECT key_seq, kid, valid_from FROM signing_key WHERE purpose = 'receipts' AND status = 'active'",
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
    sqlite.query(`INSERT INTO ${RECEIPT} VALUES ($seq, $id, ${operator.operator_seq}, $agent, 'custody', $digest,
    'payments:read', '2099-05-01T12:00:00.000Z', $issuedAt, 'CODE_GENERATION', NULL, NULL, NULL, NULL, 0, 'success', 'active', 2)`);
  const insertVersion =
    sqlite.query(`INSERT INTO receipt_version VALUES ($seq, $version, $status, 'active', $outputHash, NULL,
    $tranche, NULL, $hash, $prefix, $signature, ${key.key_seq}, $signedAt)`);
  const insertFinalization = sqlite.query(
    `INSERT INTO gate_outcome VALUES (${operator.operator_seq}, 'CODE_GENERATION', 0, 0, $countedAt, $seq, 0)`,
  );
  // The times must be between the key's start and now, because an audit reports other signatures as problems.
  const start = Date.parse(key.valid_from);
  const span = Date.now() - start;
  for (let from = 0; from < count; from += GROUP) {
    sqlite.run('BEGIN');
    for (let index = from; index < Math.min(from + GROUP, count); index++) {
      const seq = index + 1;
      const time = start + Math.floor((index / count) * span);
      const issuedAt = new Date(time).toISOString();
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
        insertFinalization.run({ seq, countedAt: time });
        await logReceiptIn(
          tx,
          logs.receipts,
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
  }
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

/** Measures signatures per second from the start of the executable to its end, and its peak memory in MB. */
async function audited(data: string): Promise<{ rate: number; memory: number }> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'fsck', data], { stdout: 'pipe', stderr: 'pipe' });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid, 'VmHWM'));
  }, 200);
  const text = await new Response(child.stdout).text();
  clearInterval(watch);
  if ((await child.exited) !== 0)
    throw new Error(`fsck found problems: ${text}${await new Response(child.stderr).text()}`);
  const seconds = (performance.now() - since) / 1000;
  const { examined } = JSON.parse(text);
  return { rate: Number(examined.signatures) / seconds, memory };
}
