import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { ingestTelemetryIn } from '../../../../src/trust/datacenter/ingest.ts';
import { prepareTelemetry } from '../../../../src/trust/datacenter/prepare.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { sha256 } from '../../../support/evidence.ts';
import { enrolledInstrument, hourOf, ingested, TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let clusters = 0;

beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** Telemetry of a cluster that no other test uses. */
const fresh = (more: JsonObject = {}) => telemetryOf(0, { cluster_id: `cluster-${++clusters}`, ...more });

/** The columns that are summed by slots and days. */
const ENERGY = ['it_mwh', 'facility_mwh', 'water_ml', 'renewable_mwh', 'reused_mwh', 'co2_mg'];

/** A summed column of a cluster, by class, read past the program. */
const sumsOf = (cluster: unknown, column: string) => {
  const table = ENERGY.includes(column)
    ? `(SELECT cluster_seq, class, ${column} FROM datacenter_slot UNION ALL
        SELECT cluster_seq, class, ${column} FROM datacenter_whole_day)`
    : 'datacenter_day';
  return app.service.trust.store.read(({ connection }) =>
    Object.fromEntries(
      connection.sqlite
        .query<{ class: string; value: number }, [string]>(
          `SELECT class, sum(${column}) AS value FROM ${table} JOIN datacenter_cluster USING (cluster_seq)
           WHERE cluster_id = ? GROUP BY class`,
        )
        .all(String(cluster))
        .map((row) => [row.class, row.value]),
    ),
  );
};

describe('telemetry that arrives', () => {
  test('gets a receipt of the service that is finalized, logged and bound to it by its digests', async () => {
    const telemetry = telemetryOf(0);
    const { status, body } = await app.own.post(TELEMETRY, telemetry);
    const canonical =
      '{"cluster_id":"hall-1","event_type":"WORKLOAD_ENERGY_EFFICIENCY","facility_energy_kwh":50,"instance_id":"rack-1",' +
      '"it_energy_kwh":40,"origin":"live-instrument","window_end":"2026-05-01T01:00:00.000Z","window_start":"2026-05-01T00:00:00.000Z"}';
    const digest = sha256(canonical);
    expect([status, body]).toEqual([
      201,
      {
        evidence_id: expect.stringMatching(/^dce_[0-9a-f]{32}$/),
        cluster_id: 'hall-1',
        instance_id: 'rack-1',
        event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
        class: 'declared',
        counts_energy: true,
        window_start: hourOf(0),
        window_end: hourOf(1),
        payload_digest: digest,
        receipt: expect.objectContaining({
          operator_id: app.service.firstStart.operatorId,
          agent_id: 'rack-1',
          receipt_type: 'custody',
          status: 'success',
          authority_scope: 'datacenter:hall-1',
          domain: 'SYSTEM_INTEGRATION',
          input_digest: digest,
          output_hash: sha256(
            `{"class":"declared","cluster_id":"hall-1","counts_energy":true,"evidence_id":"${body.evidence_id}","payload_digest":"${digest}"}`,
          ),
        }),
        scorecard_url: '/api/v1/datacenter/clusters/hall-1/scorecard',
        duplicate: false,
      },
    ]);
    const { receipt_id, ...receipt } = Object(body.receipt);
    expect((await app.own.get(`/api/v1/receipts/${receipt_id}`)).body).toEqual({ receipt_id, ...receipt });
    await app.service.trust.log.publisher.publish();
    const { body: manifest } = await app.anyone.get(`/api/v1/receipts/${receipt_id}/public-manifest`);
    expect(manifest).toMatchObject({
      verification: { status: 'valid' },
      inclusion_path: { leaf_index: 0, tree_size: 1 },
    });
  });

  test('does not count for the gate, like all receipts of the service', async () => {
    const before = await app.own.get('/api/v1/operator/status');
    await ingested(app.own, fresh());
    const after = await app.own.get('/api/v1/operator/status');
    expect(after.body.gate).toEqual(before.body.gate);
  });

  test('that is sent again is stored once, also with its members in another order', async () => {
    const telemetry = fresh();
    const first = await ingested(app.own, telemetry);
    const reversed = Object.fromEntries(Object.entries(telemetry).reverse());
    for (const again of [telemetry, reversed]) {
      const { status, body } = await app.own.post(TELEMETRY, again);
      expect([status, body]).toEqual([200, { ...first, duplicate: true }]);
    }
    expect(await sumsOf(telemetry.cluster_id, 'it_mwh')).toEqual({ declared: 40_000_000 });
  });

  test('with an Idempotency-Key has the first response again', async () => {
    const telemetry = fresh();
    const headers = { 'idempotency-key': 'telemetry-1' };
    const first = await app.own.post(TELEMETRY, telemetry, headers);
    const again = await app.own.post(TELEMETRY, telemetry, headers);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
  });

  test('by two requests at once is stored once', async () => {
    const telemetry = fresh();
    const responses = await Promise.all(Array.from({ length: 8 }, () => app.own.post(TELEMETRY, telemetry)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(({ body }) => body.evidence_id)).size).toBe(1);
  });
});

describe('the class of telemetry', () => {
  const signedBy = (
    agent: Awaited<ReturnType<typeof enrolledAgent>>,
    telemetry: JsonObject,
  ): JsonObject & { signature: string } => {
    const body = { ...telemetry, subject_commitment: agent.commitment };
    return { ...body, signature: agent.sign(body) };
  };

  test('is hardware_measured only for a live instrument that signed it, and never mixed with another', async () => {
    const instrument = await enrolledInstrument(app);
    const telemetry = fresh();
    const of = (instance_id: string, origin: string) => ({ ...telemetry, instance_id, origin });
    const sent = [
      signedBy(instrument, of('a', 'live-instrument')),
      of('b', 'live-instrument'),
      of('c', 'synthetic'),
      signedBy(instrument, of('d', 'synthetic')),
    ];
    const classes = [];
    for (const body of sent) classes.push((await ingested(app.own, body)).class);
    expect(classes).toEqual(['hardware_measured', 'declared', 'simulated', 'simulated']);
    expect(await sumsOf(telemetry.cluster_id, 'facility_mwh')).toEqual({
      hardware_measured: 50_000_000,
      declared: 50_000_000,
      simulated: 100_000_000,
    });
  });

  test('is declared for a window that begins before the enrollment of its instrument', async () => {
    const enrolledAt = Date.parse(hourOf(0));
    const instrument = await enrolledAgent(app, { clock: { now: () => enrolledAt } });
    const classes = [];
    for (const start of [hourOf(-1), new Date(enrolledAt - 1).toISOString(), hourOf(0), hourOf(0.5)]) {
      const body = signedBy(instrument, fresh({ window_start: start }));
      classes.push((await ingested(app.own, body)).class);
    }
    expect(classes).toEqual(['declared', 'declared', 'hardware_measured', 'hardware_measured']);
  });

  test('decides which energy counts: no simulated or declared item keeps a measured one of the same time out, in any order', async () => {
    const instrument = await enrolledInstrument(app);
    const telemetry = fresh({ inlet_temp_c: 21 });
    const simulated = { ...telemetry, event_type: 'HARDWARE_POWER_VALIDATION', origin: 'synthetic' };
    const declared = { ...telemetry, event_type: 'WORKLOAD_ENERGY_EFFICIENCY', it_energy_kwh: 30 };
    const measured = signedBy(instrument, {
      ...telemetry,
      event_type: 'THERMAL_SAFETY_AUDIT',
      it_energy_kwh: 20,
    });
    for (const [rack, bodies] of [
      ['rack-1', [simulated, declared, measured]],
      ['rack-2', [measured, declared, simulated]],
    ] as const) {
      for (const body of bodies) {
        const named = { ...body, instance_id: rack };
        const { signature: _, ...unsigned } = Object(named);
        const sent = body === measured ? { ...unsigned, signature: instrument.sign(unsigned) } : named;
        expect((await ingested(app.own, sent)).counts_energy).toBe(true);
      }
    }
    const { cluster_id } = telemetry;
    expect(await sumsOf(cluster_id, 'it_mwh')).toEqual({
      hardware_measured: 40_000_000,
      declared: 60_000_000,
      simulated: 80_000_000,
    });
    const thermal = 2 * 3_600_000;
    expect(await sumsOf(cluster_id, 'inlet_ms')).toEqual({
      hardware_measured: thermal,
      declared: thermal,
      simulated: thermal,
    });
    // The same class still counts once.
    const again = signedBy(instrument, {
      ...telemetry,
      event_type: 'POLICY_SETPOINT_TRANSITION',
      policy_setpoint_applied: true,
    });
    expect((await ingested(app.own, again)).counts_energy).toBe(false);
  });

  test('cannot be had with the signature of another body, of another agent or of the whole body', async () => {
    const instrument = await enrolledInstrument(app);
    const other = await enrolledAgent(app);
    const body = signedBy(instrument, fresh());
    const { signature, ...unsigned } = body;
    const forged = [
      { ...body, it_energy_kwh: 41 },
      { ...body, cluster_id: 'cluster-other' },
      { ...body, signature: other.sign(unsigned) },
      { ...body, signature: instrument.sign(body) },
      { ...body, subject_commitment: other.commitment },
      { ...body, signature: '00'.repeat(64) },
    ];
    for (const one of forged) {
      const { status, body: answer } = await app.own.post(TELEMETRY, one);
      expect([status, answer.reason_code]).toEqual([401, 'invalid_proof']);
    }
    expect((await app.own.post(TELEMETRY, body)).body.class).toBe('hardware_measured');
    expect(signature).toHaveLength(128);
  });

  test('cannot be had by an instrument that is unknown, revoked or sponsored by nobody or by another operator', async () => {
    const revoked = await enrolledAgent(app);
    const { commitment } = revoked;
    expect((await app.own.post(`/api/v1/passport/agents/${commitment}/revoke`, {})).status).toBe(200);
    const cases: [Awaited<ReturnType<typeof enrolledAgent>>, number, string][] = [
      [revoked, 403, 'agent_not_enrolled'],
      [{ ...revoked, commitment: 'ab'.repeat(32) }, 403, 'agent_not_enrolled'],
      [await enrolledAgent(app, { sponsor: app.otherId }), 403, 'forbidden'],
      [await enrolledAgent(app, { sponsor: null }), 403, 'forbidden'],
    ];
    for (const [agent, status, code] of cases) {
      const answer = await app.own.post(TELEMETRY, signedBy(agent, fresh()));
      expect([answer.status, answer.body.reason_code]).toEqual([status, code]);
    }
  });

  test.each([
    ['revoked', 'POST', 'revoke', () => ({}), 'agent_not_enrolled'],
    ['given another sponsor', 'PUT', 'sponsor', () => ({ operator_id: app.otherId }), 'forbidden'],
  ] as const)(
    'cannot be had by an instrument that was %s after its signature was verified',
    async (_name, method, path, change, code) => {
      const { trust } = app.service;
      const instrument = await enrolledInstrument(app);
      const body = fresh();
      const signed = { ...body, subject_commitment: instrument.commitment };
      const request = new Request('http://localhost/', {
        method: 'POST',
        headers: { authorization: `Bearer ${app.apiKey}` },
      });
      const principal = await trust.principals.authenticate(request, 'issuer');
      const prepared = await prepareTelemetry(trust, principal, {
        ...signed,
        signature: instrument.sign(signed),
      });
      const changed = await app.own.call(
        method,
        `/api/v1/passport/agents/${instrument.commitment}/${path}`,
        change(),
      );
      expect(changed.status).toBe(200);
      const written = trust.store.write(principal.authority, (tx) =>
        ingestTelemetryIn(tx, trust, principal, prepared),
      );
      await expect(written).rejects.toMatchObject({ code });
      expect(await sumsOf(body.cluster_id, 'evidence')).toEqual({});
    },
  );
});

test.each([':', ':id', 'a:b', '...', '-', 'a.b', '..a'])(
  'a cluster named %s is found under its scorecard_url',
  async (cluster_id) => {
    const { scorecard_url } = await ingested(app.own, telemetryOf(0, { cluster_id }));
    const { status, body } = await app.anyone.get(String(scorecard_url));
    expect([status, body.cluster_id]).toEqual([200, cluster_id]);
  },
);

describe('windows', () => {
  test('of one instance and event type do not overlap, and the error names the other item', async () => {
    const telemetry = fresh({ window_start: hourOf(10), window_end: hourOf(12) });
    const { evidence_id } = await ingested(app.own, telemetry);
    const overlapping: [number, number][] = [
      [10, 12],
      [9, 11],
      [11, 13],
      [10.5, 11.5],
      [9, 13],
      [11.999, 20],
    ];
    for (const [start, end] of overlapping) {
      const body = { ...telemetry, window_start: hourOf(start), window_end: hourOf(end), it_energy_kwh: 39 };
      const answer = await app.own.post(TELEMETRY, body);
      expect([start, end, answer.status, answer.body.reason_code, answer.body.evidence_id]).toEqual([
        start,
        end,
        409,
        'conflict',
        evidence_id,
      ]);
    }
    // The neighbors fit, in any order.
    for (const [start, end] of [
      [12, 13],
      [2, 3],
      [9, 10],
      [3, 9],
    ] as const)
      await ingested(app.own, { ...telemetry, window_start: hourOf(start), window_end: hourOf(end) });
  });

  test('of other instances, event types and clusters may overlap, and the energy of an instance counts once', async () => {
    const telemetry = fresh({ measured_power_avg_w: 40_000, inlet_temp_c: 21 });
    expect((await ingested(app.own, telemetry)).counts_energy).toBe(true);
    expect((await ingested(app.own, { ...telemetry, instance_id: 'rack-2' })).counts_energy).toBe(true);
    const validation = { ...telemetry, event_type: 'HARDWARE_POWER_VALIDATION' };
    expect((await ingested(app.own, validation)).counts_energy).toBe(false);
    const partly = { ...validation, window_start: hourOf(1), window_end: hourOf(2) };
    expect((await ingested(app.own, partly)).counts_energy).toBe(true);
    const { cluster_id } = telemetry;
    expect(await sumsOf(cluster_id, 'it_mwh')).toEqual({ declared: 120_000_000 });
    expect(await sumsOf(cluster_id, 'thermal_ms')).toEqual({ declared: 3 * 3_600_000 });
    expect(await sumsOf(cluster_id, 'evidence')).toEqual({ declared: 4 });
  });

  test('belong to the day in which they end', async () => {
    const telemetry = fresh({ window_start: hourOf(23), window_end: hourOf(24) });
    await ingested(app.own, telemetry);
    await ingested(app.own, { ...telemetry, window_start: hourOf(24), window_end: hourOf(24.5) });
    const days = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite
        .query<{ day: number }, [string]>(
          'SELECT day FROM datacenter_day JOIN datacenter_cluster USING (cluster_seq) WHERE cluster_id = ? ORDER BY day',
        )
        .all(telemetry.cluster_id),
    );
    const first = Date.UTC(2026, 4, 1) / 86_400_000;
    expect(days).toEqual([{ day: first }, { day: first + 1 }]);
  });
});

describe('avoided carbon', () => {
  test('counts from CARBON_AVOIDED_ACCRUAL only, which counts for nothing else', async () => {
    const telemetry = fresh({ energy_saved_kwh: 3, carbon_avoided_kg: 1.5 });
    const { cluster_id } = telemetry;
    await ingested(app.own, telemetry);
    expect(await sumsOf(cluster_id, 'avoided_g')).toEqual({ declared: 0 });
    const accrual = { ...telemetry, event_type: 'CARBON_AVOIDED_ACCRUAL', instance_id: 'rack-2' };
    expect((await ingested(app.own, accrual)).counts_energy).toBe(false);
    expect(await sumsOf(cluster_id, 'avoided_g')).toEqual({ declared: 1500 });
    expect(await sumsOf(cluster_id, 'saved_mwh')).toEqual({ declared: 3_000_000 });
    expect(await sumsOf(cluster_id, 'it_mwh')).toEqual({ declared: 40_000_000 });
  });
});

describe('who may send telemetry', () => {
  test('a caller without a key gets 401, and a holder key 403', async () => {
    const { commitment } = await enrolledAgent(app);
    const { body } = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: commitment,
    });
    const holder = client(app.fetch, 'http://localhost', String(body.api_key));
    expect((await app.anyone.post(TELEMETRY, fresh())).status).toBe(401);
    const refused = await holder.post(TELEMETRY, fresh());
    expect([refused.status, refused.body.reason_code]).toEqual([403, 'forbidden']);
  });

  test('the first operator owns a cluster, also against one that sends the same body', async () => {
    const telemetry = fresh();
    await ingested(app.own, telemetry);
    for (const body of [telemetry, { ...telemetry, instance_id: 'rack-9' }]) {
      const { status, body: answer } = await app.other.post(TELEMETRY, body);
      expect([status, answer.reason_code]).toEqual([403, 'forbidden']);
    }
  });
});

test('a self-provisioned operator has as many clusters as its quota allows, and any number of instances', async () => {
  const limited = await openTrustApp({ 'quotas.free.clusters': '2' });
  await limited.service.trust.store.writeAsService(({ connection }) => {
    connection.sqlite.run("UPDATE operator SET self_provisioned = 1, plan = 'FREE' WHERE operator_id = ?", [
      limited.otherId,
    ]);
  });
  for (const id of ['a', 'b', 'a']) {
    const telemetry = telemetryOf(0, { cluster_id: id, instance_id: crypto.randomUUID() });
    await ingested(limited.other, telemetry);
  }
  const { status, body } = await limited.other.post(TELEMETRY, telemetryOf(0, { cluster_id: 'c' }));
  expect([status, body.reason_code]).toEqual([403, 'quota_exceeded']);
  for (const id of ['c', 'd', 'e']) await ingested(limited.own, telemetryOf(0, { cluster_id: id }));
  await limited.close();
});

test('telemetry whose sums would not be exact anymore is refused with 409, and those before it stay', async () => {
  const telemetry = fresh({
    it_energy_kwh: 1,
    facility_energy_kwh: 1e9,
    grid_carbon_intensity_g_per_kwh: 2000,
  });
  const statuses = [];
  for (let index = 0; index < 6; index++)
    statuses.push((await app.own.post(TELEMETRY, { ...telemetry, instance_id: `rack-${index}` })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 409, 409]);
  expect(await sumsOf(telemetry.cluster_id, 'co2_mg')).toEqual({ declared: 8e15 });
});
