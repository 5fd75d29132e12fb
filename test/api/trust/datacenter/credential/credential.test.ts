import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { bitAt, decodeBitstring } from '../../../../../src/proof/credential/bitstring.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { audited as tables } from '../../../../../src/trust/credentials/audit.ts';
import { deleteOldCredentials } from '../../../../../src/trust/credentials/retention.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { tampered } from '../../../../support/statements.ts';
import { ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const CREDENTIAL = '/api/v1/datacenter/clusters/hall-1/credential';

let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-05-04T12:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

/** Sends telemetry and publishes checkpoints that contain its receipt. */
async function sent(hour: number, more: JsonObject = {}, by = app.own): Promise<void> {
  await ingested(by, telemetryOf(hour, more));
  await publishCheckpoints(app);
}

async function credentialOf(): Promise<JsonObject> {
  const { status, body } = await app.anyone.get(CREDENTIAL);
  expect([status, body.error]).toEqual([200, undefined]);
  return JSON.parse(JSON.stringify(body));
}

async function verdictOn(credential: JsonObject): Promise<string> {
  const { status, body } = await app.anyone.post('/api/v1/credentials/verify', credential);
  return status === 200 ? 'valid' : String(body.reason_code);
}

/** The bit of a credential in its status list. */
async function bitOf(credential: JsonObject): Promise<boolean> {
  const { statusListCredential, statusListIndex } = Object(credential.credentialStatus);
  const { body } = await app.anyone.get(new URL(statusListCredential).pathname);
  const { encodedList } = Object(body.credentialSubject);
  const bits = decodeBitstring(encodedList);
  return bitAt(bits ?? new Uint8Array(), Number(statusListIndex));
}

const setStatus = (operatorId: string, status: 'ACTIVE' | 'SUSPENDED') =>
  setAccountStatus(app.service.trust, operatorId, status);

describe('the credential of a cluster', () => {
  test('has the metrics of the scorecard by class, and a checkpoint with the receipts that they count', async () => {
    await sent(0);
    await sent(1, { origin: 'synthetic', facility_energy_kwh: 44 });
    const { credentialSubject, type, validFrom, validUntil, id } = await credentialOf();
    const { body: scorecard } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
    const { daily_pue: _, instruments: _listed, ...declared } = Object(scorecard.declared);
    const { daily_pue: __, instruments: __listed, ...simulated } = Object(scorecard.simulated);
    const { body: checkpoint } = await app.anyone.get('/api/v1/receipts/checkpoints/latest');
    const { origin, tree_size, root_hash } = Object(checkpoint);
    expect(tree_size).toBe(2);
    expect(credentialSubject).toEqual({
      id: 'urn:countersign:cluster:hall-1',
      cluster_id: 'hall-1',
      period: Object(scorecard.period),
      hardware_measured: null,
      declared,
      simulated,
      evidence_count: 2,
      measured_at: '2026-05-04T12:00:00.000Z',
      checkpoint: { receipts: { origin, tree_size, root_hash } },
    });
    expect(type).toEqual(['VerifiableCredential', 'DataCenterSustainabilityCredential']);
    expect([validFrom, validUntil]).toEqual(['2026-05-04T12:00:00.000Z', '2026-05-05T12:00:00.000Z']);
    expect(id).toMatch(/^urn:uuid:/);
  });

  test('is refused without measured or declared energy: simulated telemetry gives none', async () => {
    await sent(0, { origin: 'synthetic' });
    const { facility_energy_kwh: _, it_energy_kwh: _it, ...rest } = telemetryOf(1);
    await ingested(app.own, { ...rest, event_type: 'THERMAL_SAFETY_AUDIT', inlet_temp_c: 22 });
    const { status, body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/credential');
    expect([status, body.reason_code]).toEqual([409, 'conflict']);
    await sent(2);
    expect(Object((await credentialOf()).credentialSubject).evidence_count).toBe(3);
  });

  test('is the same until telemetry arrives, half of its validity is over, or the day ends', async () => {
    await sent(0);
    const first = await credentialOf();
    expect(await credentialOf()).toEqual(first);
    app.service.trust.credentialCache.clusters.clear();
    expect(await credentialOf()).toEqual(first);
    await sent(1);
    const second = await credentialOf();
    expect(second.id).not.toBe(first.id);
    expect(Object(second.credentialSubject).evidence_count).toBe(2);
    // At midnight the period has another day.
    time.advance(12 * HOUR - 1);
    expect((await credentialOf()).id).toBe(second.id);
    time.advance(1);
    await publishCheckpoints(app);
    const third = await credentialOf();
    expect([Object(third.credentialSubject).period.to, await verdictOn(second)]).toEqual([
      '2026-05-06T00:00:00.000Z',
      'valid',
    ]);
    time.advance(12 * HOUR);
    await publishCheckpoints(app);
    expect((await credentialOf()).id).not.toBe(third.id);
  });

  test('is verified by the service, and refused with one value changed', async () => {
    await sent(0);
    const credential = await credentialOf();
    expect(await app.anyone.post('/api/v1/credentials/verify', credential)).toMatchObject({
      status: 200,
      body: {
        valid: true,
        subject: 'urn:countersign:cluster:hall-1',
        checks: { shape: true, issuer: true, proof: true, validity: true, status: true },
      },
    });
    for (const [path, changed] of tampered(credential))
      expect([path, await verdictOn(Object(changed))]).not.toEqual([path, 'valid']);
    const context = Object(credential['@context'])[1];
    const reputation = {
      ...credential,
      '@context': [Object(credential['@context'])[0], context.replace('sustainability', 'reputation')],
    };
    expect(await verdictOn(reputation)).toBe('credential_malformed');
  });

  test('expires after a day', async () => {
    await sent(0);
    const credential = await credentialOf();
    time.advance(DAY);
    expect(await verdictOn(credential)).toBe('credential_expired');
  });

  test('shares the status list of other credentials, and is revoked by itself', async () => {
    await sent(0);
    const agent = await enrolledAgent(app);
    const { body: ofAgent } = await app.anyone.get(`/api/v1/credentials/${agent.commitment}`);
    const credential = await credentialOf();
    const list = Object(credential.credentialStatus).statusListCredential;
    expect(Object(ofAgent.credentialStatus).statusListCredential).toBe(list);
    expect(await bitOf(credential)).toBe(false);
    const { status, body } = await app.own.post(`/api/v1/credentials/${credential.id}/revoke`, {
      reason: 'A meter was wrong.',
    });
    expect([status, body.agent_commitment_hash, body.cluster_id]).toEqual([200, null, 'hall-1']);
    expect([await bitOf(credential), await verdictOn(credential)]).toEqual([true, 'credential_revoked']);
    const next = await credentialOf();
    expect([next.id === credential.id, await bitOf(next), await verdictOn(next)]).toEqual([
      false,
      false,
      'valid',
    ]);
    const again = await app.own.post(`/api/v1/credentials/${credential.id}/revoke`);
    expect([again.status, again.body.reason_code]).toEqual([409, 'invalid_state']);
  });

  test('is not issued if the account of the operator is suspended while it waits for a checkpoint', async () => {
    await ingested(app.other, telemetryOf(0));
    const waiting = app.anyone.get(CREDENTIAL);
    await setStatus(app.otherId, 'SUSPENDED');
    await publishCheckpoints(app);
    const { status, body } = await waiting;
    expect([status, body.reason_code]).toEqual([403, 'forbidden']);
    const issued = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite.query('SELECT credential_id FROM credential').all(),
    );
    expect(issued).toEqual([]);
  });

  test('is refused and counts as revoked while the account of the operator of the cluster is suspended', async () => {
    await sent(0, {}, app.other);
    const credential = await credentialOf();
    expect(await bitOf(credential)).toBe(false);
    await setStatus(app.otherId, 'SUSPENDED');
    const { status, body } = await app.anyone.get(CREDENTIAL);
    expect([status, body.reason_code]).toEqual([403, 'forbidden']);
    expect(await verdictOn(credential)).toBe('credential_revoked');
    // Verifiers may keep a list for a minute.
    time.advance(60_000);
    expect(await bitOf(credential)).toBe(true);
    expect((await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard')).status).toBe(200);
    // An administrator can still revoke it for ever.
    expect((await app.own.post(`/api/v1/credentials/${credential.id}/revoke`)).status).toBe(200);
    await setStatus(app.otherId, 'ACTIVE');
    time.advance(60_000);
    expect([await bitOf(credential), await verdictOn(credential)]).toEqual([true, 'credential_revoked']);
    expect(await verdictOn(await credentialOf())).toBe('valid');
  });

  test('that was issued before a key was compromised is refused, and the next one is by another key', async () => {
    await sent(0);
    const credential = await credentialOf();
    const { keySeq, kid } = app.service.trust.signer.activeKey('credentials');
    await reportCompromised(app.service.trust, kid);
    expect(app.service.trust.signer.activeKey('credentials').keySeq).not.toBe(keySeq);
    expect(await verdictOn(credential)).toBe('credential_key_compromised');
    await publishCheckpoints(app);
    expect(await verdictOn(await credentialOf())).toBe('valid');
  });

  test('waits for a checkpoint that contains the newest receipt of the cluster', async () => {
    await ingested(app.own, telemetryOf(0));
    const credential = credentialOf();
    await publishCheckpoints(app);
    expect(Object((await credential).credentialSubject).checkpoint.receipts.tree_size).toBe(1);
  });

  test('is stored once for requests that arrive together', async () => {
    await sent(0);
    const all = await Promise.all(Array.from({ length: 8 }, credentialOf));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test('is not issued for a cluster without telemetry, nor while the clock is wrong', async () => {
    expect(await app.anyone.get(CREDENTIAL)).toMatchObject({
      status: 404,
      body: { reason_code: 'not_found' },
    });
    await sent(0);
    time.jump(600_000);
    expect(await app.anyone.get(CREDENTIAL)).toMatchObject({
      status: 503,
      body: { reason_code: 'clock_wrong' },
    });
  });

  test('is deleted 30 days after its end, and fsck finds nothing wrong before and after', async () => {
    await sent(0);
    const credential = await credentialOf();
    expect((await audited(app.directory, { only: tables })).reported).toEqual([]);
    time.advance(31 * DAY);
    await deleteOldCredentials(app.service.trust);
    expect(await verdictOn(credential)).toBe('credential_expired');
    const revoked = await app.own.post(`/api/v1/credentials/${credential.id}/revoke`);
    expect([revoked.status, revoked.body.reason_code]).toEqual([404, 'not_found']);
    expect((await audited(app.directory, { only: tables })).reported).toEqual([]);
  });

  test('is sent as application/vc to a client that prefers it, and not again with its ETag', async () => {
    await sent(0);
    const get = (headers: Record<string, string>) =>
      app.fetch(new Request(`http://localhost${CREDENTIAL}`, { headers }));
    const first = await get({ accept: 'application/vc' });
    expect([first.headers.get('content-type'), first.headers.get('cache-control')]).toEqual([
      'application/vc',
      'public, max-age=60',
    ]);
    const again = await get({ 'if-none-match': String(first.headers.get('etag')) });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

test('the context of credentials about clusters is served immutable and to every origin', async () => {
  const response = await app.fetch(new Request('http://localhost/contexts/sustainability/v1'));
  expect([
    response.status,
    response.headers.get('cache-control'),
    response.headers.get('access-control-allow-origin'),
  ]).toEqual([200, 'public, max-age=31536000, immutable', '*']);
  expect(Object.keys(Object(await response.json())['@context'])).toContain(
    'DataCenterSustainabilityCredential',
  );
});
