import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as datacenterTables } from '../../../../src/trust/datacenter/audit.ts';
import { audited as receiptTables } from '../../../../src/trust/receipts/audit.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { audited } from '../../../support/audit.ts';
import { flippedColumns } from '../../../support/flipped-columns.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';
import { enrolledInstrument, hourOf, ingested, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

/** A directory with telemetry of two clusters; tests work on copies. */
let whole: string;
let scratch: string;

/** Telemetry with every member. */
const full = {
  sku: 'HGX-H100',
  telemetry_source: 'pdu-snmp',
  water_l: 51.5,
  renewable_kwh: 20,
  reused_kwh: 2,
  measured_power_avg_w: 40_000,
  baseline_nameplate_w: 45_000,
  delta_power_pct: -3.5,
  peak_junction_temp_c: 71,
  inlet_temp_c: 23.5,
  policy_setpoint_applied: true,
  thermal_throttle_observed: true,
  grid_carbon_intensity_g_per_kwh: 321.5,
  energy_saved_kwh: 1,
  carbon_avoided_kg: 0.5,
};

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-datacenter-audit-'));
  const app = await openTrustApp();
  const instrument = await enrolledInstrument(app);
  // Receipts of the operator itself: the numbers of telemetry have gaps.
  await app.own.issue();
  const measured = { ...telemetryOf(0, full), subject_commitment: instrument.commitment };
  await ingested(app.own, { ...measured, signature: instrument.sign(measured) });
  await app.own.issue();
  // Of another class, so that it counts.
  await ingested(app.own, telemetryOf(0.5, { ...full, event_type: 'HARDWARE_POWER_VALIDATION' }));
  // Overlaps the one before, so that it does not count.
  await ingested(app.own, telemetryOf(1, { ...full, event_type: 'THERMAL_SAFETY_AUDIT' }));
  await ingested(app.other, {
    ...telemetryOf(0, { ...full, event_type: 'CARBON_AVOIDED_ACCRUAL', cluster_id: 'hall-2' }),
    origin: 'synthetic',
    window_end: hourOf(30),
    it_energy_kwh: 1200,
    facility_energy_kwh: 1500,
  });
  // Corrected and attested, over two days with a whole one, in parts of a slot.
  const rest = {
    cluster_id: 'hall-3',
    window_end: hourOf(50.1),
    pue_category: 2,
    meter_role: 'both' as const,
  };
  const { evidence_id } = await ingested(app.own, telemetryOf(3.05, rest));
  const signed = {
    ...telemetryOf(3.05, rest),
    corrects: String(evidence_id),
    correction_reason: 'a typo',
    it_energy_kwh: 41,
  };
  await ingested(app.own, signed);
  const attester = await enrolledAgent(app, { sponsor: app.otherId });
  const attested = telemetryOf(60, { cluster_id: 'hall-3', subject_commitment: instrument.commitment });
  const signature = attester.sign({
    type: 'instrument-attestation',
    cluster_id: 'hall-3',
    instance_id: 'rack-1',
    subject_commitment: instrument.commitment,
    attester_commitment: attester.commitment,
  });
  const attestation = { attester_commitment: attester.commitment, signature };
  await ingested(app.own, {
    ...attested,
    attestation,
    signature: instrument.sign({ ...attested, attestation }),
  });
  const retired = await app.own.post('/api/v1/datacenter/clusters/hall-3/meters/rack-1/retire', {
    at: new Date().toISOString(),
  });
  expect(retired.status).toBe(201);
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

const TABLES = [...datacenterTables, ...receiptTables.filter(({ name }) => name === 'service_receipt')];

/** What fsck says about data centers, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: TABLES });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

/** A copy of the directory with an open database in which everything can be changed. */
function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name);
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

describe('fsck', () => {
  test('finds no problem in telemetry, and verifies the signatures of instruments', async () => {
    const { outcome, reported } = await audited(whole);
    expect(reported).toEqual([]);
    expect(outcome.examined).toMatchObject({ telemetry: 7 });
  });

  test.each([
    ['datacenter_evidence', 'datacenter_evidence'],
    ['datacenter_cluster', 'datacenter_cluster'],
    ['datacenter_instance', 'datacenter_cluster'],
    ['datacenter_instance_class', 'datacenter_instance_class'],
    ['datacenter_instance_day', 'datacenter_instance_day'],
    ['datacenter_day', 'datacenter_day'],
    ['datacenter_retirement', 'datacenter_retirement'],
    ['datacenter_whole_day', 'datacenter_whole_day'],
    ['datacenter_slot_part', 'datacenter_slot_part'],
    ['datacenter_slot', 'datacenter_slot'],
    ['datacenter_slot_group', 'datacenter_slot_group'],
    ['datacenter_register', 'datacenter_register'],
    ['datacenter_register_step', 'datacenter_register_step'],
    ['datacenter_meter', 'datacenter_meter'],
  ])(
    'names the row of %s of which any column was changed',
    async (table, audit) => {
      const copy = copied(`flipped-${table}`);
      const only = TABLES.filter(({ name }) => name === audit);
      const unnamed: unknown[] = [];
      const flips = flippedColumns(copy, table, only);
      for await (const { column, row, sentences, isNamed } of flips)
        if (!isNamed) unnamed.push({ column, row, sentences });
      copy.database.close();
      expect(unnamed).toEqual([]);
    },
    180_000,
  );

  test.each([
    [
      'an item that was deleted',
      'DELETE FROM datacenter_evidence WHERE receipt_seq = 2',
      'service_receipt (receipt_seq 2): it is the receipt of no item of telemetry',
    ],
    [
      'a day that was deleted',
      'DELETE FROM datacenter_day WHERE cluster_seq = 2',
      'datacenter_day (cluster_seq 2',
    ],
    [
      'a cluster that was deleted',
      'DELETE FROM datacenter_cluster WHERE cluster_seq = 1',
      'datacenter_cluster (cluster_seq 3): rows before it are missing',
    ],
    [
      'an instance that was deleted',
      'DELETE FROM datacenter_instance WHERE instance_seq = 1',
      'datacenter_instance (instance_seq 3): rows before it are missing',
    ],
    [
      'a receipt of the service of which telemetry knows nothing',
      'INSERT INTO service_receipt VALUES (1)',
      'service_receipt (receipt_seq 1): authority_scope is none of the service',
    ],
    [
      'an instrument that did not sign',
      'UPDATE agent SET public_key = randomblob(32) WHERE agent_seq = (SELECT min(agent_seq) FROM agent)',
      'class is not that of its payload',
    ],
    [
      'an item without a receipt of the service',
      'DELETE FROM service_receipt WHERE receipt_seq = 2',
      'it has no receipt of the service',
    ],
    [
      'energy that counts twice',
      'UPDATE datacenter_evidence SET counts_energy = 1 WHERE receipt_seq = 5',
      'datacenter_evidence (receipt_seq 5): the energy of an instance counts twice',
    ],
    [
      'temperatures that count twice',
      'UPDATE datacenter_evidence SET counts_thermal = 1 WHERE receipt_seq = 5',
      'datacenter_evidence (receipt_seq 5): the temperatures of an instance count twice',
    ],
    [
      'windows of one event type that overlap',
      "UPDATE datacenter_evidence SET event_type = 'HARDWARE_POWER_VALIDATION' WHERE receipt_seq = 5",
      'datacenter_evidence (receipt_seq 5): windows of one instance and event type overlap',
    ],
    [
      'a body that cannot be read',
      "UPDATE datacenter_evidence SET payload = x'00' WHERE receipt_seq = 2",
      'payload cannot be read',
    ],
  ])('finds %s', async (name, change, sentence) => {
    const { directory, database } = copied(name.replaceAll(' ', '-'));
    expect(database.run(change).changes).toBe(1);
    database.close();
    expect((await sentencesOf(directory)).join('\n')).toContain(sentence);
  });
});

describe('triggers', () => {
  /** A copy of the directory whose triggers are there. */
  const opened = (name: string): Database => {
    const directory = join(scratch, name);
    cpSync(whole, directory, { recursive: true });
    return new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  };

  test.each([
    ['UPDATE datacenter_evidence SET it_mwh = 1', 'telemetry never changes'],
    ['DELETE FROM datacenter_evidence', 'telemetry is never deleted'],
    ['UPDATE datacenter_cluster SET operator_seq = 2', 'a cluster keeps its operator'],
    ['DELETE FROM datacenter_cluster', 'clusters are never deleted'],
    ['UPDATE datacenter_instance SET instance_id = 1', 'instances never change'],
    ['DELETE FROM datacenter_instance', 'instances are never deleted'],
    ['UPDATE datacenter_day SET power_mwh = 1', 'sums of telemetry only grow'],
    ['DELETE FROM datacenter_day', 'sums of telemetry are never deleted'],
    ['UPDATE datacenter_instance_class SET first_day = 1', 'counts of telemetry only grow'],
    ['DELETE FROM datacenter_instance_class', 'counts of telemetry are never deleted'],
    ['UPDATE datacenter_instance_day SET firsts = firsts + 2', 'counts of instances change by one'],
    ['UPDATE datacenter_instance_day SET day = day + 1', 'counts of instances change by one'],
    ['DELETE FROM datacenter_instance_day', 'counts of instances are never deleted'],
  ])('refuse %s', (change, message) => {
    const database = opened('guarded');
    database.run('PRAGMA foreign_keys = OFF');
    expect(() => database.run(change)).toThrow(message);
    database.close();
  });

  test.each([
    [
      'event_type',
      'windows of one instance and event type do not overlap',
      'counts_energy = 0, counts_thermal = 0',
    ],
    [
      'counts_energy',
      'the energy of an instance counts once in a class',
      "event_type = 'other', counts_energy = 1, counts_thermal = 0",
    ],
    [
      'counts_thermal',
      'the temperatures of an instance count once in a class',
      "event_type = 'other', counts_energy = 0, counts_thermal = 1",
    ],
  ])('refuse a row that overlaps another one by its %s', (_column, message, change) => {
    const database = opened('overlapping');
    database.run('PRAGMA foreign_keys = OFF');
    const copy = database
      .query<{ name: string }, []>('PRAGMA table_info(datacenter_evidence)')
      .all()
      .map(({ name }) => {
        const set = change.split(', ').find((one) => one.startsWith(`${name} = `));
        if (name === 'receipt_seq') return '99';
        if (name === 'evidence_id') return 'randomblob(16)';
        return set === undefined ? name : set.slice(name.length + 3);
      });
    const insert = `INSERT INTO datacenter_evidence SELECT ${copy.join(', ')} FROM datacenter_evidence WHERE receipt_seq = 2`;
    expect(() => database.run(insert)).toThrow(message);
    database.close();
  });
});
