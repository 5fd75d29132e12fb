import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TELEMETRY_CLASSES } from '../../../../../db/trust/datacenter-enums.ts';
import { decimal, percentage } from '../../../../../src/trust/datacenter/page/pue-words.ts';
import { openPage, wordsOf } from '../../../../support/explorer.ts';
import { hourOf, ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const WORDS = { hardware_measured: 'Hardware-measured', declared: 'Declared', simulated: 'Simulated' };
const RATIOS = { pue: 'PUE', cue: 'CUE', wue: 'WUE', ref: 'REF', erf: 'ERF' } as const;
const ALL = {
  water_l: 60,
  renewable_kwh: 20,
  reused_kwh: 5,
  measured_power_avg_w: 40_000,
  peak_junction_temp_c: 81.5,
  inlet_temp_c: 22,
  grid_carbon_intensity_g_per_kwh: 400,
};

describe('the page of a cluster', () => {
  let app: TrustApp;
  beforeAll(async () => {
    app = await openTrustApp({}, new VirtualTime(Date.parse('2026-05-04T12:00:00.000Z')));
    await ingested(app.own, telemetryOf(0, ALL));
    await ingested(app.own, telemetryOf(30, { facility_energy_kwh: 48 }));
    await ingested(app.own, telemetryOf(0, { origin: 'synthetic', instance_id: 'rack-2' }));
    for (let hour = 40; hour < 46; hour++) await ingested(app.own, telemetryOf(hour));
    await app.service.trust.log.publisher.publish();
  });
  afterAll(() => app.close());

  test('shows the metrics of each class as the scorecard does, with coverage', async () => {
    const page = await openPage(app, '/clusters/hall-1');
    const { body } = await app.anyone.get('/api/v1/datacenter/clusters/hall-1/scorecard');
    const words = wordsOf(page);
    expect([page.status, body.hardware_measured]).toEqual([200, null]);
    expect(words).toContain('PUE, hardware-measured none no telemetry of this class');
    const shown = TELEMETRY_CLASSES.filter((name) => body[name] !== null);
    const rowOf = (name: string): string =>
      wordsOf({ text: page.text.split('<tr>').find((row) => row.includes(`>${name} <small`)) ?? '' });
    for (const name of shown) {
      const { pue, evidence_count, instances } = Object(body[name]);
      const coverage = `coverage ${percentage(pue.coverage)}`;
      const items = `${evidence_count} item${evidence_count === 1 ? '' : 's'}`;
      expect(words).toContain(
        `PUE, ${WORDS[name].toLowerCase()} ${decimal(pue.value)} ${items}, ${coverage}, interim`,
      );
      expect(rowOf('Telemetry')).toContain(`${items} ${instances} instance`);
    }
    for (const [member, name] of Object.entries(RATIOS)) {
      for (const one of shown) {
        const { value, coverage } = Object(Object(body[one])[member]);
        if (value !== null) expect(rowOf(name)).toContain(` ${decimal(value)} `);
        if (value !== null) expect(rowOf(name)).toContain(`coverage ${percentage(coverage)}`);
      }
    }
    for (const { day, pue } of Object(body.declared).daily_pue)
      expect(words).toContain(`${day} ${decimal(pue)} `);
  });

  test('shows the newest telemetry as the list of the API does, without measurements', async () => {
    const page = await openPage(app, '/clusters/hall-1');
    const { body } = await app.anyone.get('/api/v1/datacenter/receipts?cluster_id=hall-1&limit=6');
    const shown = page.links.flatMap((link) => /^\/receipts\/(rcpt_\w+)$/.exec(link)?.[1] ?? []);
    expect(shown).toEqual(Object(body.receipts).map(({ receipt_id }: { receipt_id: string }) => receipt_id));
    for (const { receipt_id, instance_id, window_end } of Object(body.receipts)) {
      const row = page.text.split('<tr>').find((text) => text.includes(receipt_id)) ?? '';
      for (const part of [instance_id, `datetime="${window_end}"`]) expect(row).toContain(part);
    }
  });

  test('leads to documents that exist', async () => {
    const { links } = await openPage(app, '/clusters/hall-1');
    const documents = links.filter((link) => link.startsWith('/api/v1/datacenter/'));
    expect(documents).toHaveLength(5);
    for (const link of documents) expect([link, (await app.anyone.get(link)).status]).toEqual([link, 200]);
    const scorecard = '/api/v1/datacenter/clusters/hall-1/scorecard';
    expect(links).toContain(`/verify?document=${scorecard}`);
  });

  test('marks a revoked receipt', async () => {
    const { body } = await app.anyone.get('/api/v1/datacenter/receipts?cluster_id=hall-1&limit=1');
    const [{ receipt_id }] = Object(body.receipts);
    await app.own.post(`/api/v1/receipts/${receipt_id}/revoke`, { reason: 'wrong meter' });
    const { text } = await openPage(app, '/clusters/hall-1');
    const row = text.split('<tr>').find((part) => part.includes(receipt_id)) ?? '';
    expect(wordsOf({ text: row })).toContain('revoked');
    expect(text).not.toContain('wrong meter');
  });

  test('is 404 for what has no telemetry and for what cannot be a name', async () => {
    for (const id of ['hall-2', '%3Cb%3E', 'x'.repeat(129), '%2e%2e%2f']) {
      const page = await openPage(app, `/clusters/${id}`);
      expect([id, page.status, page.elements.get('h1')]).toEqual([id, 404, 1]);
    }
  });
});

test('the page of a cluster with the longest names and a year of telemetry has at most 60 KB', async () => {
  const app = await openTrustApp({}, new VirtualTime(Date.parse('2026-05-01T00:00:00.000Z')));
  for (let day = 1; day <= 365; day += 5) {
    const window = { window_start: hourOf(-24 * day), window_end: hourOf(1 - 24 * day) };
    const energy = { facility_energy_kwh: 50 + day / 7 };
    for (const [index, origin] of ['live-instrument', 'synthetic'].entries())
      await ingested(app.own, {
        ...telemetryOf(0, { ...ALL, ...window, ...energy }),
        ...{ cluster_id: 'c'.repeat(128), instance_id: `${':'.repeat(127)}${index}`, origin },
        ...{ event_type: 'HARDWARE_POWER_VALIDATION', measured_power_avg_w: 40_000 },
      });
  }
  const page = await openPage(app, `/clusters/${'c'.repeat(128)}`);
  expect(page.status).toBe(200);
  expect(Buffer.byteLength(page.text)).toBeLessThan(60_000);
  expect(wordsOf(page)).toContain('31 days with a value');
  await app.close();
});
