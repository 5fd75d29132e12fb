import { expect, test } from 'bun:test';
import { pueLine } from '../../../../../src/trust/datacenter/page/pue-words.ts';

const PUE = {
  value: 1.25,
  unit: '1',
  standard: 'ISO/IEC 30134-2:2026',
  interim: false,
  coverage: 0.9512,
  slots: 33_330,
  category: 2,
  first_sent: 1.25,
  exactly_one: false,
  impossible_slots: 0,
  coarse_slots: 0,
};
const YEAR = { from: '2025-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' };

test.each([
  { interim: false, words: '1.25, annual (365 days), 95.1% of them covered, category 2' },
  { interim: true, words: '1.25, interim (347 of 365 days), category 2' },
])('a PUE says how much of its period it covers: interim $interim', ({ interim, words }) => {
  const limits = { late_share: 0, corrected_share: 0, longest_window_s: null, meters: { unreplaced: 0 } };
  expect(pueLine({ pue: { ...PUE, interim }, ...limits }, YEAR)).toBe(words);
});
