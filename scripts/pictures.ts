/**
 * Makes the pictures of the documentation from the demonstration: `bun scripts/pictures.ts` opens the
 * demonstration of the trust service in this process, with the seeded randomness and the clock of the recorded
 * examples, photographs pages in Chromium in the light and the dark mode, and writes `docs/pictures`.
 * `pictures.json` has the SHA-256 of the HTML that each picture shows. With `--check` it writes nothing, needs
 * no browser, and exits with 1 if a picture is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedRandomness } from './examples/seed.ts';
import { ROOT } from './sources.ts';

/** A picture of a page. */
interface Picture {
  path: string;
  /** The part of the page from its top left, in CSS pixels. */
  width: number;
  height: number;
}

/** The agent of the documentation, of which the demonstration has the most. */
const AGENT = '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73';

/** The pictures by name: `NAME-light.png` and `NAME-dark.png`. */
const PICTURES: Readonly<Record<string, Picture>> = {
  explorer: { path: '/', width: 1000, height: 760 },
  'compliance-package': {
    path: `/api/v1/compliance/packages/${AGENT}?framework=EU_AI_ACT`,
    width: 1000,
    height: 660,
  },
};

const DIRECTORY = join(ROOT, 'docs/pictures');
const DIGESTS = join(DIRECTORY, 'pictures.json');
/** So that a clone stays small. */
const MAX_BYTES = 150_000;
/**
 * What a picture does not show, such as icons, and what differs: hashes, signatures and downloads, since the
 * order of what the demonstration does at once is open.
 */
const NOT_SHOWN = /<(?:link|meta)\b[^>]*>|\b[0-9a-f]{64,128}\b|data:application\/json;base64,[\w+/=]+/g;
const SCHEMES = ['light', 'dark'] as const;

type Send = (request: Request) => Promise<Response>;

process.exitCode = await withDemonstration(process.argv.includes('--check') ? check : write);

/** Calls `use` with a demonstration. Its code is loaded after the randomness is seeded. */
async function withDemonstration(use: (send: Send) => Promise<number>): Promise<number> {
  seedRandomness();
  const { takeDataDirectory } = await import('../src/platform/data-directory.ts');
  const { openTrustDemo } = await import('../src/trust/demo/open.ts');
  const { trustModules } = await import('../src/trust/service/modules.ts');
  const { environmentOf, PEER, recordingClock } = await import('./examples/environment.ts');
  const directory = takeDataDirectory(':memory:');
  const demo = await openTrustDemo(environmentOf(directory, recordingClock().clock), trustModules);
  try {
    const app = demo.app('/');
    await app.load();
    return await use((request) => app.fetch(request, PEER));
  } finally {
    await demo.close();
    directory.release();
  }
}

/** Returns the digest of what a picture shows: of its page, and of its size. */
async function digestOf({ path, width, height }: Picture, send: Send): Promise<string> {
  const { ORIGIN } = await import('./examples/environment.ts');
  const response = await send(new Request(`${ORIGIN}${path}`, { headers: { accept: 'text/html' } }));
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${text.slice(0, 200)}`);
  const shown = text.replace(NOT_SHOWN, '');
  return new Bun.CryptoHasher('sha256').update(`${width}x${height} ${shown}`).digest('hex');
}

async function digestsOf(send: Send): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, picture] of Object.entries(PICTURES)) digests[name] = await digestOf(picture, send);
  return digests;
}

/** @returns the exit code */
async function check(send: Send): Promise<number> {
  const written: Record<string, unknown> = JSON.parse(readFileSync(DIGESTS, 'utf8'));
  const digests = await digestsOf(send);
  const names = [...new Set([...Object.keys(digests), ...Object.keys(written)])];
  const stale = names.filter((name) => digests[name] !== written[name]);
  if (stale.length === 0) return 0;
  process.stderr.write(`${stale.join(', ')}: the picture is stale. Run bun scripts/pictures.ts\n`);
  return 1;
}

/** @returns the exit code */
async function write(send: Send): Promise<number> {
  const { closeBrowser, visiting } = await import('../test/support/browser.ts');
  const { ORIGIN } = await import('./examples/environment.ts');
  mkdirSync(DIRECTORY, { recursive: true });
  const digests = await digestsOf(send);
  await visiting(ORIGIN, async ({ page }) => {
    // The requests of a page reach the service in this process.
    await page.route('**/*', async (route) => {
      const request = route.request();
      const response = await send(new Request(request.url(), { headers: request.headers() }));
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      });
    });
    for (const [name, { path, width, height }] of Object.entries(PICTURES)) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${ORIGIN}${path}`);
        const png = await page.screenshot({ clip: { x: 0, y: 0, width, height } });
        if (png.byteLength > MAX_BYTES) {
          throw new Error(`${name} has ${png.byteLength} bytes: choose a smaller part of the page`);
        }
        writeFileSync(join(DIRECTORY, `${name}-${colorScheme}.png`), png);
      }
    }
  });
  await closeBrowser();
  writeFileSync(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
  return 0;
}
