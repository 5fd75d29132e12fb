import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DIGEST } from '../../../../support/client.ts';
import { openPage, wordsOf } from '../../../../support/explorer.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

describe('the start page of a service with receipts', () => {
  let app: TrustApp;
  let time: VirtualTime;
  const ids: string[] = [];
  beforeAll(async () => {
    time = new VirtualTime();
    app = await openTrustApp({}, time);
    for (const count of [1, 3]) {
      for (let made = 0; made < count; made++) {
        const { body } = await app.own.issue({ agent_id: '<b>agent</b>-of-\u202eevil' });
        const id = String(body.receipt_id);
        await app.own.finalize(id, { status: 'success', output_hash: DIGEST });
        ids.push(id);
      }
      await app.service.trust.log.publisher.publish();
      time.advance(3_600_000);
    }
    await app.own.issue();
  });
  afterAll(() => app.close());

  test('shows what the log contains, and the receipts of each hour', async () => {
    const page = await openPage(app, '/');
    const words = wordsOf(page);
    expect(page.status).toBe(200);
    for (const part of [
      'Final receipts 4 in the public log',
      '4 receipts in the last 24 hours',
      'Witnesses none',
    ])
      expect(words).toContain(part);
    const counts = [...page.text.matchAll(/<title>[^<]*: (\d+) receipts?<\/title>/g)].map(
      ([, count]) => count,
    );
    expect(counts).toEqual(['1', '3']);
  });

  test('shows final receipts only, each as its public manifest masks it', async () => {
    const page = await openPage(app, '/');
    const shown = page.links.flatMap((link) => /^\/receipts\/(rcpt_\w+)$/.exec(link)?.[1] ?? []);
    expect(shown).toEqual(ids.toReversed());
    for (const id of ids) {
      const { body } = await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`);
      const rows = page.text.split('<tr>').filter((row) => row.includes(id));
      expect(rows).toHaveLength(1);
      const row = wordsOf({ text: rows[0] ?? '' }).replaceAll(/[\u2068\u2069]/g, '');
      expect(row).toContain(String(body.operator_id));
      expect(row).toContain(' <b>a…evil ');
    }
    expect(page.text).not.toContain('<b>a');
    expect(page.text).not.toContain('\u202e');
  });

  test('leads programs to the documentation of the API, as it did before there were pages', async () => {
    for (const accept of ['*/*', 'application/json', '']) {
      const response = await app.fetch(new Request('http://localhost/', { headers: { accept } }));
      const { status, headers } = response;
      expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, '/swagger', 'Accept']);
    }
  });
});

test('the start page of an empty service says so', async () => {
  const app = await openTrustApp();
  const words = wordsOf(await openPage(app, '/'));
  for (const part of ['Final receipts 0', 'No receipt is final yet.', '0 receipts in the last 24 hours'])
    expect(words).toContain(part);
  expect(words).not.toMatch(/NaN|undefined|Infinity/);
  await app.close();
});
