import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DEMO_API_KEY } from '../../../../../src/trust/http/example-ids.ts';
import { lookAt } from '../../../../support/appearance.ts';
import { browserAvailable, closeBrowser, visiting } from '../../../../support/browser.ts';
import { type Running, scratch, serve } from '../../../../support/process.ts';

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

describe.skipIf(!browserAvailable)('the account pages of the executable in a browser', () => {
  test('work without scripts: log in, create and revoke a key, subscribe to events, pay, log out', async () => {
    await visiting(server.url, async ({ foreign, complaints, page: scripted }) => {
      const browser = scripted.context().browser();
      if (browser === null) throw new Error('there is no browser');
      const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
      const page = await context.newPage();
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.goto('/account/keys');
      await page.getByLabel('Issuer API key').fill('pp_wrong');
      await press('Log in');
      expect(await page.getByRole('alert').textContent()).toContain('not an API key');
      await page.getByLabel('Issuer API key').fill(DEMO_API_KEY);
      // By keyboard alone.
      await page.keyboard.press('Enter');
      await page.waitForURL('**/account/keys');

      await page.getByText('Create an API key').click();
      await page.getByLabel('Name').fill('<b>e2e</b>');
      await press('Create key');
      expect(await page.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^pp_[0-9a-f]{64}$/);
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('link', { name: 'Revoke <b>e2e</b>' }).click();
      await press('Revoke key');
      expect(await page.getByRole('status').textContent()).toContain('was revoked');

      await page.getByRole('link', { name: 'Credits' }).first().click();
      await page.getByLabel('Kind').selectOption('OPERATOR_GRANT');
      await press('Filter');
      expect(page.url()).toBe(`${server.url}/account/credits?kind=OPERATOR_GRANT&asset=#journal`);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download NDJSON' }).click();
      expect((await download).suggestedFilename()).toBe('journal.ndjson');
      await page.locator('#statements').getByRole('link').first().click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toStartWith('Statement of ');
      await page.goto('/account/keys');

      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByText('Create a webhook').click();
      await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks');
      await page.getByLabel('evidence.anchored').check();
      await press('Create webhook');
      expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);

      await page.getByRole('link', { name: 'Billing' }).click();
      await page.getByLabel('Amount in US dollars').fill('12.34');
      await press('Continue to payment');
      await press('Pay $12.34');
      await page.getByRole('link', { name: 'Continue to the account' }).click();
      expect(page.url()).toBe(`${server.url}/account/billing?back`);
      for (let tries = 0; !(await page.content()).includes('1,234'); tries++) {
        if (tries > 50) throw new Error('the payment did not arrive');
        await Bun.sleep(100);
        await page.reload();
      }
      await press('Log out');
      await page.goto('/account/billing');
      expect(await page.getByLabel('Issuer API key').isVisible()).toBe(true);
      await context.close();
      expect([foreign, complaints]).toEqual([[], []]);
    });
  }, 180_000);

  test('subscribe a stranger, who gets the key once and logs in with it, without scripts', async () => {
    await visiting(server.url, async ({ page: scripted }) => {
      const context = await scripted
        .context()
        .browser()
        ?.newContext({ javaScriptEnabled: false, baseURL: server.url });
      const page = await context?.newPage();
      if (page === undefined) throw new Error('there is no browser');
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.goto('/billing');
      await press('Continue to payment');
      await press('Pay $49.00');
      await page.getByRole('link', { name: 'Continue: get the API key' }).click();
      // The page loads itself again until the payment has arrived.
      await page.getByRole('button', { name: 'Show the API key' }).waitFor({ timeout: 20_000 });
      // A double click sends the form twice.
      await page.getByRole('button', { name: 'Show the API key' }).dblclick();
      expect(await page.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^pp_[0-9a-f]{64}$/);
      await press('I have copied it: log in');
      expect(await page.getByText('PRO plan').isVisible()).toBe(true);
      await context?.close();
    });
  }, 180_000);

  test('are readable in light and dark, from 360 px on, and accessible', async () => {
    await visiting(server.url, async ({ page }) => {
      // axe-core is a script, which the policy of the pages forbids to run as part of them; the debugger may
      // evaluate it.
      await page.goto(`${server.url}/billing`);
      await lookAt(page, 'subscribe');
      await page.goto(`${server.url}/account`);
      await lookAt(page, 'log in');
      await page.getByRole('button', { name: 'Log in' }).click();
      await lookAt(page, 'overview');
      for (const path of [
        '/account/keys',
        '/account/webhooks',
        '/account/engagements',
        '/account/credits',
        '/account/credits?kind=OPERATOR_GRANT&asset=paid',
        '/account/credits/current/statement',
        '/account/billing',
        '/account/billing?back',
        '/billing/done',
        '/billing/cancelled',
      ]) {
        await page.goto(`${server.url}${path}`);
        for (const summary of await page.locator('summary').all()) await summary.click();
        await lookAt(page, path);
      }
      await page.goto(`${server.url}/account/keys`);
      await page.getByText('Create an API key').click();
      await page.getByLabel('Agent of a holder key').fill('wrong');
      await page.getByRole('button', { name: 'Create key' }).click();
      await lookAt(page, 'a refused key');
      await page.goto(`${server.url}/account/keys`);
      await page
        .getByRole('link', { name: /^Revoke/ })
        .first()
        .click();
      await lookAt(page, 'revoke');
      await page.goto(`${server.url}/account/webhooks`);
      await page
        .getByRole('link', { name: /^Deliveries/ })
        .first()
        .click();
      await lookAt(page, 'deliveries');
    });
  }, 180_000);
});
