import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import {
  background,
  browserAvailable,
  closeBrowser,
  faintTexts,
  visiting,
} from '../../../support/browser.ts';
import { client } from '../../../support/client.ts';
import { scratch, serve } from '../../../support/process.ts';
import { giveSampleRegistry } from '../../../support/sample-registry.ts';

afterAll(closeBrowser);

test.skipIf(!browserAvailable)(
  'Swagger UI in a browser: authorize, then issue, finalize and revoke by "Try it out"; dark where the system is, and follows it',
  async () => {
    const { path, dispose } = scratch();
    const server = await serve(`${path}/data`);
    // By another of the machine's names than the one that was printed: the page must not care.
    const origin = server.url.replace('127.0.0.1', 'localhost');
    try {
      await visiting(origin, async ({ page, foreign, complaints }) => {
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.goto(`${origin}/swagger`);
        await page.waitForSelector('.opblock-tag');
        expect(await background(page)).toBe('rgb(28, 32, 34)');

        const execute = executor(page, 'Receipts');
        expect((await execute('listReceipts', null)).status).toBe('401');
        // The browser itself reports the refused request; nothing else may be said.
        expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);

        await authorize(page, server.apiKey);

        const issued = await execute('issueReceipt', null);
        expect([issued.status, issued.text]).toEqual(['201', expect.stringContaining('pending')]);
        const id = /rcpt_[0-9a-f]{32}/.exec(issued.text)?.[0] ?? '';
        const finalized = await execute('finalizeReceipt', id);
        expect([finalized.status, finalized.text]).toEqual(['200', expect.stringContaining('success')]);
        const revoked = await execute('revokeReceipt', id);
        expect([revoked.status, revoked.text]).toEqual(['200', expect.stringContaining('revoked')]);
        for (const { text } of [finalized, revoked]) expect(text).toContain(id);

        expect(await faintTexts(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.waitForSelector('html:not(.dark-mode)');
        expect(await background(page)).toBe('rgba(0, 0, 0, 0)');
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.waitForSelector('html.dark-mode');

        if (process.env.SCREENSHOT)
          await page.screenshot({ path: '/tmp/countersign-swagger.png', fullPage: true });
        expect([foreign, complaints]).toEqual([[], []]);
        const stored = await client(fetch, server.url, server.apiKey).get(`/api/v1/receipts/${id}`);
        expect(stored.body).toMatchObject({ status: 'success', revocation_status: 'revoked' });
      });
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);

test.skipIf(!browserAvailable)(
  'Swagger UI of the staffing service: a key, then search and submit by "Try it out"',
  async () => {
    const { path, dispose } = scratch();
    giveSampleRegistry(`${path}/data`);
    const server = await serve(`${path}/data`, {}, ['--service', 'staffing']);
    try {
      await visiting(server.url, async ({ page, foreign, complaints }) => {
        await page.goto(`${server.url}/swagger`);
        const made = await executor(page, 'Accounts')('createSandboxKey', null);
        expect(made.status).toBe('201');
        await authorize(page, /mpk_test_\w{40}/.exec(made.text)?.[0] ?? '');
        const found = await executor(page, 'Clinicians')('searchClinicians', null);
        expect([found.status, found.text]).toEqual(['200', expect.stringContaining('last_name')]);
        const submitted = await executor(page, 'Requisitions')('submitJob', null);
        expect([submitted.status, submitted.text]).toEqual(['201', expect.stringContaining('submitted')]);
        if (process.env.SCREENSHOT) {
          await page.screenshot({ path: '/tmp/countersign-staffing.png', fullPage: true });
        }
        expect([foreign, complaints]).toEqual([[], []]);
      });
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);

test.skipIf(!browserAvailable)(
  'Swagger UI of a demonstration fits 390 px without a frame, and finds an operation by words, with all groups closed before; "Try it out" works with the examples unedited and no key pasted',
  async () => {
    const { path, dispose } = scratch();
    const server = await serve(`${path}/data`, {}, ['--demo']);
    try {
      await visiting(server.url, async ({ page, foreign, complaints }) => {
        await page.setViewportSize({ width: 390, height: 900 });
        await page.goto(`${server.url}/swagger`);
        expect(await page.textContent('.demonstration')).toContain('Demonstration');
        await page.waitForSelector('.authorization__btn.locked, .btn.authorize.locked');
        await page.waitForSelector('.opblock-tag');
        await findsByWords(page);

        const finalized = await executor(page, 'Receipts')('finalizeReceipt', null);
        expect([finalized.status, finalized.text]).toEqual(['200', expect.stringContaining('success')]);
        const block = page.locator('#operations-Receipts-finalizeReceipt');
        const samples = block.locator('.response .example');
        const before = await samples.count();
        await block.getByRole('button', { name: 'Show a sample' }).first().click();
        expect(await samples.count()).toBe(before + 1);
        await block.getByRole('button', { name: 'Hide the sample' }).click();
        expect(await samples.count()).toBe(before);
        expect(
          await block.locator('.closed-headers').evaluateAll((all) => all.filter((one) => Object(one).open)),
        ).toEqual([]);
        const [width, left] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, document.querySelector(".demonstration").getBoundingClientRect().left]',
        );
        expect([width, left]).toEqual([390, 0]);

        // Its cookie is the browser's, and the page sends the header that a write by cookie needs.
        const session = executor(page, 'Operator');
        expect((await session('openSession', null)).status).toBe('201');
        expect((await session('endSession', null)).status).toBe('200');
        expect([foreign, complaints]).toEqual([[], []]);
      });
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);

/** Checks that the page shows no operation, then those that words name, and again none. */
async function findsByWords(page: Page): Promise<void> {
  const operations = page.locator('.opblock');
  const groups = page.locator('.opblock-tag');
  const box = page.getByRole('searchbox', { name: 'Find an operation' });
  const all = await groups.count();
  expect([await operations.count(), all]).toEqual([0, expect.any(Number)]);
  expect(all).toBeGreaterThan(15);

  for (const [words, found] of [
    ['  Finalize RECEIPT ', ['operations-Receipts-finalizeReceipt']],
    ['post /api/v1/webhooks', ['operations-Webhooks-createWebhook']],
    ['listWebhooks', ['operations-Webhooks-listWebhooks']],
    ['<script>', []],
  ] as const) {
    await box.fill(words);
    await page.waitForFunction(`document.querySelectorAll('.opblock').length === ${found.length}`);
    expect(await operations.evaluateAll((blocks) => blocks.map(({ id }) => id))).toEqual([...found]);
  }
  expect(await page.textContent('.operation-filter [role=status]')).toBe('No operation matches.');
  await box.fill('');
  await page.waitForFunction(`document.querySelectorAll('.opblock-tag').length === ${all}`);
  expect(await operations.count()).toBe(0);
}

/** Presses "Execute" on operations of a section, with their examples, and reads the answer. */
function executor(page: Page, section: string) {
  return async (operation: string, id: string | null): Promise<{ status: string; text: string }> => {
    const block = `#operations-${section}-${operation}`;
    const answer = `${block} .live-responses-table tbody .response`;
    if ((await page.locator(block).count()) === 0) await page.click(`#operations-tag-${section}`);
    await page.click(`${block} .opblock-summary-control`);
    if (id !== null) await page.fill(`${block} tr[data-param-name="id"] input`, id);
    await page.click(`${block} .execute`);
    await page.waitForSelector(answer);
    const status = (await page.textContent(`${answer} .response-col_status`)) ?? '';
    const text = (await page.textContent(`${answer} .response-col_description`)) ?? '';
    return { status: status.trim().slice(0, 3), text };
  };
}

/**
 * Types into whatever has the cursor, as somebody does who pastes a key: that has to be the form of the API
 * key.
 */
async function authorize(page: Page, key: string): Promise<void> {
  await page.click('.btn.authorize');
  await page.waitForSelector('.auth-container input');
  await page.keyboard.insertText(key);
  await page.keyboard.press('Enter');
  const form = page.locator('.auth-container').first();
  expect(await form.locator('h4').textContent()).toContain('apiKey');
  await form.getByText('Authorized', { exact: true }).waitFor();
  await page.click('.btn-done');
}
