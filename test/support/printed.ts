import type { Page } from 'playwright-core';

/** What a test looks at in a PDF. */
interface Printed {
  pages: number;
  /** Width and height of the pages in points, each size once. */
  sizes: string[];
  /** The headings, with their distance from the foot of their sheet in points. */
  headings: { title: string; above: number }[];
}

/** Prints a page to PDF as a browser does, with the size that its style names. */
export async function printed(page: Page): Promise<Printed> {
  const options = { preferCSSPageSize: true, tagged: true, outline: true };
  const pdf = (await page.pdf(options)).toString('latin1');
  const sizes = [...pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(
    ([, width, height]) => `${Math.round(Number(width))} × ${Math.round(Number(height))}`,
  );
  const headings = [...pdf.matchAll(/\/Title \((.*)\)\n\/Dest \[\d+ 0 R \/XYZ [\d.]+ ([\d.]+)/g)].map(
    ([, title = '', above]) => ({ title, above: Number(above) }),
  );
  return { headings, pages: (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length, sizes: [...new Set(sizes)] };
}

/**
 * Returns the colors of texts, lines and areas that are no shade of grey, with the first element that has
 * each.
 */
export function colorsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(COLORS);
}

/** Runs in the browser, so it is text: the project's types know no document. */
const COLORS = `(() => {
  const colored = new Map();
  for (const element of document.querySelectorAll('body, body *')) {
    const style = getComputedStyle(element);
    for (const name of ['color', 'backgroundColor', 'borderTopColor', 'fill', 'stroke']) {
      const [red, green, blue] = (style[name].match(/^rgb/) ? style[name].match(/[\\d.]+/g) : [0, 0, 0]).map(Number);
      if (red !== green || green !== blue) colored.set(name + ' ' + style[name], element.outerHTML.slice(0, 60));
    }
  }
  return [...colored].map(([color, element]) => color + ' of ' + element);
})()`;
