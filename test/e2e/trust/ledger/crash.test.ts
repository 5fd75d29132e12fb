import { expect, test } from 'bun:test';
import { killNineLedger } from '../../../../scripts/torture/kill-nine-ledger.ts';

test('killed with SIGKILL while 48 clients spend credits, no credit appears or is lost and no task is paid twice', async () => {
  expect(await killNineLedger(2)).toBeGreaterThan(300);
}, 180_000);
