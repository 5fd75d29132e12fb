import { nativePrimitives, sha256Hex } from '../../src/platform/crypto/crypto.ts';
import type { JsonValue } from '../../src/proof/encoding/json.ts';
import { availableBy, earnedBy, grantedBy, lockedBy, spentBy } from '../../src/proof/ledger/figures.ts';
import type { ClassFigures } from '../../src/proof/ledger/journal.ts';
import { detailHash, entryHash, type JournalOwner } from '../../src/proof/ledger/journal-entry.ts';
import { JournalFile } from '../../src/proof/ledger/journal-file.ts';
import { isBlank } from '../../src/proof/verifier/judge/lines.ts';
import { journalSummary } from '../../src/proof/words/journal.ts';
import { withoutWords } from './linked-account.ts';

/** A journal in a file, and what a verifier must say of it. */
export interface StoredJournal {
  name: string;
  file: string;
  /** What `--head` names; null for none. */
  head: string | null;
  /** The line of the first problem, and whether there is one. */
  line: number;
  problem: boolean;
  /** The last line of the output, without its words. */
  summary: JsonValue;
}

const AGENT = sha256Hex('the agent of the journal');
const OTHER = sha256Hex('another agent');
const POOL = 'op_cus_AAAAAAAAAAAAAAAAAAAAAAAA';
/** A head that none of the journals has. */
export const OTHER_HEAD = 'f'.repeat(64);

type Line = Record<string, unknown>;
type Movement = [kind: string, asset: string, amount: number, counterparty: string, of?: 'locked'];

const CREDITS = new Set(['OPENING', 'UNLOCK', 'EARN', 'SETTLEMENT', 'OPERATOR_GRANT']);

/** Returns the lines of a journal: the first one, then its entries, newest first. */
function journalOf(owner: JournalOwner, movements: readonly Movement[], openedAfter = 0): Line[] {
  const own = Object.values(owner).join('');
  const isPool = 'operator_id' in owner;
  const figures: Record<string, ClassFigures> = {};
  let opening: Record<string, Line> = {};
  let previous: string | null = null;
  const lines = movements.map(([kind, asset, amount, counterparty, of], at): Line => {
    const direction = CREDITS.has(kind) && !(isPool && kind === 'OPERATOR_GRANT') ? 'credit' : 'debit';
    const change = { kind: kind === 'EARN' ? 'TASK_PAYMENT' : kind, amount, direction, of } as const;
    const had = figures[asset] ?? { granted: 0, earned: 0, spent: 0, locked: 0, available: 0 };
    figures[asset] = {
      granted: had.granted + grantedBy(change),
      earned: had.earned + earnedBy(change),
      spent: had.spent + spentBy(change),
      locked: had.locked + lockedBy(change),
      available: had.available + availableBy(change),
    };
    const other = counterparty === 'locked' ? own : counterparty;
    const said = {
      reference: at % 2 === 0 ? `task-${at}` : null,
      memo: at === 1 ? 'naïve “quoted” \u2028 memo' : null,
      receipt_id: null,
      salt: sha256Hex(`salt ${at}`).slice(0, 32),
    };
    const sides =
      direction === 'credit' ? { creditor: own, debtor: other } : { creditor: other, debtor: own };
    const entry = {
      entry_id: `entry_${sha256Hex(`entry ${at}`).slice(0, 32)}`,
      kind: change.kind,
      asset,
      amount,
      direction,
      ...(of === undefined ? {} : { of }),
      balance_after: figures[asset].available,
      created_at: new Date(Date.parse('2026-06-01T12:00:00.000Z') + at * 1000).toISOString(),
      detail_hash: detailHash(nativePrimitives, { ...said, ...sides }),
      prev_entry_hash: previous,
    } as const;
    previous = entryHash(nativePrimitives, owner, entry);
    if (at + 1 === openedAfter)
      opening = Object.fromEntries(
        Object.entries(figures).map(([name, row]) => [
          name,
          { ...row, entry_hash: previous, created_at: entry.created_at },
        ]),
      );
    const { kind: _, ...rest } = entry;
    return { ...rest, kind: entry.kind, counterparty, ...said, entry_hash: previous };
  });
  const shown = isPool
    ? Object.fromEntries(Object.entries(figures).map(([name, { available }]) => [name, { available }]))
    : figures;
  const first = {
    type: 'credit-journal',
    ...owner,
    ...{ length: lines.length, head: previous, figures: shown, ...(isPool ? {} : { opening }) },
    filtered: false,
  };
  return [first, ...lines.toReversed()];
}

const MOVEMENTS: readonly Movement[] = [
  ['OPERATOR_GRANT', 'promotional', 50, POOL],
  ['OPERATOR_GRANT', 'paid', 100, POOL],
  ['LOCK', 'promotional', 50, 'locked'],
  ['LOCK', 'paid', 10, 'locked'],
  ['ESCROW_RELEASE', 'promotional', 50, OTHER, 'locked'],
  ['ESCROW_RELEASE', 'paid', 10, OTHER, 'locked'],
  ['EARN', 'paid', 7, OTHER],
  ['LOCK', 'paid', 30, 'locked'],
  ['UNLOCK', 'paid', 12, 'locked'],
  ['WITHDRAWAL', 'paid', 18, 'issuance', 'locked'],
  ['SETTLEMENT', 'sandbox', 4, 'issuance'],
  ['METER', 'paid', 1, 'revenue'],
];
const POOL_MOVEMENTS: readonly Movement[] = [
  ['OPENING', 'paid', 500, 'issuance'],
  ['SETTLEMENT', 'promotional', 20, 'issuance'],
  ['OPERATOR_GRANT', 'paid', 100, AGENT],
  ['METER', 'paid', 3, 'revenue'],
];

const agent = () => journalOf({ subject_commitment: AGENT }, MOVEMENTS);
const text = (lines: readonly Line[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
/** Returns the journal of the agent with members of a line changed. */
const changed = (at: number, members: Line): string =>
  text(agent().map((line, index) => (index === at ? { ...line, ...members } : line)));
const without = (at: number, name: string): string =>
  text(
    agent().map((line, index) =>
      index === at ? Object.fromEntries(Object.entries(line).filter(([member]) => member !== name)) : line,
    ),
  );
const figuresChanged = (asset: string, members: Line): string => {
  const figures = Object(agent()[0]?.figures);
  return changed(0, { figures: { ...figures, [asset]: { ...figures[asset], ...members } } });
};

/** Returns the journal with an entry changed, and all hashes after it made anew, as a service that lies could. */
function rehashed(at: number, members: Line): string {
  const lines = agent();
  let previous: string | null = null;
  const made = lines
    .slice(1)
    .toReversed()
    .map((line, index) => {
      const entry = Object({ ...line, ...(index === at ? members : {}), prev_entry_hash: previous });
      previous = entryHash(nativePrimitives, { subject_commitment: AGENT }, entry);
      return { ...entry, entry_hash: previous };
    });
  return text([{ ...lines[0], head: previous }, ...made.toReversed()]);
}

/** Each journal by its name, with what `--head` names. */
function journals(): [name: string, content: string, head?: string][] {
  const lines = agent();
  const [first = {}, ...entries] = lines;
  const opened = journalOf({ subject_commitment: AGENT }, MOVEMENTS, 6);
  const pool = journalOf({ operator_id: POOL }, POOL_MOVEMENTS);
  const [openedFirst = {}] = opened;
  const head = String(first.head);
  const raw = text(lines);
  const openingOf = (asset: string, members: Line): string => {
    const opening = Object(openedFirst.opening);
    const row = { ...opening[asset], ...members };
    return text([{ ...openedFirst, opening: { ...opening, [asset]: row } }, ...opened.slice(1)]);
  };
  return [
    ['of an agent', raw],
    ['with its head', raw, head],
    ['with another head', raw, OTHER_HEAD],
    ['of a pool', text(pool)],
    [
      'of a pool, as that of an agent',
      text([
        { ...pool[0], operator_id: undefined, subject_commitment: AGENT, opening: {} },
        ...pool.slice(1),
      ]),
    ],
    ['with figures from before', text(opened)],
    ['without any entry', text(journalOf({ subject_commitment: AGENT }, []))],
    ['with blank lines and CR LF', `\r\n${raw.replaceAll('\n', '\r\n\r\n')}`],
    ['without a line end', raw.trimEnd()],
    [
      'with masked details',
      text(
        lines.map((line, at) =>
          at === 0 ? line : { ...line, counterparty: 'abcd…wxyz', reference: null, memo: null, salt: null },
        ),
      ),
    ],
    [
      'with one masked entry',
      changed(3, { counterparty: 'abcd…wxyz', reference: null, memo: null, salt: null }),
    ],
    ['of another agent', text([{ ...first, subject_commitment: OTHER }, ...entries])],
    ['that lacks its newest entry', text([first, ...entries.slice(1)])],
    [
      'that lacks its newest entry, and says so',
      text([{ ...first, head: entries[1]?.entry_hash, length: entries.length - 1 }, ...entries.slice(1)]),
    ],
    ['that lacks its oldest entry', text([first, ...entries.slice(0, -1)])],
    [
      'that lacks its oldest entry, and says so',
      text([{ ...first, length: entries.length - 1 }, ...entries.slice(0, -1)]),
    ],
    ['that lacks an entry in the middle', text(lines.filter((_, at) => at !== 5))],
    ['with an entry twice', text([...lines.slice(0, 4), ...lines.slice(3)])],
    [
      'with two entries swapped',
      text([...lines.slice(0, 4), ...lines.slice(5, 6), ...lines.slice(4, 5), ...lines.slice(6)]),
    ],
    ['in the order oldest first', text([first, ...entries.toReversed()])],
    ['with another length', changed(0, { length: 13 })],
    ['with another head in its first line', changed(0, { head: OTHER_HEAD })],
    ['with another amount', changed(2, { amount: 5 })],
    ['with another amount, and hashes made anew', rehashed(1, { amount: 90 })],
    ['with another balance, and hashes made anew', rehashed(0, { balance_after: 51 })],
    ['with another kind, and hashes made anew', rehashed(6, { kind: 'OPERATOR_GRANT' })],
    ['with an entry of nothing, and hashes made anew', rehashed(11, { amount: 0 })],
    ['with another counterparty', changed(6, { counterparty: AGENT })],
    ['with another memo', changed(11, { memo: 'another' })],
    ['with another salt', changed(11, { salt: '0'.repeat(32) })],
    ['without of', without(7, 'of')],
    ...FIGURES.map((name): [string, string] => [
      `with one more ${name}`,
      figuresChanged('paid', { [name]: Number(Object(first.figures).paid[name]) + 1 }),
    ]),
    ['with more granted, and as much less earned', figuresChanged('paid', { granted: 101, earned: 6 })],
    ['with more spent, and as much less locked', figuresChanged('promotional', { spent: 49, locked: 1 })],
    [
      'without the figures of a class',
      changed(0, {
        figures: Object.fromEntries(
          Object.entries(Object(first.figures)).filter(([name]) => name !== 'sandbox'),
        ),
      }),
    ],
    ['with an opening that adds up to something else', openingOf('paid', { granted: 99, earned: 1 })],
    ['with an opening that contradicts itself', openingOf('paid', { granted: 99 })],
    [
      'with an opening of an entry that there is not',
      text([
        {
          ...openedFirst,
          opening: Object.fromEntries(
            Object.entries(Object(openedFirst.opening)).map(([name, row]) => [
              name,
              { ...Object(row), entry_hash: OTHER_HEAD },
            ]),
          ),
        },
        ...opened.slice(1),
      ]),
    ],
    ['with an opening of two entries', openingOf('paid', { entry_hash: OTHER_HEAD })],
    ['that is whole, and names no opening', text([{ ...openedFirst, opening: {} }, ...opened.slice(1)])],
    ['with filters', changed(0, { filtered: true })],
    ['with a first line that has an unknown member', changed(0, { extra: 1 })],
    ['with a first line without figures', without(0, 'figures')],
    ['with a first line with an unknown class', figuresChanged('gold', { ...Object(first.figures).paid })],
    ['with a first line with figures below zero', figuresChanged('paid', { locked: -1 })],
    ['with two owners', changed(0, { operator_id: POOL })],
    ['with an entry that has an unknown member', changed(4, { extra: 1 })],
    ['with an entry without a hash', without(4, 'entry_hash')],
    ['with an entry of an unknown class', changed(4, { asset: 'gold' })],
    ['with a direction that there is not', changed(4, { direction: 'up' })],
    ['with a fraction', changed(4, { amount: 1.5 })],
    ['with an amount that is text', changed(4, { amount: '10' })],
    ['with an amount beyond all', raw.replace('"amount":12', '"amount":9007199254740993')],
    ['with a time that there is not', changed(4, { created_at: '2026-02-30T12:00:00.000Z' })],
    ['with a hash in capitals', changed(4, { detail_hash: 'A'.repeat(64) })],
    ['with half of a character', changed(4, { memo: '\ud800' })],
    ['with of null', changed(4, { of: null })],
    ['with a member twice', raw.replace('"kind":"METER"', '"kind":"METER","kind":"METER"')],
    ['with a line that is no JSON', `${text(lines.slice(0, 3))}{\n${text(lines.slice(3))}`],
    ['with a line that is an array', `${text(lines.slice(0, 3))}[]\n${text(lines.slice(3))}`],
    ['with a first line again', text([first, ...lines])],
  ];
}

const FIGURES = ['granted', 'earned', 'spent', 'locked', 'available'] as const;

/** Returns the files of test/vectors/journal. */
export function journalVectors(): Map<string, string> {
  const files = new Map<string, string>();
  const named = new Map<string, string>();
  const rows = journals().map(([name, content, head], at): StoredJournal => {
    const file = named.get(content) ?? `${at + 1}.ndjson`;
    named.set(content, file);
    files.set(file, content);
    const journal = new JournalFile(nativePrimitives);
    for (const line of content.replace(/\n$/, '').split('\n')) {
      const bytes = Buffer.from(line.replace(/\r$/, ''));
      journal.take(bytes, isBlank(bytes));
      if (journal.isOver) break;
    }
    const found = journal.end();
    const { summary } = journalSummary(found, head);
    return {
      ...{ name, file, head: head ?? null, line: found.problem?.line ?? 0, problem: found.problem !== null },
      summary: withoutWords(JSON.parse(JSON.stringify(summary))),
    };
  });
  const text = rows.map((row) => JSON.stringify(row)).join(',\n');
  return files.set('journals.json', `[\n${text}\n]\n`);
}
