import { Database } from 'bun:sqlite';

const DAY_MS = 24 * 3600 * 1000;
/** The number of days, up to now, over which the evidence is spread. */
const DAYS = 60;
/**
 * One agent in this many is busy: the busy agents share half of the evidence, in addition to their part of
 * the other half.
 */
const BUSY = 20;

/**
 * The numbers of agents and of evidence items, and the time of the newest item (`now`, Unix time in
 * milliseconds).
 */
interface AgentsSeed {
  agents: number;
  evidence: number;
  now: number;
}

/**
 * Fills a migrated database with agents of the first operator and their evidence in order of time, with the
 * agents mixed as in practice; busy agents have evidence on every day. It satisfies only the schema: keys,
 * payloads and signatures are random bytes.
 */
export function seedAgents(file: string, { agents, evidence, now }: AgentsSeed): void {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  // Seeding is not measured, so it can use a larger cache than the server.
  database.run('PRAGMA cache_size = -4194304');
  database.run('PRAGMA temp_store = MEMORY');
  // The items have no leaves: they are read here, and nothing is anchored.
  database.run('PRAGMA foreign_keys = OFF');
  const busy = Math.max(1, Math.floor(agents / BUSY));
  const numbered = (count: number): string =>
    `WITH RECURSIVE numbered (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbered WHERE n + 1 < ${count})`;
  database.transaction(() => {
    database.run(`${numbered(agents)} INSERT INTO agent
      SELECT n + 1, randomblob(32), randomblob(32), 'passport-v1', 'agent ' || n, randomblob(16), 'ISSUED',
        (SELECT min(operator_seq) FROM operator), '2026-01-01T00:00:00.000Z', NULL, NULL FROM numbered`);
    // Odd items rotate over all agents, even items over the busy ones. The number of an agent's previous
    // items follows from the item's number, so nothing has to be sorted.
    database.run(`CREATE TEMP TABLE item AS ${numbered(evidence)},
      owned AS (SELECT n, 1 + n / 2 % iif(n % 2 = 0, ${busy}, ${agents}) AS a FROM numbered)
      SELECT n, a AS agent_seq, n * 7919 % 11 = 0 AS failed,
        ${now - DAYS * DAY_MS} + (n + 1) * ${DAYS * DAY_MS} / ${evidence} AS ms,
        1 + (n / 2 - a + ${agents}) / ${agents} + iif(a <= ${busy}, (n / 2 + n % 2 - a + ${busy}) / ${busy}, 0) AS position
      FROM owned`);
    database.run(`INSERT INTO evidence
      SELECT n + 1, agent_seq, position, 'otel_genai_trace', randomblob(32),
        unhex(printf('%064x', (position << 32) + agent_seq)),
        iif(position = 1, NULL, unhex(printf('%064x', (position - 1 << 32) + agent_seq))), randomblob(64), 'digest',
        iif(failed, 'failure', 'success'), 1, strftime('%Y-%m-%dT%H:%M:%fZ', ms / 1000.0, 'unixepoch'), randomblob(200)
      FROM item`);
    database.run(`INSERT INTO agent_day
      SELECT agent_seq, ms / ${DAY_MS}, count(*) - sum(failed), sum(failed) FROM item GROUP BY 1, 2`);
    database.run(`CREATE TEMP TABLE total AS
      SELECT CAST(agent_seq AS INTEGER) AS agent_seq, count(*) AS items, sum(failed) AS failures FROM item GROUP BY agent_seq`);
    database.run('CREATE UNIQUE INDEX total_by_agent ON total (agent_seq)');
    database.run(`INSERT INTO agent_standing
      SELECT agent_seq, 1, coalesce(items, 0), 0, coalesce(items, 0), 0, coalesce(failures, 0),
        iif(items > 0, '2026-01-01T00:00:00.000Z', NULL), iif(items > 0, '2026-01-01T00:00:00.000Z', NULL),
        iif(items > 0, unhex(printf('%064x', (items << 32) + agent_seq)), NULL), 'normal',
        CASE WHEN items >= 1000 THEN 1000 WHEN items >= 500 THEN 500 WHEN items >= 100 THEN 100 ELSE 0 END
      FROM agent LEFT JOIN total USING (agent_seq)`);
  })();
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
