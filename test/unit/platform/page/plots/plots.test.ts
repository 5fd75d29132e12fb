import { describe, expect, test } from 'bun:test';
import { html } from '../../../../../src/platform/page/html.ts';
import { figure } from '../../../../../src/platform/page/plots/figure.ts';
import { barPlot, stepPlot } from '../../../../../src/platform/page/plots/time-plot.ts';
import { seenPage } from '../../../../support/page.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-31T00:00:00Z');
const hours = (counts: readonly number[]) =>
  counts.map((count, index) => {
    const from = START + index * HOUR;
    return { from, to: from + HOUR, count, title: `hour ${index}: ${count}` };
  });

describe('a plot of bars', () => {
  test('has a bar with a title for each count, and none for 0', async () => {
    const { text } = barPlot(hours([0, 5, 10]), 'a label');
    expect(text.match(/<rect/g)).toHaveLength(2);
    expect(text).toContain('<title>hour 1: 5</title>');
    expect(text).toContain('height="50%"');
    expect(text).toContain('height="100%"');
    await seenPage(text);
  });

  test('shows a small count beside a large one', () => {
    expect(barPlot(hours([1, 1_000_000]), '').text).toContain('height="1%"');
  });

  test('of nothing has a base line and no bar', () => {
    const { text } = barPlot(hours([0, 0]), '');
    expect(text).not.toContain('<rect');
    expect(text).toContain('class="axis"');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('names hours of a day, and days of a month', () => {
    expect(barPlot(hours(Array.from({ length: 24 }, () => 1)), '').text).toContain('>12:00</text>');
    expect(barPlot(hours(Array.from({ length: 24 * 30 }, () => 1)), '').text).toMatch(
      />2026-02-\d\d<\/text>/,
    );
  });

  test('escapes what it is told', () => {
    const [hour] = hours([1]);
    if (hour === undefined) throw new Error('there is an hour');
    expect(barPlot([{ ...hour, title: '<b>' }], '"><script>').text).not.toMatch(/<b>|<script>/);
  });
});

describe('a plot of steps', () => {
  test('keeps a count until the next point', () => {
    const points = [
      { at: START, count: 0 },
      { at: START + HOUR, count: 10 },
    ];
    expect(stepPlot(points, { end: START + 2 * HOUR, fromZero: true }, '').text).toContain(
      'd="M0,1000L500,1000L500,0L1000,0L1000,0"',
    );
  });

  test('may begin near the least count', () => {
    const points = [
      { at: START, count: 997_000 },
      { at: START + HOUR, count: 998_000 },
    ];
    const { text } = stepPlot(points, { end: START + 2 * HOUR, fromZero: false }, '');
    expect(text).toContain('d="M0,1000L500,1000L500,0L1000,0L1000,0"');
    expect(text).toContain('>997,200</text>');
  });

  test.each([
    ['a single point', [{ at: START, count: 0 }], START],
    ['an end before the points, as of a clock that was set back', [{ at: START, count: 3 }], START - HOUR],
  ])('of %s has finite numbers', (_name, points, end) => {
    expect(stepPlot(points, { end, fromZero: true }, '').text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

test('a figure has its values as a table, whose summary names the figure', async () => {
  const { text } = figure({
    caption: 'Receipts',
    note: 'a note',
    plot: html`<svg></svg>`,
    columns: ['Hour', 'Receipts'],
    rows: [['<00:00>', '7']],
  });
  expect(text).toContain('<summary>Receipts, as a table</summary>');
  expect(text).toContain('<th scope="row">&lt;00:00&gt;</th><td class="number">7</td>');
  await seenPage(text, true);
});
