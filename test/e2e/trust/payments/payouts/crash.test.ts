import { expect, test } from 'bun:test';
import { killNinePayouts } from '../../../../../scripts/torture/kill-nine-payouts.ts';

test('killed with SIGKILL while payouts are confirmed and failed, each ends once and no credit is lost', async () => {
  expect(await killNinePayouts(2)).toBeGreaterThan(100);
}, 180_000);
