import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { scratch, serve } from '../support/process.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-component-update',
];
QUIET.push('--disable-background-networking', '--disable-sync');

test.skipIf(!existsSync(CHROMIUM))(
  'Swagger UI in a browser: authorize, then issue, finalize and revoke by "Try it out"',
  async () => {
    const { path, dispose } = scratch();
    const server = await serve(`${path}/data`);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
      const foreign: string[] = [];
      const complaints: string[] = [];
      // By another of the machine's names than the one that was printed: the page must not care.
      const url = server.url.replace('127.0.0.1', 'localhost');
      await page.route('**/*', (route) => {
        const wanted = route.request().url();
        if (wanted.startsWith(url) || wanted.startsWith('data:')) return route.continue();
        foreign.push(wanted);
        return route.abort();
      });
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));

      await page.goto(url);
      expect(page.url()).toBe(`${url}/swagger`);
      await page.click('.btn.authorize');
      await page.fill('.auth-container input', server.apiKey);
      await page.click('.auth-btn-wrapper .authorize');
      await page.click('.btn-done');

      const execute = async (
        operation: string,
        id: string | null,
      ): Promise<{ status: string; text: string }> => {
        const block = `#operations-Receipts-${operation}`;
        await page.click(`${block} .opblock-summary-control`);
        if (id !== null) await page.fill(`${block} tr[data-param-name="id"] input`, id);
        await page.click(`${block} .execute`);
        const answer = `${block} .live-responses-table tbody .response`;
        await page.waitForSelector(answer);
        return {
          status: (await page.textContent(`${answer} .response-col_status`)) ?? '',
          text: (await page.textContent(`${answer} .response-col_description`)) ?? '',
        };
      };
      const issued = await execute('issueReceipt', null);
      expect(issued.status).toStartWith('201');
      const id = /rcpt_[0-9a-f]{32}/.exec(issued.text)?.[0] ?? '';
      const finalized = await execute('finalizeReceipt', id);
      expect([finalized.status, finalized.text]).toEqual([
        expect.stringMatching(/^200/),
        expect.stringContaining('success'),
      ]);
      const revoked = await execute('revokeReceipt', id);
      expect([revoked.status, revoked.text]).toEqual([
        expect.stringMatching(/^200/),
        expect.stringContaining('revoked'),
      ]);
      expect([foreign, complaints]).toEqual([[], []]);
    } finally {
      await browser.close();
      await server.stop();
      dispose();
    }
  },
);
