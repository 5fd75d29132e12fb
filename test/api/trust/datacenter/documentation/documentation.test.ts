import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TELEMETRY, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;

beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const manifest = async () => {
  const { status, body } = await app.anyone.get('/api/v1/datacenter/documentation');
  expect(status).toBe(200);
  return Object(body);
};

test('the documentation of facilities names every metric of a scorecard, with its unit and standard', async () => {
  await app.own.post(TELEMETRY, telemetryOf(0));
  const { body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
  const { declared } = Object(body);
  for (const { name, unit, standard } of (await manifest()).metrics)
    expect([name, declared[name]?.unit, declared[name]?.standard]).toEqual([name, unit, standard]);
});

test('every document that the documentation of facilities names is there for a cluster', async () => {
  await app.own.post(TELEMETRY, telemetryOf(1));
  await app.service.trust.log.publisher.publish();
  const { documents, frameworks } = await manifest();
  for (const { path } of documents) {
    const { status } = await app.fetch(
      new Request(`http://localhost${path.replace('{cluster_id}', 'hall-1')}`),
    );
    expect([path, status]).toEqual([path, 200]);
  }
  for (const framework of frameworks) {
    const path = `/api/v1/datacenter/compliance/packages/hall-1?framework=${framework}`;
    expect((await app.anyone.get(path)).body.framework).toBe(framework);
  }
});

test('the bounds in the documentation of facilities are those of the endpoint that takes telemetry', async () => {
  const { quantities, event_types } = await manifest();
  for (const { name, maximum } of quantities) {
    const { status, body } = await app.own.post(TELEMETRY, telemetryOf(2, { [name]: maximum * 1.01 }));
    expect([name, status, Object.keys(Object(body.issues)).includes(name)]).toEqual([name, 400, true]);
  }
  for (const { name } of event_types) {
    const { it_energy_kwh: _, facility_energy_kwh: __, ...empty } = telemetryOf(2, { event_type: name });
    expect([name, (await app.own.post(TELEMETRY, empty)).status]).toEqual([name, 400]);
  }
});
