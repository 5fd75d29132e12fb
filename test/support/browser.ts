import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether there is a browser. Tests that need one are `test.skipIf(!browserAvailable)`, so that a report names them. */
export const browserAvailable: boolean = existsSync(EXECUTABLE);

export interface Visit {
  page: Page;
  /** Every request to another origin than the visited one; none of them got out. */
  foreign: string[];
  /** Errors and warnings of the console, violations of the content security policy among them, and uncaught errors. */
  complaints: string[];
}

/** Visits one origin in a fresh headless browser that cannot reach any other. */
export async function visiting(origin: string, visit: (seen: Visit) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const foreign: string[] = [];
    const complaints: string[] = [];
    await page.route('**/*', (route) => {
      const url = new URL(route.request().url());
      if (url.protocol === 'data:' || url.origin === origin) return route.continue();
      foreign.push(url.href);
      return route.abort();
    });
    await page.routeWebSocket('**/*', (socket) => {
      foreign.push(socket.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await visit({ page, foreign, complaints });
  } finally {
    await browser.close();
  }
}
