import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { faintTexts } from './browser.ts';

/**
 * Returns the rules that a page breaks, by axe-core: WCAG 2.2 A and AA, and its best practices. The notice of
 * a demonstration precedes all regions.
 */
async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window")))
    await page.evaluate(await Bun.file(require.resolve('axe-core/axe.min.js')).text());
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'], rules: { region: { enabled: false } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  );
}

/**
 * Looks at a page in both color schemes and at some widths: it is as wide as the window, has contrast and is
 * accessible. The page has no script, or one that does nothing by itself.
 */
export async function lookAt(
  page: Page,
  name: string,
  widths: readonly number[] = [360, 1280],
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([name, colorScheme, width, overflow]).toEqual([name, colorScheme, width, width]);
      expect([name, colorScheme, await faintTexts(page)]).toEqual([name, colorScheme, []]);
    }
    expect([name, colorScheme, await accessibilityProblems(page)]).toEqual([name, colorScheme, []]);
  }
}
