import { Database } from 'bun:sqlite';
import { RECEIPT } from './receipt-rows.ts';

const HOUR_MS = 3_600_000;
/**
 * Fills a migrated database with `count` items of telemetry of one cluster: 1,000 instances and three classes
 * over the last 365 days. They satisfy only the schema: their receipts have no versions, and their bodies are
 * random bytes.
 */
export function seedTelemetry(file: string, cluster: string, count: number): void {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  database.run('PRAGMA cache_size = -262144');
  const today = Math.floor(Date.now() / (24 * HOUR_MS));
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  database.transaction(() => {
    database.run('INSERT INTO datacenter_cluster SELECT NULL, ?, min(operator_seq), 0 FROM operator', [
      cluster,
    ]);
    const clusterSeq = '(SELECT max(cluster_seq) FROM datacenter_cluster)';
    const racks = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)';
    database.run(`INSERT INTO datacenter_instance ${racks} SELECT NULL, ${clusterSeq}, 'rack-' || i FROM n`);
    const firstInstance = '(SELECT max(instance_seq) - 999 FROM datacenter_instance)';
    const firstReceipt = '(SELECT coalesce(max(receipt_seq), 0) + 1 FROM receipt)';
    const { first = 1 } =
      database.query<{ first: number }, []>(`SELECT ${firstReceipt} AS first`).get() ?? {};
    database.run(`INSERT INTO ${RECEIPT} ${numbers}
      SELECT ${first} + i, randomblob(16), (SELECT min(operator_seq) FROM operator), 'rack', 'custody', zeroblob(32), 'datacenter',
        '2036-01-31T12:00:00Z', '2026-01-01T00:00:00.000Z', 'SYSTEM_INTEGRATION', NULL, NULL, NULL, NULL, 0, 'success', 'active', 2
      FROM n`);
    database.run(`INSERT INTO service_receipt ${numbers} SELECT ${first} + i FROM n`);
    // Each instance has count / 1000 items, one after the other, in the 365 days before today.
    const each = Math.ceil(count / 1000);
    const step = Math.floor((365 * 24 * HOUR_MS) / each);
    database.run(
      `INSERT INTO datacenter_evidence ${numbers}, w (i, start) AS (
         SELECT i, ${(today - 365) * 24 * HOUR_MS} + (i / 1000) * ${step} FROM n)
       SELECT ${first} + i, randomblob(16), ${clusterSeq}, ${firstInstance} + i % 1000, 'WORKLOAD_ENERGY_EFFICIENCY',
         CASE i % 3 WHEN 0 THEN 'declared' ELSE 'simulated' END, start, start + ${step},
         (start + ${step} - 1) / 86400000, 1, 1, 40000000, 48000000 + i % 1000, 52000, 20000000, 1000000, 40000000, 45000000, NULL,
         71500, 23500, NULL, 0, 321500, NULL, NULL, 40000000, 45000000, 15432000, NULL, zeroblob(32), start, randomblob(300)
       FROM w`,
    );
  })();
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
