import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from '../../../scripts/market/page.ts';
import { PLOTS, plotOf } from '../../../scripts/market/plot.ts';
import { daysUntilScore, honestRange, resultOf } from '../../../scripts/market/results.ts';
import { scoreOf } from '../../../src/trust/evidence/reputation/score.ts';
import { KINDS } from '../../support/market/kinds.ts';
import type { MarketResult } from '../../support/market/simulation.ts';
import { parseSvg, wordsOf } from '../../support/svg.ts';

const DOCS = join(import.meta.dir, '../../../docs');
const read = (path: string): string => readFileSync(join(DOCS, path), 'utf8');
const market: MarketResult = JSON.parse(read('market.json'));

/** The score of an agent whose firm issued receipts of 150 tasks. */
function inFirm(failures: number): number {
  const none = { successes: 0, failures: 0 };
  const sponsored = { successes: 150 - failures, failures };
  return scoreOf({ corroborated: none, sponsored, selfSigned: none }, false);
}

describe('the market of docs/market.json', () => {
  test('has every kind of agents, for 90 days', () => {
    expect(market.kinds.map(({ name }) => name)).toEqual(KINDS.map(({ name }) => name));
    expect(market.kinds.map(({ scores }) => scores.length)).toEqual(KINDS.map(() => 90));
  });

  test('has honest agents within 5 points of each other, above Sybils without a subscription', () => {
    const { lowest, highest } = honestRange(market);
    expect(highest - lowest).toBeLessThanOrEqual(5);
    for (const name of ['sybil', 'pair', 'ring', 'hired-by-4'])
      expect([name, resultOf(market, name).highest < lowest]).toEqual([name, true]);
  });

  test('has what the page says that does not hold: subscriptions, a firm that lies, silence, trade both ways', () => {
    const { lowest, highest } = honestRange(market);
    for (const name of ['paid-hired-by-4', 'lying-firm'])
      expect([name, resultOf(market, name).highest >= lowest]).toEqual([name, true]);
    expect(resultOf(market, 'lazy-silent').lowest).toBeGreaterThan(highest);
    expect(resultOf(market, 'trading').highest).toBeLessThan(lowest);
  });

  test('has a Sybil that is not below agents of a firm from 47 failures on, as the page says', () => {
    const sybil = resultOf(market, 'hired-by-4').highest;
    expect([inFirm(46) > sybil, inFirm(47) > sybil]).toEqual([true, false]);
  });

  test('is what the tables of docs/reputation.md say, or bun scripts/market.ts --page writes them', () => {
    const page = read('reputation.md');
    expect(withTables(page, market)).toBe(page);
  });

  test.each(PLOTS)('is what the picture $name shows, or bun scripts/market.ts --page draws it', (plot) => {
    const svg = read(`pictures/${plot.name}.svg`);
    expect(plotOf(plot, market)).toBe(svg);
    expect(read('reputation.md')).toContain(`(pictures/${plot.name}.svg)`);
  });
});

test.each(PLOTS)(
  'the picture $name is small, runs and loads nothing, has a title and a text of its curves',
  (plot) => {
    const svg = plotOf(plot, market);
    expect(svg.length).toBeLessThan(20_000);
    const root = parseSvg(svg);
    expect(root.getElementsByTagName('title')[0]?.textContent).toBe(plot.title);
    const description = root.getElementsByTagName('desc')[0]?.textContent ?? '';
    const words = wordsOf(root).join('\n');
    // Longer ones would leave the picture.
    expect(wordsOf(root).filter((word) => word.length > 48 && word !== plot.title)).toEqual([]);
    for (const name of plot.kinds) {
      const label = KINDS.find((kind) => kind.name === name)?.label ?? '';
      expect([label, description.includes(label), words.includes(label)]).toEqual([label, true, true]);
    }
  },
);

test('a kind of agents that a market did not have is an error, and so is a page without a place for a table', () => {
  expect(() => resultOf(market, 'saint')).toThrow('the market has no saint: run bun scripts/market.ts');
  expect(() => honestRange({ kinds: [] })).toThrow('the market has no honest agents');
  expect(() => withTables('# Reputation', market)).toThrow('no place for the table attempts');
});

test('the days until a score count the first day as one, and allow a point', () => {
  const [kind] = market.kinds;
  if (kind === undefined) throw new Error('the market is empty');
  expect(daysUntilScore({ ...kind, scores: [10, 88, 89, 90] })).toBe(3);
  expect(daysUntilScore({ ...kind, scores: [57] })).toBe(1);
});
