import { Database } from 'bun:sqlite';
import { createHash, randomBytes } from 'node:crypto';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { snapshotOf, type Transaction } from '../../src/platform/store/transaction.ts';
import { DAY_MS } from '../../src/platform/time/units.ts';
import { SENT_TYPES } from '../../src/proof/evidence/source-types.ts';
import { compress } from '../../src/trust/evidence/compression.ts';
import { logItemIn } from '../../src/trust/evidence/log/leaves.ts';
import { openLogs } from '../../src/trust/log/logs.ts';
import { logReceiptIn } from '../../src/trust/receipts/log/leaves.ts';
import { RECEIPT } from './receipt-rows.ts';

/** The days over which the entries are spread. */
const DAYS = 80;

/** What an agent gets. */
interface PackageSeed {
  /** Its subject commitments: the entries of all of them are mixed in the logs. */
  commitments: readonly string[];
  /** The receipts and the items of evidence of each. */
  receipts: number;
  evidence: number;
  /** The time of the newest entry, Unix time in milliseconds. */
  now: number;
}

/**
 * Gives agents of a migrated database receipts and evidence with their leaves, in order of time and mixed in
 * the logs. They satisfy only the schema and the logs: hashes and signatures are random bytes, payloads are
 * JSON of 200 bytes.
 */
export async function seedPackages(
  file: string,
  { commitments, receipts, evidence, now }: PackageSeed,
): Promise<void> {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  database.run('PRAGMA cache_size = -262144');
  const tx: Transaction = {
    ...snapshotOf({ sqlite: database, orm: drizzle({ client: database }) }),
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
    shared: {},
    reads: {},
  };
  const logs = await openLogs(tx);
  if (logs === null) throw new Error('the service was never started on this database');
  const [key = { kid: '', seq: 0 }] = database
    .query<{ kid: string; seq: number }, []>(
      "SELECT kid, key_seq AS seq FROM signing_key WHERE purpose = 'receipts' AND status = 'active'",
    )
    .all();
  const [{ first = 0 } = {}] = database
    .query<{ first: number }, []>('SELECT coalesce(max(receipt_seq), 0) AS first FROM receipt')
    .all();
  const agents = commitments.map((commitment) => {
    const found = database
      .query<{ agentSeq: number }, [Buffer]>(
        'SELECT agent_seq AS agentSeq FROM agent WHERE subject_commitment = ?',
      )
      .get(Buffer.from(commitment, 'hex'));
    if (found === null) throw new Error('the agent was never enrolled');
    return { commitment, ...found, head: { position: 0, eventHash: null as string | null } };
  });
  const receipt = database.query(`INSERT INTO ${RECEIPT}
    SELECT $seq, $id, min(operator_seq), $agentId, 'custody', randomblob(32), 'payments:read', '2036-01-31T12:00:00Z',
      $at, 'CODE_GENERATION', NULL, NULL, NULL, NULL, 0, $status, 'active', 2 FROM operator`);
  const version = database.query(`INSERT INTO receipt_version VALUES ($seq, $version, $status, 'active',
    iif($status = 'success', randomblob(32), NULL), iif($status = 'refusal', 'no', NULL), iif($status = 'pending', NULL, 'NONE'),
    NULL, $hash, $prefix, $signature, $keySeq, $at)`);
  const counted = database.query('INSERT INTO agent_receipt VALUES ($seq, $agentSeq, $day, $outcome)');
  database.run('BEGIN');
  const timeOf = (index: number, count: number): number =>
    now - DAYS * DAY_MS + Math.floor(((index + 1) / count) * DAYS * DAY_MS);
  for (let index = 0; index < receipts * agents.length; index++) {
    const { commitment, agentSeq } = agents[index % agents.length] ?? fail();
    const seq = first + index + 1;
    const time = timeOf(index, receipts * agents.length);
    const at = new Date(time).toISOString();
    const id = randomBytes(16);
    const status = index % 50 === 0 ? 'refusal' : 'success';
    receipt.run({ seq, id, agentId: commitment, at, status });
    let [hash, signature] = [randomBytes(32), randomBytes(64)];
    for (const [at1, state] of ['pending', status].entries()) {
      [hash, signature] = [randomBytes(32), randomBytes(64)];
      const prefix = hash.readUIntBE(0, 6);
      version.run({ seq, version: at1 + 1, status: state, hash, prefix, signature, keySeq: key.seq, at });
    }
    counted.run({
      seq,
      agentSeq,
      day: Math.floor(time / DAY_MS),
      outcome: status === 'success' ? 'success' : 'neither',
    });
    const entry = {
      receipt_id: `rcpt_${id.toString('hex')}`,
      content_hash: hash.toString('hex'),
      signature: signature.toString('hex'),
      kid: key.kid,
      finalized_at: at,
    };
    await logReceiptIn(tx, logs.receipts, { receiptSeq: seq, version: 2 }, entry);
  }
  for (let index = 0; index < evidence * agents.length; index++) {
    const { commitment, agentSeq, head } = agents[index % agents.length] ?? fail();
    const eventHash = createHash('sha256').update(`${commitment} ${index}`).digest('hex');
    await logItemIn(
      tx,
      logs.evidence,
      commitment,
      {
        agentSeq,
        position: head.position + 1,
        sourceType: SENT_TYPES[Math.floor(index / agents.length) % SENT_TYPES.length] ?? 'otel_genai_trace',
        payloadDigest: randomBytes(32).toString('hex'),
        eventHash,
        prevEventHash: head.eventHash,
        payload: compress(JSON.stringify({ digest: randomBytes(90).toString('hex'), index })),
        signature: '00'.repeat(64),
        reading: 'digest',
        outcome: index % 40 === 0 ? 'failure' : 'success',
        operatorSeq: 1,
        createdAt: new Date(timeOf(index, evidence * agents.length)).toISOString(),
      },
      [],
    );
    head.position++;
    head.eventHash = eventHash;
  }
  const standing = database.query(`INSERT INTO agent_standing
      (agent_seq, listed, evidence_count, lost_count, artifact_count, receipt_count, failure_count,
      first_observed_at, last_observed_at, last_event_hash, reputation, milestone)
    VALUES ($agentSeq, 1, $evidence, 0, 0, $receipts, 0, $firstAt, $lastAt, $eventHash, 'normal', 0)
    ON CONFLICT DO UPDATE SET evidence_count = $evidence, receipt_count = $receipts, last_event_hash = $eventHash,
      first_observed_at = $firstAt, last_observed_at = $lastAt`);
  for (const { agentSeq, head } of agents) {
    standing.run({
      agentSeq,
      evidence,
      receipts,
      firstAt: new Date(now - DAYS * DAY_MS).toISOString(),
      lastAt: new Date(now).toISOString(),
      eventHash: head.eventHash === null ? null : Buffer.from(head.eventHash, 'hex'),
    });
  }
  database.run('COMMIT');
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

function fail(): never {
  throw new Error('no agent was given');
}
