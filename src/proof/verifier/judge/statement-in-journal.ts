import {
  type AccountStatement,
  type MovementSum,
  statementContradictions,
} from '../../ledger/account-statement.ts';
import { lockedBy } from '../../ledger/figures.ts';
import type { PublishedEntry } from '../../ledger/journal.ts';
import type { JournalFound } from '../../ledger/journal-file.ts';
import type { Primitives } from '../../primitives.ts';
import { readJournal } from './journal-lines.ts';

/** The kind of the entries by which a pool received what it had before it had a journal. */
const OPENING = 'OPENING';

/**
 * Compares a statement with the journal of its account: whether this is whole and consistent, has the
 * statement's head, and whether the entries from there to the one before the period yield its sums and
 * balances. Never throws for any bytes.
 * @param journal the whole journal as NDJSON
 * @returns one sentence for each problem
 */
export function journalProblems(
  primitives: Primitives,
  statement: AccountStatement,
  journal: Uint8Array,
): string[] {
  const account = statement.operator_id ?? statement.subject_commitment ?? '';
  const month = new Month(statement);
  const found = readJournal(primitives, journal, account, (entry, isComplete) =>
    month.add(entry, isComplete),
  );
  return typeof found === 'string' ? [`the journal: ${found}`] : month.problems(found);
}

/** The entries of a journal, newest first, as a statement divides them: after, in, and before its period. */
class Month {
  private part: 'after' | 'in' | 'before' = 'after';
  private entries = 0;
  private before = 0;
  private readonly sums = new Map<string, MovementSum>();
  /** By class: what was available after the newest entry of the period, and before the period. */
  private readonly closing = new Map<string, number>();
  private readonly opening = new Map<string, number>();
  /** By class: what the entries before the period locked, since the journal is complete. */
  private readonly locked = new Map<string, number>();
  private readonly misplaced = new Set<string>();

  constructor(private readonly statement: AccountStatement) {}

  add(entry: PublishedEntry, isComplete: boolean): void {
    const { head, opening_head } = this.statement.journal;
    if (this.part === 'after' && entry.entry_hash === head) this.part = 'in';
    if (this.part === 'in' && entry.entry_hash === opening_head) this.part = 'before';
    if (this.part === 'after') this.addAfter(entry);
    else if (this.part === 'in') this.addIn(entry);
    else this.addBefore(entry, isComplete);
  }

  private addAfter({ created_at }: PublishedEntry): void {
    if (created_at < this.statement.until) this.misplaced.add('an entry after the head is of the period');
  }

  private addIn({ asset, kind, direction, of, amount, balance_after, created_at }: PublishedEntry): void {
    const { from, until } = this.statement;
    if (created_at < from) this.misplaced.add('an entry of the period is from before it');
    if (this.entries === 0 && created_at >= until)
      this.misplaced.add('an entry of the period is from after it');
    const key = keyOf({ asset, kind, direction, of });
    const known = this.sums.get(key) ?? { asset, kind, direction, count: 0, amount: 0 };
    this.sums.set(key, {
      ...known,
      ...(of === undefined ? {} : { of }),
      count: known.count + 1,
      amount: known.amount + amount,
    });
    if (!this.closing.has(asset)) this.closing.set(asset, balance_after);
    this.entries += 1;
  }

  private addBefore(entry: PublishedEntry, isComplete: boolean): void {
    const { asset, kind, created_at, balance_after } = entry;
    if (this.before === 0 && kind !== OPENING && created_at >= this.statement.from)
      this.misplaced.add('an entry before the period is of the period');
    if (!this.opening.has(asset)) this.opening.set(asset, balance_after);
    if (isComplete) this.locked.set(asset, (this.locked.get(asset) ?? 0) + lockedBy(entry));
    this.before += 1;
  }

  problems(found: JournalFound): string[] {
    const { journal } = this.statement;
    if (this.part === 'after' && journal.head !== null)
      return ['the journal does not have the head of the statement'];
    if (this.part === 'in' && journal.opening_head !== null)
      return ['the journal does not have the newest entry before the period'];
    const length = this.entries + this.before;
    return [
      ...(length === journal.length
        ? []
        : [`the journal has ${length} entries up to the head, not ${journal.length}`]),
      ...this.misplaced,
      ...this.openingProblems(found),
      ...this.sumProblems(),
    ];
  }

  private openingProblems({ opening: complete }: JournalFound): string[] {
    const { opening, turnover } = this.statement;
    const problems: string[] = [];
    for (const asset of new Set([...Object.keys(opening), ...this.opening.keys()])) {
      const stated = opening[asset];
      const available = this.opening.get(asset) ?? 0;
      if ((stated?.available ?? 0) !== available)
        problems.push(`the journal begins the period with ${available} available ${asset} credits`);
      const locked = (complete[asset]?.locked ?? 0) + (this.locked.get(asset) ?? 0);
      if (turnover !== undefined && (stated?.locked ?? 0) !== locked)
        problems.push(`the journal begins the period with ${locked} locked ${asset} credits`);
    }
    return problems;
  }

  private sumProblems(): string[] {
    const { journal, closing, movements } = this.statement;
    const problems =
      this.entries === journal.entries
        ? []
        : [`the journal has ${this.entries} entries in the period, not ${journal.entries}`];
    const stated = new Set(movements.map(keyOf));
    for (const [key, { count, amount }] of this.sums) {
      const sum = movements.find((each) => keyOf(each) === key);
      if (sum?.count !== count || sum.amount !== amount)
        problems.push(`the journal has ${count} entries and ${amount} credits of ${key.trim()}`);
      stated.delete(key);
    }
    for (const key of stated) problems.push(`the journal has no entries of ${key.trim()} in the period`);
    for (const [asset, balance] of this.closing)
      if (closing[asset]?.available !== balance)
        problems.push(`the journal ends the period with ${balance} available ${asset} credits`);
    return problems.length === 0 ? statementContradictions(this.statement) : problems;
  }
}

type Summed = Pick<PublishedEntry, 'asset' | 'kind' | 'direction' | 'of'>;

function keyOf({ asset, kind, direction, of }: Summed): string {
  return [asset, kind, direction, of ?? ''].join(' ');
}
