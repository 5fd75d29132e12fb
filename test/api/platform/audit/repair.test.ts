import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Derived } from '../../../../src/platform/audit/table.ts';
import { operationAction } from '../../../../src/platform/control/operation.ts';
import { perform } from '../../../../src/platform/control/perform.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { auditedOf } from '../../../../src/platform/module.ts';
import { type Connection, openWriter } from '../../../../src/platform/store/connection.ts';
import { schemaDifferences } from '../../../../src/platform/store/migrations/schema-check.ts';
import { snapshotOf } from '../../../../src/platform/store/transaction.ts';
import { trustServiceDefinition } from '../../../../src/trust/definition.ts';
import { DEMO_API_KEY } from '../../../../src/trust/http/example-ids.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { localServiceOpening } from '../../../../src/trust/service/open-context.ts';
import { client } from '../../../support/client.ts';
import { openDemo } from '../../../support/demo.ts';
import { LINKED } from '../../../support/linked.ts';
import { finalized } from '../../../support/log.ts';
import { copyOf, pastTriggers } from '../../../support/tampering.ts';

let scratch: string;
let whole: string;
const tables = await auditedOf(trustModules);
const derived = tables.flatMap((table) => table.derived ?? []);

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-repair-'));
  whole = join(scratch, 'whole');
  const directory = takeDataDirectory(':memory:');
  const service = await openDemo(trustServiceDefinition(trustModules), directory);
  const by = (key: string) =>
    client((request) => service.app('/').fetch(request, '127.0.0.1'), 'http://127.0.0.1', key);
  const own = by(DEMO_API_KEY);
  // The demonstration has no linked account.
  await own.call('PUT', LINKED, { linked: true });
  // Nor a key with a limit over time.
  const scope = { max_credits_total: 10 };
  const { api_key: limited } = (await own.post('/api/v1/operator/api-keys', { scope })).body;
  const { agents } = (await own.get('/api/v1/passport/agents')).body;
  const grant = { subject_commitment: Object(agents)[0].subject_commitment, amount: 1 };
  const granted = await by(String(limited)).post('/api/v1/passport/credits/grants', grant);
  expect([granted.status, granted.body.error]).toEqual([201, undefined]);
  // Nor a window of whole days.
  await own.post('/api/v1/datacenter/evidence', {
    cluster_id: 'demo-hall-1',
    instance_id: 'meter-9',
    event_type: 'HARDWARE_POWER_VALIDATION',
    origin: 'live-instrument',
    window_start: '2026-01-01T00:00:00Z',
    window_end: '2026-01-03T12:00:00Z',
    facility_energy_kwh: 60,
  });
  for (let count = 0; count < 3; count++) await finalized(own);
  copyOf(directory.path, whole);
  await service.close();
  directory.release();
  // Nor a claw-back, of credits that were bought.
  await perform(
    whole,
    localServiceOpening(new Map(), pino({ level: 'silent' }), trustModules),
    operationAction,
    {
      operation: 'clawBack',
      operator: null,
      arguments: { id: grant.subject_commitment, amount: 1, class: 'promotional', reason: 'stolen card' },
    },
  );
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Opens a copy of the demonstration's database. */
function copied(): Connection {
  const copy = join(scratch, 'copy');
  copyOf(whole, copy);
  return openWriter(join(copy, trustDatabase.name), 'memory');
}

/** Whatever can happen to the derived columns of each table, and to its rows if all of them are derived. */
const DAMAGE: Readonly<Record<string, readonly string[]>> = {
  a2a_task: ['UPDATE a2a_task SET messages = messages + 1', 'UPDATE a2a_task SET artifacts = 7'],
  agent_day: [
    'UPDATE agent_day SET successes = successes + 1',
    'UPDATE agent_day SET failures = 9 WHERE agent_seq = (SELECT min(agent_seq) FROM agent_day)',
    'DELETE FROM agent_day',
    'UPDATE agent_day SET sponsored_successes = sponsored_successes + 1',
    'UPDATE agent_day SET corroborated_failures = corroborated_failures + 1',
    'UPDATE agent_day SET assessed_successes = 1',
    'UPDATE agent_day SET revoked_failures = revoked_failures + 1',
    'INSERT INTO agent_day SELECT agent_seq, day + 900, 1, 1, 0, 0, 0, 0, 0, 0, 0 FROM agent_day',
  ],
  agent_standing: [
    'UPDATE agent_standing SET evidence_count = evidence_count + 1',
    'UPDATE agent_standing SET lost_count = 1',
    'UPDATE agent_standing SET artifact_count = artifact_count + 1',
    'UPDATE agent_standing SET failure_count = failure_count + 1',
    'UPDATE agent_standing SET receipt_count = receipt_count + 1',
    'UPDATE agent_standing SET milestone = 500',
    'UPDATE agent_standing SET listed = 1 - listed',
    'INSERT OR REPLACE INTO reputation_clock VALUES (1, 20000, 0); UPDATE agent_standing SET score = 99, stale = 0',
    'INSERT OR REPLACE INTO delivery_clock VALUES (1, 20000, 0); UPDATE agent_standing SET deliveries = 7',
  ],
  claw_back: [
    'DELETE FROM claw_back',
    'UPDATE claw_back SET day = day + 1',
    'INSERT INTO claw_back SELECT agent_seq, day + 900 FROM claw_back',
    'INSERT INTO claw_back SELECT agent_seq, 1 FROM agent_standing',
  ],
  datacenter_day: [
    'UPDATE datacenter_day SET power_mwh = power_mwh + 1',
    'UPDATE datacenter_day SET corrected = corrected + 1',
    'UPDATE datacenter_day SET longest_ms = 0',
    'UPDATE datacenter_day SET power_max_mw = NULL',
    'DELETE FROM datacenter_day',
    'UPDATE datacenter_day SET day = day + 1000',
  ],
  datacenter_instance_class: [
    'UPDATE datacenter_instance_class SET evidence = evidence + 1',
    'UPDATE datacenter_instance_class SET first_day = first_day - 1',
    'DELETE FROM datacenter_instance_class',
  ],
  datacenter_instance_day: [
    'UPDATE datacenter_instance_day SET firsts = firsts + 1',
    'DELETE FROM datacenter_instance_day',
    'UPDATE datacenter_instance_day SET day = day + 1000',
  ],
  datacenter_meter: [
    'UPDATE datacenter_meter SET enrolled_seq = enrolled_seq + 1',
    'DELETE FROM datacenter_meter',
  ],
  datacenter_register: [
    'UPDATE datacenter_register SET from_slot = from_slot - 1',
    'UPDATE datacenter_register SET until_slot = from_slot + 1',
    'DELETE FROM datacenter_register',
  ],
  datacenter_register_step: [
    'UPDATE datacenter_register_step SET change = change + 1',
    'DELETE FROM datacenter_register_step',
  ],
  datacenter_slot: [
    'UPDATE datacenter_slot SET it_mwh = it_mwh + 1',
    'UPDATE datacenter_slot SET it_meters = it_meters + 1',
    'UPDATE datacenter_slot SET late = 1 - late',
    'UPDATE datacenter_slot SET first_facility_mwh = 0',
    'DELETE FROM datacenter_slot',
  ],
  datacenter_slot_group: [
    'UPDATE datacenter_slot_group SET slots = slots + 1',
    'UPDATE datacenter_slot_group SET corrected_slots = slots - corrected_slots',
    'DELETE FROM datacenter_slot_group',
  ],
  datacenter_slot_part: [
    'UPDATE datacenter_slot_part SET it_ms = it_ms + 1',
    'DELETE FROM datacenter_slot_part',
  ],
  datacenter_whole_day: [
    'UPDATE datacenter_whole_day SET it_mwh = it_mwh + 1',
    'UPDATE datacenter_whole_day SET coarse = 0',
    'DELETE FROM datacenter_whole_day',
  ],
  gate_outcome: [
    'UPDATE gate_outcome SET breach = 1 - breach WHERE abandoned = 0',
    'UPDATE gate_outcome SET counted_at = counted_at + 1',
    'UPDATE gate_outcome SET blind = 1 - blind',
    'UPDATE gate_outcome SET abandoned = 1 - abandoned, breach = 0',
    'DELETE FROM gate_outcome',
    `INSERT INTO gate_outcome SELECT operator_seq, domain, blind, abandoned, counted_at + 1, receipt_seq, breach
     FROM gate_outcome`,
  ],
  journal_heads: [
    'UPDATE journal_heads SET heads = zeroblob(length(heads))',
    'UPDATE journal_heads SET first_leaf = first_leaf + 1',
    'DELETE FROM journal_heads WHERE heads_seq = (SELECT max(heads_seq) FROM journal_heads)',
    'INSERT INTO journal_heads SELECT heads_seq + 900, tree_seq, round + 900, 7, 0, heads FROM journal_heads',
  ],
  journal_tile: [
    'UPDATE journal_tile SET hashes = zeroblob(length(hashes))',
    'DELETE FROM journal_tile',
    'INSERT INTO journal_tile SELECT tile_seq + 900, tree_seq, level + 900, tile_index, hashes FROM journal_tile',
  ],
  key_spending: [
    'UPDATE key_spending SET credits = credits + 1',
    'DELETE FROM key_spending',
    'INSERT INTO key_spending SELECT api_key_seq, 7 FROM api_key_number WHERE TRUE ON CONFLICT DO NOTHING',
  ],
  ledger_account: [
    'UPDATE ledger_account SET balance = balance + 1',
    'UPDATE ledger_account SET granted = granted + 1, earned = earned + 1, spent = spent + 1',
    'UPDATE ledger_account SET last_seq = 1',
    "DELETE FROM ledger_account WHERE kind = 'agent'",
    "INSERT INTO ledger_account VALUES ('agent', 4000, 'paid', 5, 0, 5, 0, 1)",
  ],
  linked_account: [
    'UPDATE linked_account SET leaves = leaves + 1',
    'UPDATE linked_account SET linked = 1 - linked',
  ],
  linked_agent: ['UPDATE linked_agent SET leaves = leaves + 1'],
  lot_total: [
    'UPDATE lot_total SET amount = amount + 1',
    'DELETE FROM lot_total',
    "INSERT INTO lot_total VALUES ('agent', 987654, 'paid', 5)",
  ],
  movement_step: [
    'DELETE FROM movement_step',
    "UPDATE movement_step SET before_id = unhex('ffffffffffffffffffffffffffffffff')",
    "INSERT INTO movement_step SELECT 2, transaction_id, unhex('ffffffffffffffffffffffffffffffff') FROM movement WHERE movement_seq = 2",
  ],
  payout: ['UPDATE payout SET attempts = attempts + 1'],
  receipt_count: [
    'UPDATE receipt_count SET receipts = receipts + 1',
    'DELETE FROM receipt_count',
    `INSERT INTO receipt_count SELECT operator_seq, 'other', revocation_status, 3 FROM receipt_count GROUP BY 1, 3`,
  ],
  settlement_hour: [
    'UPDATE settlement_hour SET credits = credits + 1',
    'DELETE FROM settlement_hour',
    'INSERT INTO settlement_hour SELECT hour + 1, rail, credits FROM settlement_hour',
  ],
};

test('there is damage for every derived table', () => {
  expect(derived.map(({ table }) => table).toSorted()).toEqual(Object.keys(DAMAGE));
});

/** Returns all rows of a table, but for those that only say that there is nothing. */
function rowsOf(sqlite: Database, table: string): unknown[] {
  const isNothing = NOTHING[table] ?? 'FALSE';
  const rows = sqlite
    .query<object, []>(`SELECT * FROM ${table} WHERE NOT coalesce(${isNothing}, FALSE) ORDER BY 1, 2`)
    .all();
  const later = LATER[table] ?? [];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !later.includes(name))));
}

/** The columns that the service computes again when it starts. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  agent_standing: ['deliveries', 'score', 'stale'],
};

const NOTHING: Readonly<Record<string, string>> = {
  agent_day: 'successes = 0 AND failures = 0',
  datacenter_instance_day: 'firsts = 0 AND lasts = 0',
  ledger_account: 'balance = 0 AND last_seq IS NULL',
  receipt_count: 'receipts = 0',
};

describe.each(derived.map((each) => [each.table, each] as const))('the derived table %s', (table, each) => {
  test('is right in the demonstration', async () => {
    const connection = copied();
    expect(await each.check(snapshotOf(connection))).toEqual([]);
    expect(connection.sqlite.query(`SELECT count(*) AS rows FROM ${table}`).get()).not.toEqual({ rows: 0 });
    connection.sqlite.close();
  });

  test.each(DAMAGE[table] ?? [])('is made again as it was after %s', async (damage) => {
    const connection = copied();
    const { sqlite } = connection;
    const before = rowsOf(sqlite, table);
    sqlite.run('PRAGMA ignore_check_constraints = ON');
    sqlite.run('PRAGMA foreign_keys = OFF');
    pastTriggers(sqlite, table, () => sqlite.run(damage));
    await expectFaults(each, connection);
    sqlite.run('BEGIN');
    await each.rebuild(connection);
    sqlite.run('COMMIT');
    expect(rowsOf(sqlite, table)).toEqual(before);
    expect(await each.check(snapshotOf(connection))).toEqual([]);
    expect(schemaDifferences(sqlite, trustDatabase.schema)).toEqual([]);
    sqlite.close();
  });
});

test('a derived table names the tables that it follows from', () => {
  const connection = copied();
  const sources = new Map(derived.map((each) => [each.table, each.sources(connection).toSorted()]));
  expect(sources.get('receipt_count')).toEqual(['receipt']);
  expect(sources.get('gate_outcome')).toEqual([
    ...['receipt', 'receipt_leaf', 'receipt_version', 'service_receipt'],
  ]);
  expect(sources.get('ledger_account')).toEqual(['movement']);
  expect(sources.get('datacenter_instance_day')).toEqual(['datacenter_instance_class']);
  connection.sqlite.close();
});

/** Expects that the check of a damaged table says so. */
async function expectFaults(damaged: Derived, connection: Connection): Promise<void> {
  const problems = await damaged.check(snapshotOf(connection));
  expect(problems).not.toEqual([]);
  for (const problem of problems) {
    expect(problem.table).toBe(damaged.table);
    expect(damaged.explains(problem)).toBe(true);
  }
}
