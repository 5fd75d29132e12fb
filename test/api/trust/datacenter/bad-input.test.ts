import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { hourOf, TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const type = { 'content-type': 'application/json' };

/** Telemetry in which a value stands as text, because JSON.stringify cannot write it. */
const raw = (member: string, text: string): string =>
  JSON.stringify(telemetryOf(0, { [member]: 4711 })).replace('4711', text);

/** A body that is refused because of these members. */
const refused = (name: string, fields: string, changes: JsonObject): Scenario => [
  name,
  `POST ${TELEMETRY}`,
  `400 validation_error: ${fields}`,
  { body: telemetryOf(0, changes) },
];
const without = (...members: string[]): JsonObject => {
  const all: JsonObject = telemetryOf(0);
  return Object.fromEntries(Object.entries(all).filter(([member]) => !members.includes(member)));
};

const numbers: Scenario[] = [
  ['NaN is no JSON', `POST ${TELEMETRY}`, '400 invalid_json', { raw: raw('water_l', 'NaN'), headers: type }],
  [
    'Infinity is no JSON',
    `POST ${TELEMETRY}`,
    '400 invalid_json',
    { raw: raw('water_l', 'Infinity'), headers: type },
  ],
  [
    '1e309 is above every limit',
    `POST ${TELEMETRY}`,
    '400 validation_error: water_l',
    { raw: raw('water_l', '1e309'), headers: type },
  ],
  [
    '-1e309 is below every limit',
    `POST ${TELEMETRY}`,
    '400 validation_error: water_l',
    { raw: raw('water_l', '-1e309'), headers: type },
  ],
  [
    'an integer beyond doubles is refused',
    `POST ${TELEMETRY}`,
    '400 invalid_json',
    { raw: raw('water_l', '9007199254740993'), headers: type },
  ],
  [
    'a number with a leading plus is no JSON',
    `POST ${TELEMETRY}`,
    '400 invalid_json',
    { raw: raw('water_l', '+1'), headers: type },
  ],
  [
    'a hexadecimal number is no JSON',
    `POST ${TELEMETRY}`,
    '400 invalid_json',
    { raw: raw('water_l', '0x10'), headers: type },
  ],
  [
    'a value that occurs twice is refused',
    `POST ${TELEMETRY}`,
    '400 invalid_json',
    { raw: raw('water_l', '1,"water_l":2'), headers: type },
  ],
  refused('negative water is refused', 'water_l', { water_l: -0.001 }),
  refused('negative energy is refused', 'it_energy_kwh', { it_energy_kwh: -1 }),
  refused('negative avoided carbon is refused', 'carbon_avoided_kg', { carbon_avoided_kg: -1 }),
  refused('energy above 1 TWh is refused', 'facility_energy_kwh', { facility_energy_kwh: 1.1e9 }),
  refused('power above 1 GW is refused', 'measured_power_avg_w', { measured_power_avg_w: 1.1e9 }),
  refused('a number as text is refused', 'water_l', { water_l: '5' }),
  refused('null is refused', 'water_l', { water_l: null }),
  refused('a list is refused', 'water_l', { water_l: [5] }),
  refused('a flag as a number is refused', 'policy_setpoint_applied', { policy_setpoint_applied: 1 }),
  refused('a junction above 115 °C is refused', 'peak_junction_temp_c', { peak_junction_temp_c: 115.1 }),
  refused('a junction below 0 °C is refused', 'peak_junction_temp_c', { peak_junction_temp_c: -0.1 }),
  refused('a junction in kelvin is refused', 'peak_junction_temp_c', { peak_junction_temp_c: 344 }),
  refused('an inlet in kelvin is refused', 'inlet_temp_c', { inlet_temp_c: 296 }),
  refused('an inlet below -50 °C is refused', 'inlet_temp_c', { inlet_temp_c: -50.1 }),
  refused('an inlet hotter than the junction is refused', 'inlet_temp_c', {
    inlet_temp_c: 30,
    peak_junction_temp_c: 29,
  }),
  refused('a grid with more carbon than any fuel is refused', 'grid_carbon_intensity_g_per_kwh', {
    grid_carbon_intensity_g_per_kwh: 2001,
  }),
  refused('a power that falls by more than all is refused', 'delta_power_pct', { delta_power_pct: -100.1 }),
];

const units: Scenario[] = [
  refused('less energy of the facility than of its IT equipment is refused', 'facility_energy_kwh', {
    facility_energy_kwh: 39.999,
  }),
  refused('more renewable energy than the facility used is refused', 'renewable_kwh', {
    renewable_kwh: 50.001,
  }),
  refused('more reused energy than the facility used is refused', 'reused_kwh', { reused_kwh: 51 }),
  refused('power in kilowatts is refused', 'measured_power_avg_w', { measured_power_avg_w: 40 }),
  refused('power in milliwatts is refused', 'measured_power_avg_w', { measured_power_avg_w: 40_000_000 }),
  refused('energy in watt-hours is refused', 'measured_power_avg_w, facility_energy_kwh', {
    it_energy_kwh: 40_000,
    measured_power_avg_w: 40_000,
  }),
  refused('energy in joules is refused', 'facility_energy_kwh', { it_energy_kwh: 144_000_000 }),
  refused('a nameplate in kilowatts is refused', 'it_energy_kwh', { baseline_nameplate_w: 40 }),
  refused('power just above 1.5 times the nameplate is refused', 'measured_power_avg_w, it_energy_kwh', {
    measured_power_avg_w: 40_000,
    baseline_nameplate_w: 26_666,
  }),
];

const windows: Scenario[] = [
  refused('a reversed window is refused', 'window_end', { window_start: hourOf(2), window_end: hourOf(1) }),
  refused('an empty window is refused', 'window_end', { window_end: hourOf(0) }),
  refused('a window of a year is refused', 'window_end', {
    window_start: hourOf(-8760),
    window_end: hourOf(0),
  }),
  refused('a window of 31 days and a millisecond is refused', 'window_end', {
    window_start: '2026-03-31T23:59:59.999Z',
    window_end: '2026-05-02T00:00:00.000Z',
  }),
  refused('a window in the future is refused', 'window_end', {
    window_start: '2999-01-01T00:00:00Z',
    window_end: '2999-01-01T01:00:00Z',
  }),
  refused('a window of the last century is refused', 'window_start', {
    window_start: '1999-12-31T23:00:00Z',
    window_end: '1999-12-31T23:30:00Z',
  }),
  refused('a time in another zone is refused', 'window_start', { window_start: '2026-05-01T02:00:00+02:00' }),
  refused('a time with an offset of zero is refused', 'window_start', {
    window_start: '2026-05-01T00:00:00+00:00',
  }),
  refused('a day without a time is refused', 'window_start', { window_start: '2026-05-01' }),
  refused('a leap second is refused', 'window_end', { window_end: '2026-05-01T00:00:60Z' }),
  refused('a time without a zone is refused', 'window_start', { window_start: '2026-05-01T00:00:00' }),
  refused('a day that does not exist is refused', 'window_start', { window_start: '2026-02-30T00:00:00Z' }),
  refused('a time in microseconds is refused', 'window_start', {
    window_start: '2026-05-01T00:00:00.000001Z',
  }),
  refused('a time as a number is refused', 'window_start', { window_start: 1_777_593_600 }),
];

const members: Scenario[] = [
  refused('a member that is unknown is refused', 'energy', { energy: 5 }),
  refused('a class of its own choice is refused', 'class', { class: 'hardware_measured' }),
  refused('an unknown event type is refused', 'event_type', { event_type: 'PUE' }),
  refused('an unknown origin is refused', 'origin', { origin: 'hardware' }),
  refused('an empty cluster is refused', 'cluster_id', { cluster_id: '' }),
  refused('a cluster with a space is refused', 'cluster_id', { cluster_id: 'hall 1' }),
  refused('a cluster with an umlaut is refused', 'cluster_id', { cluster_id: 'häll' }),
  refused('an instance as a number is refused', 'instance_id', { instance_id: 7 }),
  refused('an empty sku is refused', 'sku', { sku: '' }),
  refused('a sku with a control character is refused', 'sku', { sku: 'a\u0000b' }),
  refused('a source of 257 characters is refused', 'telemetry_source', {
    telemetry_source: 'x'.repeat(257),
  }),
  refused('a signature in upper case is refused', 'signature', {
    signature: 'AB'.repeat(64),
    subject_commitment: 'ab'.repeat(32),
  }),
  refused('a commitment of one byte is refused', 'subject_commitment', {
    signature: 'ab'.repeat(64),
    subject_commitment: 'ab',
  }),
  refused('a cluster with a slash is refused', 'cluster_id', { cluster_id: 'a/b' }),
  refused('a cluster that is a dot, which URLs leave out, is refused', 'cluster_id', { cluster_id: '.' }),
  refused('a cluster that is two dots, which URLs resolve, is refused', 'cluster_id', { cluster_id: '..' }),
  refused('a cluster with a line break is refused', 'cluster_id', { cluster_id: 'a\n' }),
  refused('a cluster of 129 characters is refused', 'cluster_id', { cluster_id: 'a'.repeat(129) }),
  refused('an instance in another script is refused', 'instance_id', { instance_id: 'rаck' }),
  refused('a signature without its instrument is refused', 'signature', { signature: 'ab'.repeat(64) }),
  refused('an instrument without its signature is refused', 'signature', {
    subject_commitment: 'ab'.repeat(32),
  }),
  [
    'a body without an origin is refused',
    `POST ${TELEMETRY}`,
    '400 validation_error: origin',
    { body: without('origin') },
  ],
  [
    'a body without measurements is refused',
    `POST ${TELEMETRY}`,
    '400 validation_error: event_type',
    { body: without('it_energy_kwh', 'facility_energy_kwh') },
  ],
  [
    'power validation with water only is refused',
    `POST ${TELEMETRY}`,
    '400 validation_error: event_type',
    {
      body: {
        ...without('it_energy_kwh', 'facility_energy_kwh'),
        event_type: 'HARDWARE_POWER_VALIDATION',
        water_l: 5,
      },
    },
  ],
  ['an array is refused', `POST ${TELEMETRY}`, '400 validation_error: body', { body: [] }],
  ['no body is refused', `POST ${TELEMETRY}`, '400 validation_error'],
  [
    'a body in gzip is refused',
    `POST ${TELEMETRY}`,
    '415 unsupported_media_type',
    { raw: '{}', headers: { ...type, 'content-encoding': 'gzip' } },
  ],
];

describe('Telemetry with impossible numbers:', () => scenarios(() => app, numbers));
describe('Telemetry with wrong units:', () => scenarios(() => app, units));
describe('Telemetry with impossible windows:', () => scenarios(() => app, windows));
describe('Telemetry with wrong members:', () => scenarios(() => app, members));

test('Telemetry that is refused is not stored', async () => {
  const stored = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ items: number; clusters: number }, []>(
        'SELECT (SELECT count(*) FROM datacenter_evidence) AS items, (SELECT count(*) FROM datacenter_cluster) AS clusters',
      )
      .get(),
  );
  expect(stored).toEqual({ items: 0, clusters: 0 });
});

test('-0 is stored as 0, and is the same body as 0', async () => {
  const zero = (text: string) => app.own.post(TELEMETRY, raw('water_l', text).replace('hall-1', 'hall-zero'));
  const first = await zero('-0');
  expect(first.status).toBe(201);
  const again = await zero('0');
  expect([again.status, again.body.evidence_id]).toEqual([200, first.body.evidence_id]);
  const { body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-zero/scorecard');
  expect(JSON.stringify(body)).not.toMatch(/[:[]-0[,\]}]/);
  const stored = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ type: string }, []>(
        'SELECT typeof(water_ml) || water_ml AS type FROM datacenter_evidence WHERE water_ml IS NOT NULL',
      )
      .all(),
  );
  expect(stored).toEqual([{ type: 'integer0' }]);
});

test('Telemetry that is refused counts as a write of its operator', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'quotas.other.writes_per_minute': '3' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt++)
    statuses.push((await limited.own.post(TELEMETRY, { ...telemetryOf(0), facility_energy_kwh: 1 })).status);
  await limited.close();
  expect(statuses).toEqual([400, 400, 400, 429]);
});
