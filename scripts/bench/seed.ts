import { Database } from 'bun:sqlite';
import { randomFillSync } from 'node:crypto';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { snapshotOf, type Transaction } from '../../src/platform/store/transaction.ts';
import { DOMAINS } from '../../src/proof/receipt/receipt.ts';
import { openLogs } from '../../src/trust/log/logs.ts';
import { logReceiptIn } from '../../src/trust/receipts/log/leaves.ts';
import { RECEIPT } from './receipt-rows.ts';

/** The fixed end of the month of receipts, so that two seeds of the same size are equal. */
const LAST_ISSUED = Date.parse('2026-11-20T00:00:00.000Z');
const MONTH_MS = 30 * 24 * 3600 * 1000;
const AGENTS = 200;
/** `agent-0` has two fifths of all receipts, the others share the rest. */
const BUSY = 'agent-0';
const FEW = 3;
const RARE_DOMAIN = 'FINANCIAL_CLEARING';

interface Seed {
  agentId: string;
  domain: string;
  status: string;
}

/**
 * Fills the first operator of a migrated database with `count` receipts and their versions, in order of time.
 * They satisfy only the schema: hashes and signatures are random bytes, so no receipt verifies. Those that
 * are finalized have their leaves in the log. Over 200 agents and all domains; most are a success; exactly
 * three are a timeout; and exactly three are a success of the busiest agent in a domain that each have much
 * of.
 */
export async function seed(file: string, count: number): Promise<void> {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  // Seeding is not measured, so it can use a larger cache than the server.
  database.run('PRAGMA cache_size = -262144');
  const receipt = database.query(`INSERT INTO ${RECEIPT}
    SELECT $seq, $id, min(operator_seq), $agentId, 'custody', $digest, 'payments:read', '2036-01-31T12:00:00Z',
      $issuedAt, $domain, NULL, NULL, NULL, NULL, 0, $status, 'active', $version FROM operator`);
  const version = database.query(`INSERT INTO receipt_version
    SELECT $seq, $version, $status, 'active', $outputHash, $reason, $tranche, NULL, $hash, $prefix, $signature,
      min(key_seq), $signedAt FROM signing_key WHERE purpose = 'receipts' AND status = 'active'`);
  const noise = Buffer.alloc(2 ** 20);
  let used = noise.length;
  const bytes = (length: number): Buffer => {
    if (used + length > noise.length) {
      randomFillSync(noise);
      used = 0;
    }
    used += length;
    return noise.subarray(used - length, used);
  };
  const tx: Transaction = {
    ...snapshotOf({ sqlite: database, orm: drizzle({ client: database }) }),
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
    shared: {},
    reads: {},
  };
  const logs = await openLogs(tx);
  if (logs === null) throw new Error('the service was never started on this database');
  const { kid = '' } =
    database
      .query<{ kid: string }, []>(
        "SELECT kid FROM signing_key WHERE purpose = 'receipts' AND status = 'active'",
      )
      .get() ?? {};
  const sign = async (
    seq: number,
    number: number,
    status: string,
    signedAt: string,
    id: Buffer,
  ): Promise<void> => {
    const hash = bytes(32);
    const signature = bytes(64);
    const isPending = status === 'pending';
    version.run({
      seq,
      version: number,
      status,
      outputHash: status === 'success' ? bytes(32) : null,
      reason: isPending || status === 'success' ? null : 'as it went',
      tranche: isPending ? null : 'NONE',
      hash,
      prefix: hash.readUIntBE(0, 6),
      signature,
      signedAt,
    });
    if (isPending) return;
    const entry = {
      receipt_id: `rcpt_${id.toString('hex')}`,
      content_hash: hash.toString('hex'),
      signature: signature.toString('hex'),
      kid,
      finalized_at: signedAt,
    };
    await logReceiptIn(tx, logs.receipts, { receiptSeq: seq, version: number }, entry);
  };
  database.run('BEGIN');
  for (let index = 0; index < count; index++) {
    const seq = index + 1;
    const time = LAST_ISSUED - MONTH_MS + Math.floor((index / count) * MONTH_MS);
    const issuedAt = new Date(time).toISOString();
    const row = seedOf(index, count);
    const id = Buffer.from(bytes(16));
    id.writeUIntBE(time, 0, 6);
    const versions = row.status === 'pending' ? 1 : 2;
    receipt.run({ ...row, seq, id, digest: bytes(32), issuedAt, version: versions });
    await sign(seq, 1, 'pending', issuedAt, id);
    if (versions === 2) await sign(seq, 2, row.status, issuedAt, id);
  }
  database.run('COMMIT');
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

function seedOf(index: number, count: number): Seed {
  // Rare rows are at the end of the lists, so that a scan finds them last.
  if (index < FEW) return { agentId: `agent-${index + 1}`, domain: 'CODE_GENERATION', status: 'timeout' };
  if (index < 2 * FEW) return { agentId: BUSY, domain: RARE_DOMAIN, status: 'success' };
  // Multiplicative hashing (Knuth, TAOCP 6.4): the same unordered distribution for every size.
  const chance = (Math.imul(index, 0x9e3779b1) >>> 0) / 2 ** 32;
  const agentId = chance < 0.4 ? BUSY : `agent-${1 + (index % (AGENTS - 1))}`;
  const domain = DOMAINS[(index >>> 3) % DOMAINS.length] ?? RARE_DOMAIN;
  const rest = (index % 97) / 97;
  if (agentId === BUSY && domain === RARE_DOMAIN) return { agentId, domain, status: 'refusal' };
  // The newest receipts are still pending.
  if (index > count * 0.98 || rest > 0.96) return { agentId, domain, status: 'pending' };
  if (rest > 0.94) return { agentId, domain, status: 'failure_tombstone' };
  if (rest > 0.92) return { agentId, domain, status: 'null' };
  return { agentId, domain, status: rest > 0.84 ? 'refusal' : 'success' };
}
