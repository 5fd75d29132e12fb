import { Database } from 'bun:sqlite';
import { DAY_MS } from '../../src/platform/time/units.ts';

/**
 * Fills a database that a service has started on with agents of the first operator that have evidence, days
 * with outcomes, and scores. They satisfy only the schema: they have no evidence behind them. The triggers
 * that have scores computed again are dropped meanwhile.
 */
export function seedStandings(file: string, count: number): void {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  database.run('PRAGMA cache_size = -1048576');
  const dropped = database
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  const today = Math.floor(Date.now() / DAY_MS);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  database.transaction(() => {
    for (const { name } of dropped) database.run(`DROP TRIGGER ${name}`);
    const operator = '(SELECT min(operator_seq) FROM operator)';
    database.run(`INSERT INTO agent ${numbers}
      SELECT i, randomblob(32), randomblob(32), 'passport-v1', 'Agent ' || i, randomblob(16), 'ISSUED', ${operator},
        '2026-01-01T00:00:00.000Z', NULL, NULL, NULL, NULL FROM n`);
    database.run(`INSERT INTO agent_sponsor (agent_seq, operator_seq, since) ${numbers}
      SELECT i, ${operator}, '2026-01-01T00:00:00.000Z' FROM n`);
    database.run(`INSERT INTO agent_standing (agent_seq, listed, evidence_count, lost_count, artifact_count, receipt_count,
        failure_count, first_observed_at, last_observed_at, last_event_hash, reputation, milestone, score, stale)
      ${numbers} SELECT i, 1, 1 + abs(random() % 1000), 0, 0, 0, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z',
        randomblob(32), 'normal', 0, abs(random() % 101), 0 FROM n`);
    for (const ago of [1, 5, 11])
      database.run(`INSERT INTO agent_day (agent_seq, day, successes, failures, corroborated_successes, sponsored_successes)
        ${numbers} SELECT i, ${today - ago}, 20, abs(random() % 5), abs(random() % 5), abs(random() % 15) FROM n`);
    database.run(`INSERT OR REPLACE INTO reputation_clock VALUES (1, ${today}, 0)`);
    for (const { sql } of dropped) database.run(sql);
  })();
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
