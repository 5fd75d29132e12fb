import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { EXAMPLE_COMMITMENT } from '../../../../../src/trust/agents/example-agent.ts';
import {
  DEMO_CLUSTER,
  DEMO_OTHER_CLUSTER,
  DEMO_OTHER_OPERATOR_ID,
  DEMO_PENDING_ID,
  DEMO_PROPOSALS,
  DEMO_RECEIPT_ID,
} from '../../../../../src/trust/http/example-ids.ts';
import { lookAt } from '../../../../support/appearance.ts';
import { browserAvailable, closeBrowser, visiting } from '../../../../support/browser.ts';
import { client } from '../../../../support/client.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { type Running, scratch, serve, witness } from '../../../../support/process.ts';
import { eventually } from '../../../../support/virtual-time.ts';

afterAll(closeBrowser);

const directory = scratch();
let server: Running;
beforeAll(async () => {
  server = await serve(join(directory.path, 'demo'), { COUNTERSIGN_RATE_LIMITS: 'off' }, ['--demo']);
}, 180_000);
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

describe.skipIf(!browserAvailable)('the explorer of the executable in a browser', () => {
  test('leads without scripts from the start page to an entry of a log, and finds it again', async () => {
    await visiting(server.url, async ({ foreign, complaints, page: scripted }) => {
      const browser = scripted.context().browser();
      if (browser === null) throw new Error('there is no browser');
      const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
      const page = await context.newPage();
      await page.goto('/');
      // By keyboard alone: the first link leads past the header.
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
      await page.getByRole('navigation').getByRole('link', { name: 'Logs' }).click();
      await page.getByRole('link', { name: 'evidence' }).click();
      await page.getByLabel('Index').fill('7');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/logs/evidence?index=7');
      const text = (await page.locator('pre').textContent()) ?? '';
      const { event_commitment_hash: hash } = JSON.parse(text);
      await page.getByRole('searchbox').fill(` ${hash} `);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/logs/evidence?index=7');
      await page.getByRole('searchbox').fill('nothing has this');
      await page.getByRole('button', { name: 'Search' }).click();
      expect(await page.getByRole('status').textContent()).toContain('Nothing public has the value');
      await context.close();
      expect([foreign, complaints]).toEqual([[], []]);
    });
  }, 180_000);

  test('is readable in light and dark, from 360 px on, and accessible', async () => {
    await visiting(server.url, async ({ page, foreign, complaints }) => {
      for (const path of [
        '/',
        `/receipts/${DEMO_RECEIPT_ID}`,
        `/receipts/${DEMO_PENDING_ID}`,
        `/agents/${EXAMPLE_COMMITMENT}`,
        `/agents/${EXAMPLE_COMMITMENT}/journal`,
        '/leaderboard',
        '/logs',
        '/logs/receipts?index=5',
        '/logs/keys?index=0',
        '/logs/accounts',
        '/search?q=nothing',
        `/operators/${DEMO_OTHER_OPERATOR_ID}`,
        `/clusters/${DEMO_CLUSTER}`,
        `/clusters/${DEMO_OTHER_CLUSTER}`,
        `/agreements/${DEMO_PROPOSALS.accepted}`,
        `/agreements/${DEMO_PROPOSALS.countered}`,
      ]) {
        await page.goto(`${server.url}${path}`);
        for (const summary of await page.locator('summary').all()) await summary.click();
        await lookAt(page, path, [360, 768, 1600]);
      }
      expect([foreign, complaints]).toEqual([[], []]);
      // The browser notes the status of an error in its console.
      await page.goto(`${server.url}/logs/nothing`);
      await lookAt(page, 'a page that does not exist', [360, 768, 1600]);
    });
  }, 300_000);

  test('leads programs from / to the documentation, and gives them JSON where browsers get a page', async () => {
    const start = await fetch(server.url, { redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([302, '/swagger']);
    const manifest = await fetch(`${server.url}/api/v1/receipts/${DEMO_RECEIPT_ID}/public-manifest`);
    expect(manifest.headers.get('content-type')).toContain('application/json');
  });

  test('leads to the verifier, which finds each document valid that a page offers', async () => {
    await visiting(server.url, async ({ page, foreign, complaints }) => {
      const offered: [path: string, link: string | RegExp][] = [
        [`/receipts/${DEMO_RECEIPT_ID}`, 'Verify the proof'],
        [`/receipts/${DEMO_RECEIPT_ID}`, 'Verify its signed status'],
        [`/agents/${EXAMPLE_COMMITMENT}`, /^[0-9a-f]{16}…$/],
        [`/agreements/${DEMO_PROPOSALS.accepted}`, /verify/i],
      ];
      for (const [path, name] of offered) {
        await page.goto(`${server.url}${path}`);
        await page.getByRole('main').getByRole('link', { name }).first().click();
        await page.waitForURL('**/verify?document=/api/v1/**');
        await page.getByText('Valid: 1', { exact: true }).waitFor();
      }
      await page.goto(`${server.url}/agents/${EXAMPLE_COMMITMENT}`);
      const links = await page.getByRole('link', { name: 'verify it' }).all();
      const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
      expect(targets.length).toBeGreaterThan(1);
      for (const target of targets) {
        await page.goto(`${server.url}${target}`);
        await page.getByText('Valid: 1', { exact: true }).waitFor();
      }
      for (const document of [
        '//evil.example/api/v1/x',
        'https://evil.example/api/v1/',
        '/api/v1/../../x',
        '/api/v1/../..//evil.example/api/v1/x',
        '/api/v1/%2e%2e/..\\\\evil.example/api/v1/x',
        'http://[',
      ]) {
        await page.goto(`${server.url}/verify?document=${encodeURIComponent(document)}`);
        await page.getByText('The document in the address is not one of this service.').waitFor();
      }
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    });
  }, 180_000);

  test('shows which witness cosigned which checkpoint, inside the page', async () => {
    const data = join(directory.path, 'witnessed');
    const first = await serve(data, {}, ['--log-origin', 'a.example']);
    const api = client(fetch, first.url, first.apiKey);
    for (let receipts = 1; receipts <= 12; receipts++) {
      await finalized(api);
      await eventually(async () => (await latest(api)).checkpoint.size === receipts);
    }
    const keys = LOG_NAMES.map(async (log) => (await fetch(`${first.url}/log/${log}/vkeys`)).text());
    const logs = join(directory.path, 'logs.policy');
    writeFileSync(logs, `${(await Promise.all(keys)).join('')}quorum none\n`);
    await first.stop();
    const name = 'witness.with-quite-a-long-name.example/w1';
    const other = await witness(join(directory.path, 'witness'), ['--name', name, '--logs', logs]);
    const [key = ''] = [other.ready.vkeys].flat().map(String);
    const policy = join(directory.path, 'own.policy');
    writeFileSync(policy, `witness w1 ${key} ${other.url}\nquorum w1\n`);
    const service = await serve(data, { COUNTERSIGN_RATE_LIMITS: 'off' }, ['--log-witness-policy', policy]);
    const shows = async (text: string) =>
      (await (await fetch(`${service.url}/logs/receipts`)).text()).includes(text);
    await eventually(() => shows('>cosigned<'));
    await visiting(service.url, async ({ page }) => {
      await page.goto(`${service.url}/logs/receipts`);
      expect(await page.locator('.matrix').textContent()).toContain(name);
      await lookAt(page, 'witnesses', [360, 768, 1600]);
    });
    await service.stop();
    await other.stop();
  }, 180_000);
});
