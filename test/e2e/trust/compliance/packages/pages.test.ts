import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { NOTICE } from '../../../../../src/platform/http/openapi/demonstration.ts';
import { EXAMPLE_COMMITMENT } from '../../../../../src/trust/agents/example-agent.ts';
import { packagePage } from '../../../../../src/trust/compliance/packages/page/page.ts';
import { trustServiceDefinition } from '../../../../../src/trust/definition.ts';
import { DEMO_CLUSTER } from '../../../../../src/trust/http/example-ids.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import {
  background,
  browserAvailable,
  closeBrowser,
  faintTexts,
  visiting,
} from '../../../../support/browser.ts';
import { openDemo } from '../../../../support/demo.ts';
import { madeUpPackage } from '../../../../support/made-up-package.ts';
import { seenPage } from '../../../../support/page.ts';
import { colorsOf, printed } from '../../../../support/printed.ts';

afterAll(closeBrowser);

const directory = takeDataDirectory(':memory:');
const service = await openDemo(trustServiceDefinition(trustModules), directory);
const { fetch } = service.app('/');
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => fetch(request, '127.0.0.1') });
const origin = `http://127.0.0.1:${server.port}`;

afterAll(async () => {
  await server.stop(true);
  await service.close();
  directory.release();
});

const PAGES: [name: string, path: string][] = [
  ['a compliance package', `/api/v1/compliance/packages/${EXAMPLE_COMMITMENT}?framework=NIST_AI_RMF`],
  ['an audit package', `/api/v1/compliance/audit-package/${EXAMPLE_COMMITMENT}`],
  ['a package of a cluster', `/api/v1/datacenter/compliance/packages/${DEMO_CLUSTER}?framework=ISO_14064`],
  ['a scorecard', `/api/v1/datacenter/clusters/${DEMO_CLUSTER}/scorecard`],
];

describe.each(PAGES)('the page of %s', (name, path) => {
  let html: Response;
  let json: string;

  beforeAll(async () => {
    html = await globalThis.fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
    json = await (await globalThis.fetch(`${origin}${path}`)).text();
  });

  test('varies with Accept, runs no script and says that it is a demonstration', async () => {
    expect([html.status, html.headers.get('content-type'), html.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(html.headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'sha256-");
    const text = await html.clone().text();
    expect(text).toContain(NOTICE);
    expect([...(await seenPage(text)).downloads.values()]).toEqual([json]);
  });

  test.skipIf(!browserAvailable)(
    'in a browser: readable in light and dark, as wide as a telephone, and printed on A4 without colors',
    async () => {
      await visiting(origin, async ({ page, foreign, complaints }) => {
        const shoot = async (look: string) => {
          if (process.env.SCREENSHOT === undefined) return;
          await page.screenshot({
            path: `/tmp/countersign-${name.replaceAll(' ', '-')}-${look}.png`,
            fullPage: true,
          });
        };
        const backgrounds: string[] = [];
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.goto(`${origin}${path}`);
          backgrounds.push(await background(page));
          expect(await faintTexts(page)).toEqual([]);
          expect((await colorsOf(page)).length).toBeGreaterThan(0);
          await shoot(colorScheme);
        }
        expect(backgrounds).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 26)']);

        await page.setViewportSize({ width: 360, height: 800 });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
        await shoot('telephone');

        const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
        expect(readFileSync(await download.path(), 'utf8')).toBe(json);

        // Also on paper of a reader with a dark screen.
        await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
        expect([await background(page), await colorsOf(page)]).toEqual(['rgb(255, 255, 255)', []]);
        const { pages, sizes, headings } = await printed(page);
        expect([pages > 1, sizes]).toEqual([true, ['595 × 842']]);
        expect([headings.length > 3, headings.filter(({ above }) => above < 100)]).toEqual([true, []]);
        expect([foreign, complaints]).toEqual([[], []]);
      });
    },
  );
});

test.skipIf(!browserAvailable)(
  'a heading of a printed package stands with its table and its first rows, wherever the sheet ends',
  async () => {
    const { text, document } = madeUpPackage();
    const [set] = document.reference_sets;
    if (set === undefined) throw new Error('the package has no reference set');
    // Sets of all sizes, so that some headings come to the foot of a sheet.
    const reference_sets = set.sample.flatMap((_, n) => [
      { ...set, name: `set ${n}`, sample: set.sample.slice(0, n + 2) },
    ]);
    const context = { notice: null, hasExplorer: true, frameworkNames: {} };
    await visiting(origin, async ({ page }) => {
      await page.setContent(packagePage(text, { ...document, reference_sets }, context).text);
      await page.emulateMedia({ media: 'print' });
      const { headings } = await printed(page);
      const ofSets = headings.filter(({ title }) => title.startsWith('set '));
      expect(ofSets).toHaveLength(reference_sets.length);
      // The foot's margin of 51 points, a heading of four lines, a caption, the head of a table and two rows.
      expect(ofSets.filter(({ above }) => above < 180)).toEqual([]);
    });
  },
);
