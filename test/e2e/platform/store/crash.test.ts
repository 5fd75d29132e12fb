import { expect, test } from 'bun:test';
import { killNine } from '../../../../scripts/torture/kill-nine.ts';
import { killNineEvidence } from '../../../../scripts/torture/kill-nine-evidence.ts';

test('killed under load, twice: all acknowledged receipts exist and verify, and the database is intact', async () => {
  expect(await killNine(2)).toBeGreaterThan(400);
});

test('killed while agents send evidence, twice: no item is lost, no chain is broken, no event is sent twice', async () => {
  expect(await killNineEvidence(2)).toBeGreaterThan(200);
});
