import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { client } from '../../../support/client.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { tampered } from '../../../support/statements.ts';
import { expanded, loaderOf, opinionOf } from '../../../support/stranger.ts';
import { ingested, telemetryOf } from '../../../support/telemetry.ts';

/*
 * @digitalbazaar/vc with its suite and its status lists judges credentials about clusters that the executable issues. It shares no code with
 * the service.
 */

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
let server: Running;
let api: ReturnType<typeof client>;
let loader: DocumentLoader;
let credential: JsonObject;

async function credentialOf(cluster: string): Promise<JsonObject> {
  const { status, body } = await api.get(`/api/v1/datacenter/clusters/${cluster}/credential`);
  expect([status, body.error]).toEqual([200, undefined]);
  return JSON.parse(JSON.stringify(body));
}

/** Telemetry that an instrument signs by the command. */
async function signedTelemetry(): Promise<JsonObject> {
  expect((await run(['keygen', '--out', file('meter.pem')])).code).toBe(0);
  writeFileSync(file('api-key'), server.apiKey, { mode: 0o600 });
  const args = ['--key', file('meter.pem'), '--name', 'meter', '--api-key-file', file('api-key')];
  const { stdout } = await run(['enroll', server.url, ...args]);
  // From now on, since it measures nothing before its enrollment.
  const now = Date.now();
  const body = telemetryOf(4, {
    window_start: new Date(now).toISOString(),
    window_end: new Date(now + 10_000).toISOString(),
    subject_commitment: JSON.parse(stdout).subject_commitment,
  });
  writeFileSync(file('telemetry.json'), JSON.stringify(body));
  const signed = await run(['sign', file('telemetry.json'), '--key', file('meter.pem')]);
  return { ...body, signature: String(JSON.parse(signed.stdout).signature) };
}

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_RATE_LIMITS: 'off' });
  api = client(fetch, server.url, server.apiKey);
  loader = await loaderOf(server.url);
  await ingested(api, telemetryOf(0, { water_l: 60, inlet_temp_c: 22, peak_junction_temp_c: 80 }));
  await ingested(api, telemetryOf(1, { origin: 'synthetic' }));
  await ingested(api, await signedTelemetry());
  credential = await credentialOf('hall-1');
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** What the command says, with the keys of the service and its status lists. */
async function commandSays(document: unknown) {
  const asked = ['credential', 'verify', '-', '--keys', server.url, '--status', server.url];
  const { code, stdout } = await run(asked, { stdin: JSON.stringify(document) });
  return { code, verdict: JSON.parse(stdout).verdict };
}

describe('a credential about a cluster of the executable', () => {
  test('is accepted by a stranger, by the service and by the command', async () => {
    const { hardware_measured, declared, simulated } = Object(credential.credentialSubject);
    expect([declared, simulated].map(({ pue }) => pue.value)).toEqual([1.25, 1.25]);
    expect(hardware_measured.energy).toMatchObject({ it_kwh: 40, facility_kwh: 50 });
    expect(await opinionOf(credential, loader)).toEqual({ opinion: 'valid', reason: null });
    expect(await commandSays(credential)).toEqual({ code: 0, verdict: 'valid' });
    const { status, body } = await api.post('/api/v1/credentials/verify', credential);
    expect([status, body.valid]).toEqual([200, true]);
  });

  test('is understood as JSON-LD: its contexts define every word', async () => {
    const found = await expanded(credential, loader);
    const [subject] = [found['https://www.w3.org/2018/credentials#credentialSubject']].flat();
    const words = Object.keys(Object(subject)).filter((name) => name.startsWith('urn:countersign:'));
    // The members of the subject but id.
    expect(words).toHaveLength(Object.keys(Object(credential.credentialSubject)).length - 1);
    await expect(expanded({ ...credential, rating: 5 }, loader)).rejects.toThrow();
  });

  test('is refused by everybody in every form that differs in one value', async () => {
    for (const [path, changed] of tampered(credential)) {
      const { status } = await api.post('/api/v1/credentials/verify', Object(changed));
      expect([path, status]).toEqual([path, 422]);
      // The suite lets a document have further contexts than its proof (vc-di-eddsa, 3.3.2); we do not.
      if (path !== '.@context[]')
        expect([path, (await opinionOf(changed, loader)).opinion]).toEqual([path, 'invalid']);
    }
  });

  test('is revoked for a stranger and for the command', async () => {
    const { status } = await api.post(`/api/v1/credentials/${credential.id}/revoke`);
    expect(status).toBe(200);
    expect((await opinionOf(credential, loader)).opinion).toBe('revoked');
    expect(await commandSays(credential)).toEqual({ code: 1, verdict: 'revoked' });
  });
});
