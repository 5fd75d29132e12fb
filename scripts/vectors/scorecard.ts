import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { GENERATED_AT, packageKeys, signedPackage } from '../../test/support/compliance-package.ts';
import { patchOf } from '../../test/support/json-patch.ts';
import { testKey } from '../../test/support/small-log.ts';
import { ingested, telemetryOf } from '../../test/support/telemetry.ts';
import { openTrustApp } from '../../test/support/trust-app.ts';
import { VECTORS } from '../../test/support/vectors.ts';
import { VirtualTime } from '../../test/support/virtual-time.ts';
import { brokenTexts } from './broken-texts.ts';
import { EARLIER_FILE, earlierCases, earlierText, unsignedEarlier } from './earlier-form.ts';
import { keysWith, later, type Place } from './statement-cases.ts';

const GENUINE = 'genuine.json';

const CREDENTIALS = testKey(3);
const RECEIPTS = testKey(1);
const didOf = ({ public_key }: { public_key: string }): string => didKey(Buffer.from(public_key, 'hex'));
const pretty = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`;

/**
 * Returns the scorecard of a running service, of two hours of declared telemetry and one that is simulated,
 * and its keys.
 */
export async function scorecardSample(): Promise<{ document: JsonObject; keys: JsonValue }> {
  const app = await openTrustApp({}, new VirtualTime(Date.parse(GENERATED_AT)));
  try {
    await ingested(
      app.own,
      telemetryOf(0, {
        water_l: 60,
        renewable_kwh: 20,
        measured_power_avg_w: 40_000,
        baseline_nameplate_w: 50_000,
        peak_junction_temp_c: 81.5,
        inlet_temp_c: 22,
        grid_carbon_intensity_g_per_kwh: 386,
      }),
    );
    await ingested(app.own, telemetryOf(30, { it_energy_kwh: 37 }));
    await ingested(app.own, telemetryOf(2, { origin: 'synthetic', facility_energy_kwh: 41 }));
    const { status, body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
    const document: JsonValue = JSON.parse(JSON.stringify(body));
    if (status !== 200 || !isJsonObject(document)) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return {
      document,
      keys: JSON.parse(JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body)),
    };
  } finally {
    await app.close();
  }
}

/** Signs a scorecard as the service does, with a test key. */
function signed(document: JsonObject, key = CREDENTIALS): JsonObject {
  const { signature: _signature, kid: _kid, ...said } = document;
  return signedPackage(said, key);
}

/** Gives a scorecard of the running service the issuer of the test key, its signature, and one operator. */
export const adoptedScorecard = (document: JsonObject): JsonObject =>
  signed({ ...document, issuer: didOf(CREDENTIALS), operator_id: 'op_cus_1234…wxyz' });

interface ScorecardCase {
  name: string;
  document: JsonObject;
  keys: JsonObject;
  at: string;
  verdict: string;
  problem: string | null;
}

type Row = [name: string, place: Place, to: JsonValue | undefined, verdict: string, problem: string | null];

function scorecardCases(genuine: JsonObject): ScorecardCase[] {
  const one = (
    name: string,
    changes: Partial<ScorecardCase>,
    verdict: string,
    problem: string | null,
  ): ScorecardCase => ({
    ...{ name, document: genuine, keys: packageKeys, at: GENERATED_AT, verdict, problem },
    ...changes,
  });
  const unsigned: Row[] = [
    ['another metric', ['declared', 'pue', 'value'], 1.1, 'bad_signature', 'signature'],
    ['a day left out', ['declared', 'daily_pue', 0], undefined, 'bad_signature', 'signature'],
    [
      'declared metrics as measured ones',
      ['hardware_measured'],
      genuine.declared,
      'bad_signature',
      'signature',
    ],
    ['simulated metrics as declared ones', ['declared'], genuine.simulated, 'bad_signature', 'signature'],
    ['another period', ['period', 'from'], '2026-05-01T00:00:00.000Z', 'bad_signature', 'signature'],
    ['another date', ['generated_at'], '2026-05-31T12:00:00.000Z', 'bad_signature', 'signature'],
    ['another member', ['another'], 1, 'bad_signature', 'signature'],
    ['another cluster_id than in id', ['cluster_id'], 'hall-2', 'malformed', 'id is not'],
    ['another signature', ['signature'], '00'.repeat(64), 'bad_signature', 'signature'],
    ['a signature in upper case', ['signature'], 'AB'.repeat(64), 'malformed', 'signature is not'],
    ['the kid of a key for receipts', ['kid'], RECEIPTS.kid, 'key_unknown', 'kid'],
    ['a number as kid', ['kid'], 7, 'malformed', 'kid is not'],
  ];
  const resigned: Row[] = [
    ['another metric', ['declared', 'pue', 'value'], 1.1, 'valid', null],
    ['another member', ['another'], 1, 'valid', null],
    ['numbers with an exponent', ['another'], [1e21, 1e20, 1e-7, 1e-6, -0], 'valid', null],
    ['another type', ['type'], 'gate-decision', 'malformed', null],
    ['the type of a package', ['type'], 'compliance-package', 'malformed', null],
    ['no type', ['type'], undefined, 'malformed', null],
    ['a version that is not known', ['v'], 2, 'malformed', 'v is not 1'],
    ['the id of another cluster', ['id'], 'urn:countersign:cluster:hall-2', 'malformed', 'id is not'],
    ['no period', ['period'], null, 'malformed', 'period is not'],
    [
      'a time without milliseconds',
      ['period', 'to'],
      '2026-06-02T00:00:00Z',
      'malformed',
      'period.to is not',
    ],
    ['the did:key of another issuer', ['issuer'], didOf(testKey(9)), 'inconsistent', 'issuer is not'],
    ['a did:web as issuer', ['issuer'], 'did:web:trust.example', 'valid', null],
  ];
  /** Of this issuer, with a list that names another one. */
  const ofIssuer = (issuer: string) => ({
    document: signed({ ...genuine, issuer }),
    keys: { issuer: 'did:web:trust.example', ...packageKeys },
  });
  const ended = (ms: number) => ({
    keys: keysWith({ status: 'retired', valid_until: later(GENERATED_AT, ms) }),
  });
  return [
    one('a genuine scorecard', {}, 'valid', null),
    ...unsigned.map(([name, place, to, verdict, problem]) =>
      one(name, { document: replaced(genuine, place, to) }, verdict, problem),
    ),
    one(
      'another cluster',
      { document: { ...genuine, cluster_id: 'hall-2', id: 'urn:countersign:cluster:hall-2' } },
      'bad_signature',
      'signature',
    ),
    one('signed by a key for receipts', { document: signed(genuine, RECEIPTS) }, 'key_unknown', 'kid'),
    one(
      'signed by a key for receipts in the name of the right one',
      { document: { ...signed(genuine, RECEIPTS), kid: CREDENTIALS.kid } },
      'bad_signature',
      'signature',
    ),
    ...resigned.map(([name, place, to, verdict, problem]) =>
      one(`${name}, signed`, { document: signed(replaced(genuine, place, to)) }, verdict, problem),
    ),
    one('the issuer that the list names', ofIssuer('did:web:trust.example'), 'valid', null),
    one(
      'another issuer than the list names',
      ofIssuer('did:web:bank.example'),
      'issuer_unknown',
      'issuer is',
    ),
    one('a stolen key', { keys: keysWith({ status: 'compromised' }) }, 'key_compromised', 'kid'),
    one('a key that was retired before', ended(-1), 'key_retired', 'generated_at'),
    one('a key that was retired at that time', ended(0), 'valid', null),
    one('a key that signs something else', { keys: keysWith({ purpose: 'receipts' }) }, 'key_unknown', 'kid'),
    one('60 seconds before its date', { at: later(GENERATED_AT, -60_000) }, 'valid', null),
    one(
      'more than 60 seconds before its date',
      { at: later(GENERATED_AT, -60_001) },
      'future',
      'generated_at is',
    ),
    one('years later', { at: later(GENERATED_AT, 1e11) }, 'valid', null),
  ];
}

/** Returns the genuine scorecard of test/vectors/scorecard. */
export const genuineScorecard = (): JsonObject =>
  JSON.parse(readFileSync(join(VECTORS, 'scorecard', GENUINE), 'utf8'));

/**
 * Returns the text of each file of test/vectors/scorecard, by its name. All follow from the genuine scorecard
 * and fixed keys.
 */
export function scorecardVectors(): ReadonlyMap<string, string> {
  const genuine = genuineScorecard();
  const text = pretty(genuine);
  const broken = brokenTexts(text);
  const rows = [
    ...scorecardCases(genuine).map(({ name, document, keys, at, verdict, problem }) => ({
      ...{ name, file: GENUINE, patch: patchOf(genuine, document), keys_patch: patchOf(packageKeys, keys) },
      ...{ at, verdict, problem },
    })),
    ...broken.map(({ file, name }) => ({
      ...{ name, file, at: GENERATED_AT, verdict: 'malformed', problem: null },
    })),
    ...earlierCases('scorecard', GENERATED_AT),
  ];
  return new Map([
    [GENUINE, text],
    [EARLIER_FILE, earlierText('scorecard')],
    ['unsigned.json', `${JSON.stringify([unsignedEarlier('packages.md')], null, 2)}\n`],
    ['keys.json', pretty(packageKeys)],
    ...broken.map(({ file, text }) => [file, text] as const),
    ['cases.json', `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`],
  ]);
}

/** Returns a new genuine scorecard, as a running service gives it, by its path. */
export async function sampledScorecard(): Promise<ReadonlyMap<string, string>> {
  const { document } = await scorecardSample();
  return new Map([[`scorecard/${GENUINE}`, pretty(adoptedScorecard(document))]]);
}
