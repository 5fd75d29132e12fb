import { afterAll, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { browserAvailable, closeBrowser, visiting } from '../../../../support/browser.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

afterAll(closeBrowser);

test.skipIf(!browserAvailable)(
  'pictures in a browser: on a page of another origin, by themselves, in light and dark',
  async () => {
    const app = await openTrustApp();
    const name = '<img src=x onerror=alert(1)> "&\' وكيل 👩‍👩‍👧‍👦 '.repeat(5);
    const { commitment } = await enrolledAgent(app, { name });
    const paths = [`/api/v1/avatar/${sha256Hex('nobody')}`, `/api/v1/badge/${commitment}/attestation`];
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
    const origin = `http://127.0.0.1:${server.port}`;
    const page = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          [640, 320]
            .flatMap((width) => paths.map((path) => `<img width=${width} src="${origin}${path}">`))
            .join(''),
          { headers: { 'content-type': 'text/html' } },
        ),
    });
    try {
      await visiting(origin, async ({ page: tab, foreign, complaints }) => {
        for (const path of paths) {
          const looks: string[] = [];
          for (const colorScheme of ['light', 'dark'] as const) {
            await tab.emulateMedia({ colorScheme });
            const response = await tab.goto(`${origin}${path}`);
            expect([response?.status(), await tab.evaluate('document.documentElement.tagName')]).toEqual([
              200,
              'svg',
            ]);
            looks.push((await tab.screenshot()).toBase64());
          }
          expect(new Set(looks).size).toBe(2);
        }
        expect([foreign, complaints]).toEqual([[], []]);
      });
      await visiting(`http://127.0.0.1:${page.port}`, async ({ page: tab, complaints }) => {
        await tab.unrouteAll();
        await tab.goto(`http://127.0.0.1:${page.port}`);
        await tab.waitForLoadState('networkidle');
        const sizes = await tab.evaluate(
          '[...document.images].map((image) => [image.naturalWidth, image.width, image.height])',
        );
        expect(sizes).toEqual([
          [96, 640, 640],
          [640, 640, 324],
          [96, 320, 320],
          [640, 320, 162],
        ]);
        if (process.env.SCREENSHOT)
          await tab.screenshot({ path: '/tmp/countersign-pictures.png', fullPage: true });
        expect(complaints).toEqual([]);
      });
    } finally {
      await Promise.all([server.stop(true), page.stop(true)]);
      await app.close();
    }
  },
);
