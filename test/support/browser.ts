import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

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

/**
 * Whether a browser is available. Tests that need one are `test.skipIf(!browserAvailable)`, so that a report
 * names them.
 */
export const browserAvailable: boolean = existsSync(EXECUTABLE);

export interface Visit {
  page: Page;
  /** Every request to an origin other than the visited one. All of them were blocked. */
  foreign: string[];
  /**
   * Errors and warnings of the console, violations of the content security policy among them, and uncaught
   * errors.
   */
  complaints: string[];
}

/** The browser that the visits of a file of tests share: it starts slowly. */
let running: Promise<Browser> | null = null;

async function launched(): Promise<Browser> {
  const known = await running;
  if (known?.isConnected()) return known;
  running = chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  return running;
}

/** Ends the browser of all visits so far. */
export async function closeBrowser(): Promise<void> {
  const known = running;
  running = null;
  await (await known)?.close();
}

/**
 * Visits one origin in a headless browser that cannot reach any other. The visit shares nothing with those
 * before it: no cookies, storage and cache. After the last one, `closeBrowser` ends the browser.
 */
export async function visiting(origin: string, visit: (seen: Visit) => Promise<void>): Promise<void> {
  const browser = await launched();
  const context = await browser.newContext({ viewport: { width: 1280, height: 1600 } });
  try {
    const page = await context.newPage();
    // Half a minute, the default, is not always enough for a large page on a busy machine.
    page.setDefaultTimeout(120_000);
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
    await Promise.all(browser.contexts().map((one) => one.close()));
  }
}

/** Returns the page's own background color, as CSS says it. */
export function background(page: Page): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
}

/** Returns the texts that have less contrast with what is behind them than 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FAINT_TEXTS);
}

/** Runs in the browser, so it is text: the project's types know no document. */
const FAINT_TEXTS = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const over = ([red, green, blue, alpha = 1], below) =>
    [red, green, blue].map((value, index) => value * alpha + below[index] * (1 - alpha));
  const behind = (element) => {
    if (element === null) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color.length === 3 ? color : over(color, behind(element.parentElement));
  };
  const faint = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const shown = text.map((node) => node.textContent).join('').trim();
    const isShown = element.getClientRects().length > 0 && !['OPTION', 'SCRIPT', 'STYLE'].includes(element.tagName);
    if (shown === '' || !isShown) continue;
    const below = behind(element);
    const color = over(channels(getComputedStyle(element).color), below);
    const [low, high] = [luminance(color), luminance(below)].sort((left, right) => left - right);
    if ((high + 0.05) / (low + 0.05) < 4.5) faint.add(shown.slice(0, 40));
  }
  return [...faint];
})()`;
