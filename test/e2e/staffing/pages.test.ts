import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { lookAt } from '../../support/appearance.ts';
import { browserAvailable, closeBrowser, visiting } from '../../support/browser.ts';
import { type Running, scratch, serve } from '../../support/process.ts';

afterAll(closeBrowser);

const directory = scratch();
let server: Running;
beforeAll(async () => {
  const options = ['--service', 'staffing', '--demo'];
  server = await serve(join(directory.path, 'demo'), { COUNTERSIGN_RATE_LIMITS: 'off' }, options);
}, 180_000);
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** Does what leads to another page, and waits until that is there: a click is done before. */
async function turning(page: Page, act: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load');
  await act();
  await loaded;
}

const names = (page: Page): Promise<string[]> => page.locator('tbody th a').allTextContents();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe.skipIf(!browserAvailable)('the pages of the staffing service in a browser', () => {
  test('work without scripts: sign in by one click, search, turn pages, read a clinician, sign out', async () => {
    await visiting(server.url, async ({ foreign, page: scripted }) => {
      const options = { javaScriptEnabled: false, baseURL: server.url };
      const context = await scripted.context().browser()?.newContext(options);
      const page = await context?.newPage();
      if (page === undefined) throw new Error('there is no browser');
      await page.goto('/?state=CA');
      expect(await page.getByRole('alert').textContent()).toContain('Sign in to see this page');
      await turning(page, () => press(page, 'Sign in'));
      await page.waitForURL('**/?state=CA');
      await page.getByLabel('Specialty').fill('nurse');
      await page.getByText('More filters').click();
      await page.getByLabel('City').fill('los angeles');
      await turning(page, () => page.getByLabel('City').press('Enter'));
      const found = await page.getByRole('heading', { name: 'clinician' }).last().textContent();
      expect(found).toMatch(/^\d+ clinicians?$/);
      await turning(page, () => page.getByRole('link', { name: 'Clear' }).click());
      await page.getByLabel('Surname or NPI').fill('s');
      await turning(page, () => press(page, 'Search'));
      const first = await names(page);
      await turning(page, () => page.getByRole('link', { name: 'Next page' }).click());
      const second = await names(page);
      expect([first.length, second.some((name) => first.includes(name))]).toEqual([25, false]);
      const [name = ''] = second;
      await turning(page, () => page.getByRole('link', { name, exact: true }).first().click());
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
      await turning(page, () => page.getByRole('link', { name: 'Back to the results' }).click());
      expect(await names(page)).toEqual(second);
      await press(page, 'Sign out');
      await page.getByLabel('API key').waitFor();
      await context?.close();
      expect(foreign).toEqual([]);
    });
  }, 180_000);

  test('suggest while somebody types, by keyboard and by mouse', async () => {
    await visiting(server.url, async ({ page, foreign, complaints }) => {
      await page.goto(server.url);
      await press(page, 'Sign in');
      const surname = page.getByRole('combobox', { name: 'Surname or NPI' });
      await surname.pressSequentially('smi');
      await page.getByRole('option').first().waitFor();
      expect(await surname.getAttribute('aria-expanded')).toBe('true');
      await surname.press('ArrowDown');
      const active = page
        .getByRole('listbox', { name: 'Suggestions' })
        .getByRole('option', { selected: true });
      expect(await surname.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
      await surname.press('Enter');
      expect([await surname.inputValue(), await page.getByRole('listbox').isVisible()]).toEqual([
        'SMITH',
        false,
      ]);
      const specialty = page.getByRole('combobox', { name: 'Specialty' });
      await specialty.pressSequentially('emergency nurse');
      await page.getByRole('option').first().waitFor();
      await lookAt(page, 'suggestions');
      await specialty.press('Escape');
      expect([await page.getByRole('listbox').isVisible(), await specialty.inputValue()]).toEqual([
        false,
        'emergency nurse',
      ]);
      await specialty.press('ArrowDown');
      await page.getByRole('option', { name: 'Emergency Registered Nurse' }).click();
      expect(await specialty.inputValue()).toBe('Emergency Registered Nurse');
      await specialty.press('Enter');
      await page.waitForURL('**/?surname=SMITH&specialty=Emergency+Registered+Nurse**');
      expect([foreign, complaints]).toEqual([[], []]);
    });
  }, 180_000);

  test('are readable in light and dark, from 360 px on, and accessible', async () => {
    await visiting(server.url, async ({ page }) => {
      await page.goto(server.url);
      await lookAt(page, 'start');
      await press(page, 'Sign in');
      for (const path of [
        '/?surname=s&specialty=RN',
        '/?surname=smiht&state=TX&city=austin',
        '/?specialty=cardiolgist',
        '/clinicians/2000123457?surname=s',
      ]) {
        await page.goto(`${server.url}${path}`);
        await lookAt(page, path);
      }
    });
  }, 180_000);
});
