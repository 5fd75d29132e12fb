import { expect, test } from 'bun:test';
import { percent } from '../../../../../src/trust/pages/explorer/agents/rate-plot.ts';

test.each([
  [0, '0.0%'],
  [0.0001, '0.1%'],
  [0.8696, '87.0%'],
  [0.88, '88.0%'],
  [0.9999, '99.9%'],
  [1, '100.0%'],
])('the rate %d is shown as %s', (rate, shown) => {
  expect(percent(rate)).toBe(shown);
});
