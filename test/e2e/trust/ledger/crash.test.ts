import { expect, test } from 'bun:test';
import { killNineLedger } from '../../../../scripts/torture/kill-nine-ledger.ts';
import { simulatedLedger } from '../../../../scripts/torture/simulated-ledger.ts';

test('killed with SIGKILL while 48 clients spend credits, no credit appears or is lost and no task is paid twice', async () => {
  expect(await killNineLedger(2)).toBeGreaterThan(300);
}, 180_000);

test('killed with SIGKILL between freezes, claw-backs, holds, settlements and withdrawals, it is what a model says', async () => {
  const { operations, kills } = await simulatedLedger(400, Math.floor(Math.random() * 1_000_000));
  expect([operations >= 400, kills]).toEqual([true, 3]);
}, 180_000);
