import { AHEAD_MS, parseTimestamp } from '../encoding/timestamp.ts';
import type { AccountEntry } from '../log/log-entry.ts';
import { isWithin, type LeafTimes } from './kept-checkpoints.ts';
import type { ProblemSink } from './problems.ts';
import type { LoggedReceipt, ReceiptTable } from './receipt-table.ts';

type ReceiptLeaf = Extract<AccountEntry, { receipt_id: string }>;

/** A time during which the account was not linked. */
export interface UnlinkedInterval {
  /** The sequence of the leaf `unlinked`. */
  sequence: number;
  /** Unix times in milliseconds; `to` is null while the account is not linked. */
  from: number;
  to: number | null;
}

/**
 * The leaves of one account, read in the order of the log: it names where they contradict each other, and
 * puts what they say into a table.
 */
export class AccountHistory {
  /** The sequence of the newest leaf; 0 before the first. */
  #sequence = 0;
  #leaves = 0;
  #isLinked = false;
  #linkedSince: number | null = null;
  /** The number of leaves without a checkpoint before or after them. */
  #unbounded = 0;
  #widest = 0;
  readonly #intervals: UnlinkedInterval[] = [];

  constructor(
    readonly table: ReceiptTable,
    private readonly report: ProblemSink,
  ) {}

  /** The number of leaves. */
  get leaves(): number {
    return this.#leaves;
  }

  /** When the account was linked first, in milliseconds; null if never. */
  get linkedSince(): number | null {
    return this.#linkedSince;
  }

  get intervals(): readonly UnlinkedInterval[] {
    return this.#intervals;
  }

  /** The number of leaves that no kept checkpoint bounds on one side. */
  get unbounded(): number {
    return this.#unbounded;
  }

  /** The longest time between the checkpoints before and after a leaf, in milliseconds. */
  get widest(): number {
    return this.#widest;
  }

  /** Takes the next leaf of the account. */
  take(entry: AccountEntry, times: LeafTimes): void {
    this.#leaves++;
    const at = parseTimestamp(entry.at) ?? Number.NaN;
    this.#checkTime(entry, at, times);
    this.#checkSequence(entry);
    if (entry.receipt_id === null) this.#takeLink(entry, at);
    else this.#takeReceipt(entry, at);
  }

  /**
   * Returns whether the account was not linked at a time, or less than 60 s from it: the clocks of acts
   * differ from the order of the leaves.
   */
  wasUnlinked(at: number): boolean {
    if (this.#linkedSince === null || at <= this.#linkedSince + AHEAD_MS) return true;
    return this.#intervals.some(
      ({ from, to }) => at >= from - AHEAD_MS && (to === null || at <= to + AHEAD_MS),
    );
  }

  /** Returns whether the account was not linked at some time after one of its leaves. */
  wasUnlinkedAfter(sequence: number): boolean {
    return this.#intervals.some((interval) => interval.sequence > sequence);
  }

  #checkTime(entry: AccountEntry, at: number, times: LeafTimes): void {
    const { after, before } = times;
    if (after === null || before === null) this.#unbounded++;
    else this.#widest = Math.max(this.#widest, before - after);
    if (isWithin(at, times)) return;
    this.#name('time', entry, `${entry.event} at ${entry.at}, but ${describe(times)}`);
  }

  #checkSequence(entry: AccountEntry): void {
    const { sequence } = entry;
    const expected = this.#sequence + 1;
    // After a missing leaf the sequence continues from here, so that one problem is reported once.
    if (sequence >= expected) this.#sequence = sequence;
    if (sequence !== expected)
      this.#name(
        'sequence',
        entry,
        `it is leaf ${sequence}, and the next leaf of the account is ${expected}`,
      );
  }

  #takeLink(entry: AccountEntry, at: number): void {
    const isLink = entry.event === 'linked';
    if (this.#isLinked === isLink)
      this.#name('link', entry, `${entry.event}, but the account was ${isLink ? '' : 'not '}linked already`);
    const last = this.#intervals.at(-1);
    if (!isLink) {
      if (last?.to !== null) this.#intervals.push({ sequence: entry.sequence, from: at, to: null });
    } else if (last !== undefined && last.to === null) last.to = at;
    if (isLink) this.#linkedSince ??= at;
    this.#isLinked = isLink;
  }

  #takeReceipt(entry: ReceiptLeaf, at: number): void {
    const { agent, agent_sequence, event } = entry;
    if (!this.#isLinked) this.#name('link', entry, `${event}, but the account was not linked`);
    const expected = this.table.leavesOf(agent) + 1;
    if (agent_sequence >= expected) this.table.setLeavesOf(agent, agent_sequence);
    if (agent_sequence !== expected)
      this.#name(
        'agent_sequence',
        entry,
        `it is leaf ${agent_sequence} of its agent, whose next leaf is ${expected}`,
      );
    this.#takeEvent(entry, at, this.table.find(entry.receipt_id));
  }

  #takeEvent(entry: ReceiptLeaf, at: number, known: LoggedReceipt | null): void {
    const { event, receipt_id, content_hash, agent, sequence } = entry;
    if (known === null) {
      const isIssue = event === 'issued';
      this.table.put({
        ordinal: this.table.size,
        receiptId: receipt_id,
        sequence,
        agent,
        issuedAt: isIssue ? at : null,
        issued: isIssue ? content_hash : null,
        finalized: event === 'finalized' ? content_hash : null,
        revoked: event === 'revoked' ? content_hash : null,
      });
      return;
    }
    if (agent !== known.agent) this.#name('event', entry, 'its agent is not that of the leaf before');
    const newest = newestOf(known);
    if (event === 'issued' || newest === 'revoked' || newest === event) {
      this.#name('event', entry, `${event}, but the receipt was ${newest} before`);
      return;
    }
    this.table.put(
      event === 'finalized' ? { ...known, finalized: content_hash } : { ...known, revoked: content_hash },
    );
  }

  #name(
    problem: 'sequence' | 'agent_sequence' | 'link' | 'event' | 'time',
    { receipt_id, sequence }: AccountEntry,
    detail: string,
  ): void {
    this.report({ problem, receipt_id, line: null, sequence, detail });
  }
}

function newestOf({ finalized, revoked }: LoggedReceipt): 'issued' | 'finalized' | 'revoked' {
  if (revoked !== null) return 'revoked';
  return finalized === null ? 'issued' : 'finalized';
}

function describe({ after, before }: LeafTimes): string {
  const later = after === null ? [] : [`after ${new Date(after).toISOString()}`];
  const earlier = before === null ? [] : [`before ${new Date(before).toISOString()}`];
  return `the kept checkpoints say that it was written ${[...later, ...earlier].join(' and ')}`;
}
