import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  JournalVerifier,
  OWN_LOCKED,
  type PrivateDetail,
  type PublishedEntry,
} from '../../../../src/proof/ledger/journal.ts';
import { detailHash, entryHash } from '../../../../src/proof/ledger/journal-entry.ts';

const AGENT = 'a1'.repeat(32);
const OWNER = { subject_commitment: AGENT };

type Move = { asset: string; amount: number; direction: 'credit' | 'debit' };
type Line = { entry: PublishedEntry; detail: PrivateDetail };

/** A journal with these moves, oldest first. A debit of more than there is becomes a credit. */
function journalOf(moves: readonly Move[]): Line[] {
  const balances = new Map<string, number>();
  let prev_entry_hash: string | null = null;
  return moves.map(({ asset, amount, direction: asked }, index) => {
    const balance = balances.get(asset) ?? 0;
    const direction = asked === 'debit' && amount <= balance ? 'debit' : 'credit';
    const balance_after = direction === 'credit' ? balance + amount : balance - amount;
    balances.set(asset, balance_after);
    const detail = {
      counterparty: index % 3 === 1 ? OWN_LOCKED : 'op_cus_A',
      memo: index % 2 === 0 ? null : 'for the parts',
      receipt_id: null,
      reference: null,
      salt: index.toString(16).padStart(32, '0'),
    };
    const { counterparty, ...rest } = detail;
    const other = counterparty === OWN_LOCKED ? AGENT : counterparty;
    const members = {
      entry_id: `entry_${index.toString(16).padStart(32, '0')}`,
      kind: 'TASK_PAYMENT',
      asset,
      amount,
      direction,
      balance_after,
      created_at: '2026-05-01T12:00:00.000Z',
      detail_hash: detailHash(nativePrimitives, {
        ...rest,
        creditor: direction === 'credit' ? AGENT : other,
        debtor: direction === 'credit' ? other : AGENT,
      }),
      prev_entry_hash,
    } as const;
    const entry_hash = entryHash(nativePrimitives, OWNER, members);
    prev_entry_hash = entry_hash;
    return { entry: { ...members, entry_hash }, detail };
  });
}

/** The problems of a journal that is given oldest first. */
function problemsOf(journal: readonly Line[], head?: string | null): string[] {
  const verifier = new JournalVerifier(nativePrimitives, OWNER, head);
  const found = journal.toReversed().map(({ entry, detail }) => verifier.check(entry, detail));
  return [...found, verifier.end()].filter((problem) => problem !== null);
}

const moves = fc.array(
  fc.record({
    asset: fc.constantFrom('paid', 'promotional', 'sandbox'),
    amount: fc.integer({ min: 1, max: 100 }),
    direction: fc.constantFrom('credit' as const, 'debit' as const),
  }),
  { minLength: 1, maxLength: 20 },
);

const THREE: readonly Move[] = [
  { asset: 'promotional', amount: 30, direction: 'credit' },
  { asset: 'paid', amount: 7, direction: 'credit' },
  { asset: 'promotional', amount: 12, direction: 'debit' },
];

/** The journal of THREE with one line changed. */
function changed(index: number, change: (line: Line) => Line): Line[] {
  return journalOf(THREE).map((line, at) => (at === index ? change(line) : line));
}

/** An entry with a valid hash of its own. */
function rehashed({ entry_hash: _, ...entry }: PublishedEntry): PublishedEntry {
  return { ...entry, entry_hash: entryHash(nativePrimitives, OWNER, entry) };
}

describe('The verifier of a credit journal', () => {
  test('accepts every journal that was written by the rules, with details and without', () => {
    fc.assert(
      fc.property(moves, (made) => {
        const journal = journalOf(made);
        expect(problemsOf(journal, journal.at(-1)?.entry.entry_hash)).toEqual([]);
        const verifier = new JournalVerifier(nativePrimitives, OWNER);
        for (const { entry } of journal.toReversed()) expect(verifier.check(entry)).toBeNull();
        expect(verifier.end()).toBeNull();
      }),
    );
  });

  test('accepts an empty journal', () => {
    expect(problemsOf([], null)).toEqual([]);
  });

  test('finds every change of a member, every removed entry and every swap', () => {
    const members = ['entry_id', 'kind', 'asset', 'created_at', 'detail_hash', 'entry_hash'] as const;
    const change = fc.oneof(
      fc.constantFrom(...members).map(
        (name) =>
          (line: Line): Line => ({
            ...line,
            entry: { ...line.entry, [name]: `${line.entry[name]}x` },
          }),
      ),
      fc.constantFrom('amount' as const, 'balance_after' as const).map(
        (name) =>
          (line: Line): Line => ({
            ...line,
            entry: { ...line.entry, [name]: line.entry[name] + 1 },
          }),
      ),
      fc.constantFrom('counterparty', 'salt', 'memo', 'receipt_id', 'reference').map(
        (name) =>
          (line: Line): Line => ({ ...line, detail: { ...line.detail, [name]: 'another' } }),
      ),
    );
    fc.assert(
      fc.property(moves, change, fc.nat(), (made, by, pick) => {
        const journal = journalOf(made);
        const at = pick % journal.length;
        const head = journal.at(-1)?.entry.entry_hash;
        expect(
          problemsOf(
            journal.map((line, index) => (index === at ? by(line) : line)),
            head,
          ),
        ).not.toEqual([]);
        expect(problemsOf(journal.toSpliced(at, 1), head)).not.toEqual([]);
        const [first, second] = journal;
        if (first !== undefined && second !== undefined)
          expect(problemsOf([second, first, ...journal.slice(2)], head)).not.toEqual([]);
      }),
    );
  });

  const cases: readonly (readonly [name: string, journal: Line[], problem: string])[] = [
    [
      'names an entry whose hash is not its digest',
      changed(2, (line) => ({ ...line, entry: { ...line.entry, amount: 11 } })),
      'Its entry_hash is not the digest of the entry.',
    ],
    [
      'names an entry that was written again with another content',
      changed(1, (line) => ({ ...line, entry: rehashed({ ...line.entry, kind: 'PEER_GIFT' }) })),
      'that its successor names.',
    ],
    [
      'names a balance that does not follow from the one before',
      changed(2, (line) => ({ ...line, entry: rehashed({ ...line.entry, amount: 11 }) })),
      'Its balance_after is 30; the next entry of the class promotional began with 29.',
    ],
    [
      'names an amount of zero',
      changed(2, (line) => ({ ...line, entry: rehashed({ ...line.entry, amount: 0 }) })),
      'An amount of 0 and a balance of 18 cannot be.',
    ],
    [
      'names a balance below zero',
      journalOf([{ asset: 'paid', amount: 7, direction: 'credit' }]).map((line) => ({
        ...line,
        entry: rehashed({ ...line.entry, balance_after: 6 }),
      })),
      'An amount of 7 and a balance of 6 cannot be.',
    ],
    [
      'names private details that are not those of the entry',
      changed(2, (line) => ({ ...line, detail: { ...line.detail, memo: 'another memo' } })),
      'Its detail_hash is not the digest of its parties, reference, memo, receipt_id and salt.',
    ],
    ['names a missing first entry', journalOf(THREE).slice(1), 'is missing.'],
    [
      'names an entry before the first one',
      [...journalOf(THREE.slice(0, 1)), ...journalOf(THREE.slice(1, 2))],
      'The entry follows the first entry of the chain.',
    ],
    [
      'names credits that were there before the first entry',
      journalOf([{ asset: 'paid', amount: 7, direction: 'credit' }]).map((line) => ({
        ...line,
        entry: rehashed({ ...line.entry, balance_after: 8 }),
      })),
      'The paid credits began with a balance of 1, not with 0.',
    ],
  ];
  for (const [name, journal, problem] of cases)
    test(name, () => {
      expect(problemsOf(journal).join(' ')).toContain(problem);
    });
});
