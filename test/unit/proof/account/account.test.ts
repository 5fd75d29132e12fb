import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { AccountHistory } from '../../../../src/proof/account/account-history.ts';
import { Completeness } from '../../../../src/proof/account/completeness.ts';
import { isWithin } from '../../../../src/proof/account/kept-checkpoints.ts';
import { outOfOrder } from '../../../../src/proof/account/order.ts';
import {
  ACCOUNT_PROBLEMS,
  type AccountProblem,
  isOfUnlinked,
} from '../../../../src/proof/account/problems.ts';
import { MemoryReceiptTable } from '../../../../src/proof/account/receipt-table.ts';
import { accountOf } from '../../../../src/proof/log/linked-account.ts';
import { type AccountEntry, NO_RECEIPT, readAccountEntry } from '../../../../src/proof/log/log-entry.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import {
  checkpointsOf,
  FINAL,
  LeafWriter,
  listedOf,
  OPERATOR,
  OTHER,
  pendingReceipt,
  REVOKED,
  version,
} from '../../../support/made-account.ts';
import { hasPython, leavesJudgedByPython, type PythonLeaves } from '../../../support/python.ts';

const START = Date.parse('2026-06-01T12:00:00.000Z');
const MINUTE = 60_000;
const NOW = START + 600 * MINUTE;
const ACCOUNT = accountOf(nativePrimitives, OPERATOR);
const at = (minutes: number): number => START + minutes * MINUTE;
const HASH = 'ab'.repeat(32);

/** What was compared and what was named, so that src/tools/python/verify.py can compare it too. */
const stories: { given: PythonLeaves; problems: AccountProblem[] }[] = [];

/** Names what is wrong, without sentences: the kind, the receipt's last digit, line and sequence. */
function named(
  entries: readonly AccountEntry[],
  receipts: readonly Receipt[],
  kept = [{ size: 1000, time: NOW }],
  from: number | null = null,
) {
  const problems: AccountProblem[] = [];
  const history = new AccountHistory(new MemoryReceiptTable(), (problem) => problems.push(problem), from);
  const times = checkpointsOf(kept);
  for (const [index, entry] of entries.entries()) history.take(entry, times.timesOf(index));
  if (from !== null) problems.push(...history.timeProblems());
  const completeness = new Completeness(history, OPERATOR, NOW, (problem) => problems.push(problem));
  const listed = listedOf(receipts);
  for (const [index, receipt] of listed.entries()) completeness.take(index + 1, receipt);
  problems.push(...completeness.finish());
  stories.push({
    given: { operatorId: OPERATOR, entries: [...entries], kept, listed, now: NOW, from },
    problems,
  });
  return problems.map(({ problem, receipt_id, line, sequence }) =>
    [problem, receipt_id?.slice(-1) ?? null, line, sequence].join(' '),
  );
}

/** An account that is linked, unlinked from minute 100 to 200, and linked again. */
function intervals() {
  const writer = new LeafWriter();
  writer.link('linked', at(0));
  const before = pendingReceipt(1, at(10));
  writer.act('issued', before, at(10));
  writer.link('unlinked', at(100));
  writer.link('linked', at(200));
  return { writer, before };
}

describe('times without proof', () => {
  test('an interval is named, and nothing else about a list that is complete', () => {
    const { writer, before } = intervals();
    expect(named(writer.entries, [before])).toEqual(['unlinked   3']);
    writer.link('unlinked', at(300));
    expect(named(writer.entries, [before])).toEqual(['unlinked   3', 'unlinked   5']);
    expect(
      ['unlinked', 'unproven', 'missing'].map((kind) => Object.keys(ACCOUNT_PROBLEMS).includes(kind)),
    ).toEqual([true, true, true]);
    expect([isOfUnlinked('unlinked'), isOfUnlinked('missing')]).toEqual([true, false]);
  });

  test('a receipt of an interval is unproven; its issue, if it was finalized afterwards', () => {
    const { writer, before } = intervals();
    const within = pendingReceipt(2, at(150));
    const final = version(within, FINAL);
    expect(named(writer.entries, [before, within])).toEqual(['unproven 2 2 ', 'unlinked   3']);
    writer.act('finalized', final, at(250));
    expect(named(writer.entries, [before, final])).toEqual(['issue_unproven 2 2 5', 'unlinked   3']);
    expect(named(writer.entries, [before, within])).toEqual(['altered 2 2 5', 'unlinked   3']);
    const revoked = version(final, REVOKED);
    writer.act('revoked', revoked, at(251));
    expect(named(writer.entries, [before, revoked])).toEqual(['issue_unproven 2 2 5', 'unlinked   3']);
    expect(named(writer.entries, [before, final])).toEqual(['altered 2 2 5', 'unlinked   3']);
  });

  test('a receipt that is revoked while linked, and finalized while not, has an unproven outcome', () => {
    const { writer, before } = intervals();
    const final = version(before, FINAL);
    expect(named(writer.entries, [final])).toEqual(['outcome_unproven 1 1 2', 'unlinked   3']);
    writer.act('revoked', version(final, REVOKED), at(260));
    expect(named(writer.entries, [version(final, REVOKED)])).toEqual([
      'outcome_unproven 1 1 2',
      'unlinked   3',
    ]);
    const early = version(version(pendingReceipt(3, at(-50)), FINAL), REVOKED);
    writer.act('revoked', early, at(261));
    expect(named(writer.entries, [version(final, REVOKED), early])).toEqual([
      'outcome_unproven 1 1 2',
      'issue_unproven 3 2 6',
      'outcome_unproven 3 2 6',
      'unlinked   3',
    ]);
  });

  test('while the account was linked, nothing is unproven: the receipt is extra, and an act without leaf is a change', () => {
    const { writer, before } = intervals();
    const extra = pendingReceipt(2, at(50));
    expect(named(writer.entries, [before, extra])).toEqual(['extra 2 2 ', 'unlinked   3']);
    const after = pendingReceipt(3, at(250));
    writer.act('issued', after, at(250));
    expect(named(writer.entries, [before, version(after, FINAL)])).toEqual(['altered 3 2 5', 'unlinked   3']);
    expect(named(writer.entries, [before, version(after, REVOKED)])).toEqual([
      'altered 3 2 5',
      'unlinked   3',
    ]);
    const final = version(pendingReceipt(4, at(251)), FINAL);
    writer.act('finalized', final, at(252));
    expect(named(writer.entries, [before, after, final])).toEqual(['altered 4 3 6', 'unlinked   3']);
    // The clocks of acts differ: a minute around an interval counts as in it.
    const edge = pendingReceipt(5, at(200.9));
    expect(named(writer.entries, [before, edge, after]).slice(0, 1)).toEqual(['unproven 5 2 ']);
  });

  test('an account that is not linked has no leaves of receipts, and is linked or unlinked once at a time', () => {
    const { writer, before } = intervals();
    const all = (events: readonly (readonly ['linked' | 'unlinked', number])[]) => {
      const own = new LeafWriter();
      for (const [event, minute] of events) own.link(event, at(minute));
      return named(own.entries, []);
    };
    expect(
      all([
        ['linked', 0],
        ['linked', 1],
      ]),
    ).toEqual(['link   2']);
    expect(
      all([
        ['unlinked', 0],
        ['linked', 1],
      ]),
    ).toEqual(['link   1', 'unlinked   1']);
    expect(
      all([
        ['linked', 0],
        ['unlinked', 1],
        ['unlinked', 2],
        ['linked', 3],
      ]),
    ).toEqual(['link   3', 'unlinked   2']);
    writer.link('unlinked', at(300));
    const late = pendingReceipt(6, at(310));
    writer.act('issued', late, at(310));
    expect(named(writer.entries, [before, late])).toEqual(['link 6  6', 'unlinked   3', 'unlinked   5']);
  });
});

describe('leaves that contradict each other', () => {
  const entry = (changes: Partial<AccountEntry> & { sequence: number }): AccountEntry => {
    const { sequence } = changes;
    return readAccountEntry(
      JSON.stringify({
        account: ACCOUNT,
        agent: HASH,
        agent_sequence: sequence - 1,
        at: new Date(at(sequence)).toISOString(),
        content_hash: HASH,
        event: 'issued',
        receipt_id: `rcpt_${'0'.repeat(31)}${sequence}`,
        v: 1,
        ...changes,
      }).replace(/.*/, (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).sort()))),
    );
  };
  const linked: AccountEntry = {
    account: ACCOUNT,
    sequence: 1,
    event: 'linked',
    at: new Date(at(0)).toISOString(),
    ...NO_RECEIPT,
  };
  const first = (entries: readonly AccountEntry[]) =>
    named(entries, []).filter((text) => !text.startsWith('missing'));

  test('sequences are dense', () => {
    expect(first([linked, entry({ sequence: 2 }), entry({ sequence: 3 })])).toEqual([]);
    expect(
      first([linked, entry({ sequence: 3, agent_sequence: 1 }), entry({ sequence: 4, agent_sequence: 2 })]),
    ).toEqual(['sequence 3  3']);
    expect(
      first([linked, entry({ sequence: 2, agent_sequence: 2 }), entry({ sequence: 3, agent_sequence: 3 })]),
    ).toEqual(['agent_sequence 2  2']);
    expect(
      first([linked, entry({ sequence: 2 }), entry({ sequence: 2, agent_sequence: 2, event: 'finalized' })]),
    ).toEqual(['sequence 2  2']);
  });

  test('a receipt is issued, finalized and revoked once, in this order, of one agent', () => {
    const id = { receipt_id: `rcpt_${'0'.repeat(31)}2` };
    const one = entry({ sequence: 2 });
    expect(first([linked, one, entry({ sequence: 3, ...id })])).toEqual(['event 2  3']);
    expect(
      first([
        linked,
        one,
        entry({ sequence: 3, ...id, event: 'finalized' }),
        entry({ sequence: 4, ...id, event: 'finalized' }),
      ]),
    ).toEqual(['event 2  4']);
    expect(
      first([
        linked,
        one,
        entry({ sequence: 3, ...id, event: 'revoked' }),
        entry({ sequence: 4, ...id, event: 'finalized' }),
      ]),
    ).toEqual(['event 2  4']);
    expect(
      first([
        linked,
        one,
        entry({ sequence: 3, ...id, event: 'finalized', agent: 'cd'.repeat(32), agent_sequence: 1 }),
      ]),
    ).toEqual(['event 2  3']);
  });

  test('a time is between the kept checkpoints before and after the leaf, within a minute', () => {
    const kept = [
      { size: 0, time: at(0) },
      { size: 0, time: at(1) },
      { size: 2, time: at(3) },
      { size: 3, time: at(4) },
    ];
    const of = (minutes: number, also = kept) =>
      named(
        [
          linked,
          entry({ sequence: 2 }),
          { ...entry({ sequence: 3 }), at: new Date(at(minutes)).toISOString() },
        ],
        [],
        also,
      ).filter((text) => text.startsWith('time'));
    expect([of(2), of(3.5), of(5)].flat()).toEqual([]);
    expect([of(1.99), of(5.01)].flat()).toEqual(['time 3  3', 'time 3  3']);
    // Without one before or after, there is no bound.
    expect([of(-500, [{ size: 1000, time: NOW }]), of(5000, kept.slice(0, 3))].flat()).toEqual([]);
    expect([of(5000, [{ size: 1000, time: NOW }]), of(1.99, kept.slice(0, 3))].flat()).toEqual([
      'time 3  3',
      'time 3  3',
    ]);
    // Two witnesses, each enough for the quorum, can have seen the larger tree first: it shows that the leaf
    // was there.
    const late = [...kept.slice(0, 2), { size: 3, time: at(90) }, { size: 1000, time: at(4) }];
    expect([of(5, late), of(5.01, late)].flat()).toEqual(['time 3  3']);
    expect(isWithin(0, { after: null, before: null })).toBe(true);
    expect(checkpointsOf(kept).all).toHaveLength(4);
  });
});

describe('lists', () => {
  const writer = new LeafWriter();
  writer.link('linked', at(0));
  const receipts = [1, 2, 3, 4, 5].map((index) => pendingReceipt(index, at(10 + index)));
  for (const [index, receipt] of receipts.entries()) writer.act('issued', receipt, at(11 + index));
  const [one, two, three, four, five] = receipts;
  const lists = (...list: (Receipt | undefined)[]) =>
    named(
      writer.entries,
      list.filter((receipt) => receipt !== undefined),
    );

  test('names what is missing, listed twice, of another operator or out of order', () => {
    expect(lists(...receipts)).toEqual([]);
    expect(lists(one, two, four)).toEqual(['missing 3  4', 'missing 5  6']);
    expect(lists(one, two, two, three, four, five)).toEqual(['duplicate 2 3 3']);
    expect(lists(two, one, three, four, five)).toHaveLength(1);
    expect(lists(one, five, two, three, four)).toEqual(['reordered 5 2 6']);
    expect(lists(one, two, three, four, pendingReceipt(5, at(15), { operator_id: OTHER }))).toEqual([
      'foreign 5 5 6',
      'missing 5  6',
    ]);
    expect(lists(pendingReceipt(1, at(11), { agent_id: 'another' }), two, three, four, five)).toEqual([
      'altered 1 1 2',
    ]);
    expect(
      lists(
        pendingReceipt(1, at(11), { input_digest: HASH, expiry: '2091-01-01T00:00:00Z' }),
        two,
        three,
        four,
        five,
      ),
    ).toEqual(['altered 1 1 2']);
  });

  test('names a receipt that was never finalized once it has expired, and one whose leaf has another time', () => {
    const own = new LeafWriter();
    own.link('linked', at(0));
    const expired = pendingReceipt(1, at(10), { expiry: new Date(NOW).toISOString() });
    const running = pendingReceipt(2, at(10), { expiry: new Date(NOW + 1).toISOString() });
    const shifted = pendingReceipt(3, at(10));
    for (const receipt of [expired, running]) own.act('issued', receipt, at(10));
    own.act('issued', shifted, at(10) + 1);
    expect(named(own.entries, [expired, running, shifted])).toEqual(['pending 1 1 2', 'altered 3 3 4']);
  });

  test('a line that is no authentic receipt is named once, and its receipt is not missing as well', () => {
    const problems: AccountProblem[] = [];
    const history = new AccountHistory(new MemoryReceiptTable(), () => undefined);
    for (const entry of writer.entries) history.take(entry, { after: null, before: null });
    const completeness = new Completeness(history, OPERATOR, NOW, (problem) => problems.push(problem));
    completeness.takeForged(1, one?.receipt_id ?? '', 'why');
    completeness.takeForged(2, null, 'why');
    completeness.takeForged(3, `rcpt_${'9'.repeat(32)}`, 'why');
    problems.push(...completeness.finish());
    expect(completeness.matched).toBe(1);
    expect(problems.map(({ problem, line, sequence }) => `${problem} ${line} ${sequence}`)).toEqual([
      'not_authentic 1 2',
      'not_authentic 2 null',
      'not_authentic 3 null',
      ...[3, 4, 5, 6].map((sequence) => `missing null ${sequence}`),
    ]);
    expect([history.unbounded.leaves, history.widest, history.leaves, history.linkedSince]).toEqual([
      6,
      0,
      6,
      at(0),
    ]);
  });

  test('a table refuses an ordinal that it does not have', () => {
    expect(() => new MemoryReceiptTable().at(0)).toThrow('there is no receipt 0');
  });

  test('the order needs the fewest moves', () => {
    expect(outOfOrder([])).toEqual([]);
    expect(outOfOrder([1, 2, 3])).toEqual([]);
    expect(outOfOrder([3, 0, 1, 2])).toEqual([0]);
    expect(outOfOrder([0, 3, 2, 1, 4])).toHaveLength(2);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 12 }), (numbers) => {
        const wrong = new Set(outOfOrder(numbers));
        const rest = numbers.filter((_, index) => !wrong.has(index));
        expect(rest).toEqual(rest.toSorted((left, right) => left - right));
        // No subsequence that ascends is longer.
        const lengths: number[] = [];
        for (const [index, number] of numbers.entries())
          lengths.push(
            1 +
              Math.max(
                0,
                ...lengths.filter((_, before) => before < index && (numbers[before] ?? 0) < number),
              ),
          );
        expect(rest.length).toBe(Math.max(0, ...lengths));
      }),
    );
  });
});

describe('from a time on', () => {
  const from = at(100);
  const kept = [
    { size: 0, time: at(-1) },
    { size: 4, time: from },
    { size: 1000, time: NOW },
  ];
  /** Two receipts before the time, and the leaves that follow. */
  const story = () => {
    const writer = new LeafWriter();
    writer.link('linked', at(0));
    const [one, two] = [pendingReceipt(1, at(10)), pendingReceipt(2, at(20))];
    writer.act('issued', one, at(10));
    writer.act('issued', two, at(20));
    writer.act('finalized', version(one, FINAL), at(30));
    return { writer, one: version(one, FINAL), two };
  };

  test('receipts that have only leaves from before are not missed, others are', () => {
    const { writer, one, two } = story();
    const three = pendingReceipt(3, at(110));
    writer.act('finalized', version(two, FINAL), at(105));
    writer.act('issued', three, at(110));
    expect(named(writer.entries, [three], kept, from)).toEqual(['missing 2  3']);
    expect(named(writer.entries, [version(two, FINAL), three], kept, from)).toEqual([]);
    expect(named(writer.entries, [one, two, three], kept, from)).toEqual(['altered 2 2 3']);
    expect(named(writer.entries, [one, version(two, FINAL)], kept, from)).toEqual(['missing 3  6']);
  });

  test('what is wrong before is not named, and what follows is', () => {
    const { writer, one, two } = story();
    const [linked, ...others] = writer.entries;
    if (linked === undefined) throw new Error('there is a leaf');
    const wrong = [linked, ...others.map((entry) => ({ ...entry, sequence: entry.sequence + 5 }))];
    writer.link('unlinked', at(110));
    const [next] = writer.entries.slice(-1).map((entry) => ({ ...entry, sequence: 12 }));
    if (next === undefined) throw new Error('there is a leaf');
    expect(named([...wrong, next], [one, two], kept, from)).toEqual(['sequence   12', 'unlinked   12']);
    expect(named([...wrong, { ...next, sequence: 10 }], [one, two], kept, from)).toEqual(['unlinked   10']);
  });

  test('a link that is dated later than it was logged does not excuse a missing leaf', () => {
    const { writer, one, two } = story();
    const late = writer.entries.map((entry, index) =>
      index === 0 ? { ...entry, at: new Date(at(500)).toISOString() } : entry,
    );
    expect(named(late, [one, two, pendingReceipt(3, at(200))], kept, from)).toEqual(['extra 3 3 ']);
    expect(named(late.slice(1), [one, two], kept, from)[0]).toBe('link   ');
  });

  test('an account that was unlinked before is not proven until it is linked again', () => {
    const { writer, one, two } = story();
    const [linked, ...others] = writer.entries;
    if (linked === undefined) throw new Error('there is a leaf');
    writer.link('unlinked', at(120));
    writer.link('linked', at(130));
    expect(named(writer.entries, [one, two], kept, from)).toEqual(['unlinked   5']);
    expect(named(writer.entries, [one, two], [...kept, { size: 6, time: at(140) }], at(141))).toEqual([]);
    expect(others).toHaveLength(3);
  });
});

test.skipIf(!hasPython)('src/tools/python/verify.py names the same in each of these', async () => {
  const said = await leavesJudgedByPython(stories.map(({ given }) => given));
  expect(stories.length).toBeGreaterThan(40);
  expect(said).toEqual(stories.map(({ problems }) => JSON.parse(JSON.stringify(problems))));
});
