import { Database } from 'bun:sqlite';
import { HOUR_MS } from '../../src/platform/time/units.ts';
import { RECEIPT } from './receipt-rows.ts';

/**
 * Fills a migrated database with `count` items of telemetry of one cluster: meters of two classes over the
 * last 365 days, each with a window an hour, and one of every hundred hours is missing. They satisfy only the
 * schema: their receipts have no versions, and their bodies are random bytes.
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
    const hours = 365 * 24;
    const meters = Math.ceil(count / hours);
    const racks = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${meters})`;
    database.run(`INSERT INTO datacenter_instance ${racks} SELECT NULL, ${clusterSeq}, 'rack-' || i FROM n`);
    const firstInstance = `(SELECT max(instance_seq) - ${meters - 1} FROM datacenter_instance)`;
    const firstReceipt = '(SELECT coalesce(max(receipt_seq), 0) + 1 FROM receipt)';
    const { first = 1 } =
      database.query<{ first: number }, []>(`SELECT ${firstReceipt} AS first`).get() ?? {};
    database.run(`INSERT INTO ${RECEIPT} ${numbers}
      SELECT ${first} + i, randomblob(16), (SELECT min(operator_seq) FROM operator), 'rack', 'custody', zeroblob(32), 'datacenter',
        '2036-01-31T12:00:00Z', '2026-01-01T00:00:00.000Z', 'SYSTEM_INTEGRATION', NULL, NULL, NULL, NULL, 0, 'success', 'active', 2
      FROM n`);
    database.run(`INSERT INTO service_receipt ${numbers} SELECT ${first} + i FROM n`);
    database.run(
      `INSERT INTO datacenter_evidence (
         receipt_seq, evidence_id, cluster_seq, instance_seq, event_type, class, window_start, window_end, day, counts_energy,
         counts_thermal, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, power_mw, nameplate_mw, junction_mc, inlet_mc,
         throttled, carbon_mg_per_kwh, power_mwh, nameplate_mwh, co2_mg, payload_digest, ingested_at, payload)
       ${numbers}, w (i, meter, start) AS (
         SELECT i, i / ${hours}, ${(today - 365) * 24 * HOUR_MS} + i % ${hours} * ${HOUR_MS} FROM n WHERE i % 100 <> 99)
       SELECT ${first} + i, randomblob(16), ${clusterSeq}, ${firstInstance} + meter, 'WORKLOAD_ENERGY_EFFICIENCY',
         CASE meter % 2 WHEN 0 THEN 'declared' ELSE 'simulated' END, start, start + ${HOUR_MS},
         (start + ${HOUR_MS} - 1) / 86400000, 1, 1, 40000000, 48000000 + i % 1000, 52000, 20000000, 1000000, 40000000, 45000000,
         71500, 23500, 0, 321500, 40000000, 45000000, 15432000, zeroblob(32), start, randomblob(300)
       FROM w`,
    );
  })();
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
