import { describe, expect, test } from 'bun:test';
import type { Finalization } from '../../../../db/trust/gate.ts';
import { type GateFacts, gateVerdict } from '../../../../src/trust/gate/verdict.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-06-15T12:00:00Z');

/** So many finalizations, one a minute before `end`; the oldest `breaches` of them are SLA breaches. */
function row(count: number, breaches: number, end = NOW - 1): Finalization[] {
  return Array.from({ length: count }, (_, index) => [
    end - (count - 1 - index) * 60_000,
    index < breaches ? 1 : 0,
  ]);
}

const good: GateFacts = {
  accountStatus: 'ACTIVE',
  stakeCents: 0,
  minimumStakeCents: 0,
  newest: row(1, 0),
  pardonedAt: null,
};

describe('the gate, in its order', () => {
  test.each([
    ['nobody', null, 'OPERATOR_UNKNOWN'],
    ['one who may', {}, 'OK'],
    ['suspended', { accountStatus: 'SUSPENDED', stakeCents: 0, minimumStakeCents: 5 }, 'OPERATOR_SUSPENDED'],
    ['closed', { accountStatus: 'CLOSED' }, 'OPERATOR_SUSPENDED'],
    [
      'a cent too little, breaches too',
      { stakeCents: 4, minimumStakeCents: 5, newest: row(20, 20) },
      'INSUFFICIENT_ESCROW_BOND',
    ],
    ['just enough stake', { stakeCents: 5, minimumStakeCents: 5 }, 'OK'],
    ['nothing finalized', { newest: [] }, 'ZERO_TENANCY_REJECT'],
    ['nine, all breaches', { newest: row(9, 9) }, 'OK'],
    ['ten, one a breach', { newest: row(10, 1) }, 'OK'],
    ['ten, two breaches', { newest: row(10, 2) }, 'SLA_BREACH_THRESHOLD_EXCEEDED'],
    ['twenty, two breaches', { newest: row(20, 2) }, 'OK'],
    ['twenty, three breaches', { newest: row(20, 3) }, 'SLA_BREACH_THRESHOLD_EXCEEDED'],
    ['breaches before the newest twenty', { newest: row(40, 20) }, 'OK'],
    ['all older than 30 days', { newest: row(20, 20, NOW - 30 * DAY) }, 'OK'],
    [
      'ten within 30 days, three of them breaches, good ones before',
      { newest: [...row(10, 0, NOW - 31 * DAY), ...row(10, 3)] },
      'SLA_BREACH_THRESHOLD_EXCEEDED',
    ],
    ['pardoned', { newest: row(20, 20), pardonedAt: NOW - 1 }, 'OK'],
    [
      'pardoned, and three breaches since',
      { newest: [...row(17, 17, NOW - DAY), ...row(3, 3)], pardonedAt: NOW - DAY },
      'SLA_BREACH_THRESHOLD_EXCEEDED',
    ],
  ] as const)('%s', (_name, change, reason) => {
    expect(gateVerdict(change === null ? null : { ...good, ...change }, NOW)).toBe(reason);
  });
});
