import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  abandonedShare,
  DEFAULT_RULES,
  type Finalization,
  forecast,
  type GateFacts,
  gateVerdict,
  MAX_WEIGHED,
} from '../../../../../src/trust/receipts/gate/verdict.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-06-15T12:00:00Z');

/** So many finalizations, one a minute before `end`; the oldest `breaches` of them are SLA breaches. */
function row(count: number, breaches: number, end = NOW - 1): Finalization[] {
  return Array.from({ length: count }, (_, index) => ({
    at: end - (count - 1 - index) * 60_000,
    breach: index < breaches,
  }));
}

const good: GateFacts = {
  accountStatus: 'ACTIVE',
  stakeCents: 0,
  minimumStakeCents: 0,
  newest: row(1, 0),
  abandoned: [],
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

describe('the SLA rule is a setting', () => {
  const denied = 'SLA_BREACH_THRESHOLD_EXCEEDED';
  test.each([
    ['a window of one day', { windowMs: DAY }, row(20, 20, NOW - DAY), 'OK'],
    ['a window of a year', { windowMs: 365 * DAY }, row(20, 20, NOW - 300 * DAY), denied],
    ['a share of none: the first breach denies', { sharePercent: 0 }, row(20, 1), denied],
    ['a share of half, just kept', { sharePercent: 50 }, row(20, 10), 'OK'],
    ['a share of half, passed', { sharePercent: 50 }, row(20, 11), denied],
    ['a share of all never denies', { sharePercent: 100 }, row(20, 20), 'OK'],
    ['two receipts are enough', { minimumReceipts: 2 }, row(2, 1), denied],
    ['one is not', { minimumReceipts: 2 }, row(1, 1), 'OK'],
    ['the newest five alone', { newest: 5, minimumReceipts: 5 }, row(20, 15), 'OK'],
    ['the newest six have one more', { newest: 6, minimumReceipts: 5 }, row(20, 15), denied],
  ] as const)('%s', (_name, change, newest, reason) => {
    const rule = { ...DEFAULT_RULES, ...change };
    expect(gateVerdict({ ...good, newest }, NOW, rule)).toBe(reason);
  });
});

describe('the outlook', () => {
  const rule = fc.integer({ min: 1, max: MAX_WEIGHED }).chain((newest) =>
    fc.record({
      newest: fc.constant(newest),
      minimumReceipts: fc.integer({ min: 1, max: newest }),
      sharePercent: fc.constantFrom(0, 10, 33, 50, 99, 100),
      windowMs: fc.constantFrom(DAY, 30 * DAY),
      maxAbandonedPercent: fc.constant(null),
    }),
  );
  const finalization = fc.tuple(fc.integer({ min: -40, max: 1 }), fc.boolean());
  const facts = fc.record({
    rows: fc.array(finalization, { maxLength: 2 * MAX_WEIGHED }),
    pardoned: fc.option(fc.integer({ min: -40, max: -1 })),
  });

  test('is what happens when one waits, or goes on with nothing but breaches', () => {
    fc.assert(
      fc.property(facts, rule, ({ rows, pardoned }, sla) => {
        const newest = rows.map(
          ([days, breach], index): Finalization => ({ at: NOW + days * DAY - 1000 + index, breach }),
        );
        const known = { ...good, newest, pardonedAt: pardoned === null ? null : NOW + pardoned * DAY };
        const isDenied = (time: number, more: Finalization[] = []) =>
          gateVerdict({ ...known, newest: [...more, ...newest] }, time, sla) ===
          'SLA_BREACH_THRESHOLD_EXCEEDED';
        const outlook = forecast(known, NOW, sla);
        const denied = isDenied(NOW);
        // The verdict changes with time only where a receipt leaves the window.
        const turns = newest
          .map(({ at }) => at + sla.windowMs)
          .filter((time) => time > NOW)
          .sort((left, right) => left - right)
          .find((time) => isDenied(time) !== denied);
        expect([outlook.deniesAt, outlook.liftsAt]).toEqual(
          denied ? [null, turns ?? null] : [turns ?? null, null],
        );
        if (turns !== undefined) expect(isDenied(turns - 1)).toBe(denied);
        if (denied) expect([outlook.breachesUntilDenied, turns === undefined]).toEqual([0, false]);
        else {
          const next: Finalization = { at: NOW, breach: true };
          const wanted = outlook.breachesUntilDenied ?? MAX_WEIGHED + 1;
          // A receipt of the future, from before a clock was set back, would stay in front of the next.
          if (newest.some(({ at }) => at > NOW)) return;
          for (let more = 1; more <= Math.min(wanted, MAX_WEIGHED); more++) {
            const breaches = Array.from({ length: more }, () => next);
            expect([more, isDenied(NOW, breaches)]).toEqual([more, more === wanted]);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['of nothing: ten breaches', [], { breachesUntilDenied: 10, deniesAt: null, liftsAt: null }],
    ['of twenty good ones: three', row(20, 0), { breachesUntilDenied: 3, deniesAt: null, liftsAt: null }],
    [
      'of twenty, the oldest two breaches: three, since those two make room for them',
      row(20, 2),
      { breachesUntilDenied: 3 },
    ],
    [
      'of twenty, the newest two breaches: when one good one ages, it denies by itself',
      [...row(18, 0, NOW - DAY), ...row(2, 2)],
      { breachesUntilDenied: 1, deniesAt: NOW - DAY - 17 * 60_000 + 30 * DAY, liftsAt: null },
    ],
    [
      'of twenty, the oldest three breaches: it lifts when two of them have aged, at one of eighteen',
      row(20, 3),
      { breachesUntilDenied: 0, deniesAt: null, liftsAt: NOW - 1 - 18 * 60_000 + 30 * DAY },
    ],
  ] as const)('%s', (_name, newest, expected) => {
    expect(forecast({ ...good, newest }, NOW, DEFAULT_RULES)).toMatchObject(expected);
  });
});

describe('abandoned receipts', () => {
  /** So many times, one a minute before `end`. */
  const times = (count: number, end = NOW - 1) =>
    Array.from({ length: count }, (_, index) => end - index * 60_000);

  test.each([
    ['none of none', [], [], 0, 0],
    ['one of one', [], times(1), 1, 1],
    ['two of five', row(3, 1), times(2), 2, 5],
    [
      'those before the window do not count, nor do receipts',
      row(3, 0, NOW - 30 * DAY),
      times(2, NOW - 30 * DAY),
      0,
      0,
    ],
    ['the newest hundred of both count', row(100, 0, NOW - DAY), times(60), 60, 100],
    ['a hundred newer successes push them out', row(100, 0), times(60, NOW - DAY), 0, 100],
  ] as const)('%s', (_name, newest, abandoned, count, of) => {
    expect(abandonedShare({ newest, abandoned }, NOW, DEFAULT_RULES)).toEqual({ abandoned: count, of });
  });

  test.each([
    ['deny nobody without the setting', null, row(1, 0), times(50), 'OK'],
    ['deny above the share', 20, row(7, 0), times(3), 'ABANDONED_SHARE_EXCEEDED'],
    ['do not deny at the share', 20, row(8, 0), times(2), 'OK'],
    ['do not deny below the least number of receipts', 20, row(4, 0), times(5), 'OK'],
    ['deny without a finalized receipt too', 20, [], times(10), 'ABANDONED_SHARE_EXCEEDED'],
    ['come after breaches', 20, row(10, 5), times(10), 'SLA_BREACH_THRESHOLD_EXCEEDED'],
    ['never deny at 100', 100, [], times(50), 'ZERO_TENANCY_REJECT'],
  ] as const)('%s', (_name, maxAbandonedPercent, newest, abandoned, reason) => {
    const rules = { ...DEFAULT_RULES, maxAbandonedPercent };
    expect(gateVerdict({ ...good, newest, abandoned }, NOW, rules)).toBe(reason);
  });

  test('lift a denial when enough of them have left the window, and the outlook says when', () => {
    const rules = { ...DEFAULT_RULES, maxAbandonedPercent: 20 };
    const facts = { ...good, newest: row(9, 0), abandoned: times(3, NOW - DAY) };
    const outlook = forecast(facts, NOW, rules);
    // Of 11 receipts, 2 are at most a fifth.
    expect(outlook).toEqual({
      breachesUntilDenied: 2,
      deniesAt: null,
      liftsAt: NOW - DAY - 2 * 60_000 + 30 * DAY,
    });
    expect(gateVerdict(facts, (outlook.liftsAt ?? 0) - 1, rules)).toBe('ABANDONED_SHARE_EXCEEDED');
    expect(gateVerdict(facts, outlook.liftsAt ?? 0, rules)).toBe('OK');
  });
});
