import { expect, test } from 'bun:test';
import { killNine } from '../../../../scripts/torture/kill-nine.ts';
import { killNineEvidence } from '../../../../scripts/torture/kill-nine-evidence.ts';

test('killed under load, five times: what was promised is there, verifies, and the database is whole', async () => {
  expect(await killNine(5)).toBeGreaterThan(1000);
});

test('killed while agents bring evidence, five times: no item is lost, no chain is torn, nothing is told twice', async () => {
  expect(await killNineEvidence(5)).toBeGreaterThan(500);
});
