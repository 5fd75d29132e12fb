import { beforeAll, expect, test } from 'bun:test';
import { honestRange, resultOf } from '../../../../../scripts/market/results.ts';
import { HONEST_PRICE } from '../../../../support/market/kinds.ts';
import { type MarketResult, simulatedMarket } from '../../../../support/market/simulation.ts';

/** Honest agents, those who make agents to be scored, and what no score can tell from honest work. */
const HONEST = ['market', 'mixed', 'firm'];
const SYBILS = ['sybil', 'pair', 'ring', 'hired-by-4'];
const SUBSCRIBED = ['paid-hired-by-4'];
const UNTOLD = ['lying-firm', 'lazy-silent'];

/** By then deliveries of 30 days count, each 30 days after its acceptance. */
const DAYS = 60;
/** What honest work of 30 days is paid. */
const HONEST_WORK = 145 * HONEST_PRICE;

let market: MarketResult;
beforeAll(async () => {
  const kinds = [...HONEST, ...SYBILS, ...SUBSCRIBED, ...UNTOLD];
  market = await simulatedMarket({ days: DAYS, agents: 1, kinds, difficulty: 1 });
});

const of = (name: string) => resultOf(market, name);

test('honest agents of equal work are within 5 points of each other, in one firm, in the market and in both', () => {
  const { lowest, highest } = honestRange(market);
  expect(highest - lowest).toBeLessThanOrEqual(5);
  expect(lowest).toBeGreaterThan(85);
});

test.each(SYBILS)(
  'honest agents are above those of %s, which pay less than a tenth of their work',
  (name) => {
    expect(of(name).highest).toBeLessThan(honestRange(market).lowest);
    expect(of(name).earned).toBeLessThan(HONEST_WORK / 10);
  },
);

test('operators that agents made for themselves corroborate nothing, whoever hires whom', () => {
  for (const name of SYBILS)
    expect([of(name).highest, of(name).corroborated]).toEqual([of('sybil').highest, [0, 0]]);
});

// What the limits do not prevent, so that docs/reputation.md does not go on to say it when they do.
test('four operators with a subscription make an agent that does no work as good as an honest one', () => {
  const { lowest } = honestRange(market);
  const { highest, bought, earned } = of('paid-hired-by-4');
  expect(highest).toBeGreaterThanOrEqual(lowest);
  expect([bought, earned]).toEqual([4, 20]);
});

test('receipts of a firm that lies, and failures about which an agent is silent, are not seen in the score', () => {
  const { lowest } = honestRange(market);
  for (const name of UNTOLD) expect(of(name).highest).toBeGreaterThanOrEqual(lowest);
  expect(of('lying-firm').corroborated).toEqual([0, 0]);
});
