import type { DocumentReader } from '../document/document-reader.ts';
import { hex, matching, text, time } from '../document/forms.ts';
import {
  type AccountStatement,
  type Balances,
  type MovementSum,
  STATEMENT_TYPE,
  statementContradictions,
  type Turnover,
} from '../ledger/account-statement.ts';
import { OF_LOCKED } from '../ledger/journal-entry.ts';
import type { StatementKind } from './statement.ts';

const month = matching(/^\d{4}-\d{2}$/, 'a month such as 2026-01');
const word = matching(/^[A-Za-z_]{1,32}$/, '1 to 32 letters and _');
const DIRECTIONS = ['credit', 'debit'] as const;
/** More classes and kinds of movements than there are. */
const MOST_SUMS = 200;

/** The statement of a month of a credit journal. */
export const accountStatement: StatementKind = {
  type: STATEMENT_TYPE,
  name: 'account statement',
  lifetimeMs: null,
  read(document) {
    document.member('interim').only(false);
    const stated = readAccountStatement(document);
    const { journal, closing, operator_id, subject_commitment } = stated;
    const owner = operator_id === undefined ? { subject_commitment } : { operator_id };
    const balances = Object.entries(closing).flatMap(([asset, { available, locked }]) => [
      [`${asset} available`, available] as const,
      ...(locked === undefined ? [] : [[`${asset} locked`, locked] as const]),
    ]);
    const contradictions = statementContradictions(stated);
    if (stated.issued_at < stated.until) contradictions.push('it was issued before the month was over');
    return {
      about: {
        ...Object.fromEntries(Object.entries(owner).map(([name, value]) => [name, value ?? null])),
        month: stated.month,
        from: stated.from,
        until: stated.until,
        entries: journal.entries,
        ...Object.fromEntries(balances),
        journal_length: journal.length,
        journal_head: journal.head,
      },
      dated: stated.issued_at,
      until: null,
      subject: 'ok',
      issuer: null,
      contradictions,
    };
  },
};

/** Reads the members of a statement. */
export function readAccountStatement(document: DocumentReader): AccountStatement {
  const isPool = document.member('operator_id').isPresent();
  const journal = document.member('journal').object();
  const hash = (name: string) => journal.member(name).nullable((value) => value.text(hex(32)));
  return {
    type: STATEMENT_TYPE,
    ...(isPool
      ? { operator_id: document.member('operator_id').text(text(128)) }
      : { subject_commitment: document.member('subject_commitment').text(hex(32)) }),
    month: document.member('month').text(month),
    from: document.member('from').text(time),
    until: document.member('until').text(time),
    interim: document.member('interim').flag(),
    opening: byClass(document.member('opening'), (value) => balancesIn(value, isPool)),
    movements: document.member('movements').items(MOST_SUMS).map(sumIn),
    ...(isPool ? {} : { turnover: byClass(document.member('turnover'), turnoverIn) }),
    closing: byClass(document.member('closing'), (value) => balancesIn(value, isPool)),
    journal: {
      entries: journal.member('entries').count(),
      length: journal.member('length').count(),
      opening_head: hash('opening_head'),
      head: hash('head'),
    },
    issued_at: document.member('issued_at').text(time),
  };
}

function byClass<Of>(document: DocumentReader, read: (value: DocumentReader) => Of): Record<string, Of> {
  return Object.fromEntries(document.members().map(([name, value]) => [name, read(value.object())]));
}

function balancesIn(value: DocumentReader, isPool: boolean): Balances {
  const available = value.member('available').count();
  return isPool ? { available } : { available, locked: value.member('locked').count() };
}

function turnoverIn(value: DocumentReader): Turnover {
  const count = (name: string): number => value.member(name).count();
  return { granted: count('granted'), earned: count('earned'), spent: count('spent') };
}

function sumIn(value: DocumentReader): MovementSum {
  const sum = {
    asset: value.object().member('asset').text(word),
    kind: value.member('kind').text(word),
    direction: value.member('direction').oneOf(DIRECTIONS),
    count: value.member('count').count(),
    amount: value.member('amount').count(),
  };
  if (!value.member('of').isPresent()) return sum;
  value.member('of').only(OF_LOCKED);
  return { ...sum, of: OF_LOCKED };
}
