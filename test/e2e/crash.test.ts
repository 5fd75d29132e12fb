import { expect, test } from 'bun:test';
import { killNine } from '../../scripts/torture/kill-nine.ts';

test('killed under load, five times: what was promised is there, verifies, and the database is whole', async () => {
  expect(await killNine(5)).toBeGreaterThan(1000);
});
