import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { faintTexts } from './browser.ts';

/**
 * All rules of axe-core, for WCAG 2.2 A and AA and its best practices, but one: the notice of a demonstration
 * precedes all regions.
 */
const ALL_RULES = `rules: { region: { enabled: false } }`;
/** Those that look at colors, which is all that another color scheme changes. */
const COLOR_RULES = `runOnly: ['color-contrast', 'link-in-text-block']`;

/** Returns the rules that a page breaks, by axe-core. */
async function accessibilityProblems(page: Page, rules: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window")))
    await page.evaluate(await Bun.file(require.resolve('axe-core/axe.min.js')).text());
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'], ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
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
  for (const [colorScheme, rules] of [
    ['light', ALL_RULES],
    ['dark', COLOR_RULES],
  ] as const) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([name, colorScheme, width, overflow]).toEqual([name, colorScheme, width, width]);
      expect([name, colorScheme, await faintTexts(page)]).toEqual([name, colorScheme, []]);
    }
    expect([name, colorScheme, await accessibilityProblems(page, rules)]).toEqual([name, colorScheme, []]);
  }
}
