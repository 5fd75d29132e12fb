import { AHEAD_MS, parseTimestamp } from '../encoding/timestamp.ts';
import type { AccountEntry } from '../log/log-entry.ts';
import { Bits } from './bits.ts';
import { isWithin, type LeafTimes } from './kept-checkpoints.ts';
import type { AccountProblem, ProblemSink } from './problems.ts';
import type { LoggedReceipt, ReceiptTable } from './receipt-table.ts';

type ReceiptLeaf = Extract<AccountEntry, { receipt_id: string }>;

/** A time during which the account was not linked. */
export interface UnlinkedInterval {
  /** The sequence of the leaf `unlinked`. */
  sequence: number;
  /** Unix times in milliseconds; `to` is null while the account is not linked. */
  from: number;
  to: number | null;
  /** Whether it ended before the time from which on the account is judged. */
  isEarlier: boolean;
}

/** What nothing says about the times of leaves. */
interface Unbounded {
  leaves: number;
  /** The sequence of the last of them. */
  sequence: number;
  /** A time in milliseconds before which all of them were written; null if nothing says one. */
  before: number | null;
}

/** A place in the leaves of an account, after which several logs have different leaves. */
export interface Fork {
  sequence: number;
  isLinked: boolean;
  /** The branches that lead to it. */
  branches: readonly number[];
}

/**
 * The leaves of one account, read in the order of the log: it names where they contradict each other, and
 * puts what they say into a table.
 *
 * If a service lost entries and restarted its logs, the closed log and the one that continues it have the
 * same leaves up to a fork, then each its own, whose sequences both follow those before the fork. Those of
 * the closed log come first, because they were written first.
 */
export class AccountHistory {
  /** The sequence of the newest leaf; 0 before the first. */
  #sequence = 0;
  #leaves = 0;
  #isLinked = false;
  #linkedSince: number | null = null;
  #confirmedSince: number | null = null;
  #unbounded: Unbounded = { leaves: 0, sequence: 0, before: Number.NEGATIVE_INFINITY };
  #earlierLeaves = 0;
  #widest = 0;
  /** The `at` of the newest leaf, in milliseconds. */
  #at = Number.NaN;
  /** The branches that lead to the newest leaf. Each has its own sequences of agents. */
  #branches: readonly number[] = [];
  #branchCount = 0;
  /** The receipts with a leaf that is judged, by ordinal; empty if all are. */
  readonly #judged = new Bits();
  readonly #intervals: UnlinkedInterval[] = [];

  /**
   * @param from a time in milliseconds: leaves of which a kept checkpoint shows that they were written before
   * are taken, but not judged
   */
  constructor(
    readonly table: ReceiptTable,
    private readonly report: ProblemSink,
    private readonly from: number | null = null,
  ) {}

  /** The number of leaves. */
  get leaves(): number {
    return this.#leaves;
  }

  /** When the account was linked first, in milliseconds, as its leaf says; null if never. */
  get linkedSince(): number | null {
    return this.#linkedSince;
  }

  /**
   * The time in milliseconds from which on the account is judged: the first that a kept checkpoint confirms
   * that it was linked, or the later one that was asked for. Null if nothing confirms one.
   */
  get judgedSince(): number | null {
    if (this.#confirmedSince === null) return null;
    return Math.max(this.#confirmedSince, this.from ?? Number.NEGATIVE_INFINITY);
  }

  /** The number of leaves before the time from which on the account is judged. */
  get earlierLeaves(): number {
    return this.#earlierLeaves;
  }

  /** Returns whether a receipt has a leaf that is judged. */
  isJudged(ordinal: number): boolean {
    return this.from === null || this.#judged.has(ordinal);
  }

  get intervals(): readonly UnlinkedInterval[] {
    return this.#intervals;
  }

  /** The judged leaves that no kept checkpoint bounds on one side. */
  get unbounded(): Unbounded {
    return this.#unbounded;
  }

  /** Returns what nothing proves about the time of the account, after its last leaf. */
  timeProblems(): AccountProblem[] {
    const { leaves, sequence, before } = this.#unbounded;
    const problems: AccountProblem[] = [];
    const name = (problem: 'link' | 'unbounded', place: number | null, detail: string): void =>
      void problems.push({ problem, receipt_id: null, line: null, sequence: place, detail });
    // Without `from`, the first leaf is named that is not `linked`.
    if (this.from !== null && this.#linkedSince === null) name('link', null, 'no leaf links the account');
    if (leaves > 0) {
      const times = leaves === 1 ? 'the time of 1 leaf' : `the times of ${leaves} leaves`;
      const remedy =
        before === null ? '' : `: --from ${new Date(before).toISOString()} judges only what came later`;
      name('unbounded', sequence, `no kept checkpoints bound ${times}${remedy}`);
    }
    return problems;
  }

  /** The longest time between the checkpoints before and after a leaf, in milliseconds. */
  get widest(): number {
    return this.#widest;
  }

  /** Takes the next leaf of the account. */
  take(entry: AccountEntry, times: LeafTimes): void {
    this.#leaves++;
    const { before } = times;
    const isEarlier = this.from !== null && before !== null && before <= this.from;
    if (isEarlier) this.#earlierLeaves++;
    const name: Namer = isEarlier
      ? () => undefined
      : (problem, detail) =>
          this.report({
            ...{ problem, receipt_id: entry.receipt_id, line: null },
            ...{ sequence: entry.sequence, detail },
          });
    const at = parseTimestamp(entry.at) ?? Number.NaN;
    if (!isEarlier) this.#checkTime(entry, at, times, name);
    this.#checkSequence(entry, name);
    // A false time of an earlier leaf must not reach into the time that is judged.
    this.#at = isEarlier ? Math.min(at, before) : at;
    // A log that continues from a fork is linked again without a leaf of that.
    if (this.#isLinked) this.#endInterval(isEarlier);
    if (entry.receipt_id === null) this.#takeLink(entry, times, isEarlier, name);
    else this.#takeReceipt(entry, at, isEarlier, name);
  }

  /** Returns the place before leaves of which several logs have different ones. */
  fork(): Fork {
    return { sequence: this.#sequence, isLinked: this.#isLinked, branches: this.#branches };
  }

  /** Continues at a fork, with the leaves of a log that were not taken yet. */
  continueAt(fork: Fork): void {
    // What was linked only in the other log was not linked after it was closed.
    if (this.#isLinked && !fork.isLinked) this.#beginInterval(this.#sequence);
    this.#sequence = fork.sequence;
    this.#isLinked = fork.isLinked;
    this.#branches = [...fork.branches, ++this.#branchCount];
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

  #checkTime(
    { event, at: written, sequence }: AccountEntry,
    at: number,
    times: LeafTimes,
    name: Namer,
  ): void {
    const { after, before } = times;
    if (after === null || before === null) {
      const { leaves, before: latest } = this.#unbounded;
      const all = before === null || latest === null ? null : Math.max(before, latest);
      this.#unbounded = { leaves: leaves + 1, sequence, before: all };
    } else this.#widest = Math.max(this.#widest, before - after);
    if (!isWithin(at, times)) name('time', `${event} at ${written}, but ${describe(times)}`);
  }

  #checkSequence({ sequence }: AccountEntry, name: Namer): void {
    const expected = this.#sequence + 1;
    // After a missing leaf the sequence continues from here, so that one problem is reported once.
    if (sequence >= expected) this.#sequence = sequence;
    if (sequence !== expected)
      name('sequence', `it is leaf ${sequence}, and the next leaf of the account is ${expected}`);
  }

  #takeLink({ event, sequence }: AccountEntry, { before }: LeafTimes, isEarlier: boolean, name: Namer): void {
    const isLink = event === 'linked';
    if (this.#isLinked === isLink)
      name('link', `${event}, but the account was ${isLink ? '' : 'not '}linked already`);
    if (!isLink) this.#beginInterval(sequence);
    else {
      this.#endInterval(isEarlier);
      if (this.#linkedSince === null) {
        this.#linkedSince = this.#at;
        this.#confirmedSince = before;
      }
    }
    this.#isLinked = isLink;
  }

  #beginInterval(sequence: number): void {
    if (this.#intervals.at(-1)?.to !== null)
      this.#intervals.push({ sequence, from: this.#at, to: null, isEarlier: false });
  }

  #endInterval(isEarlier: boolean): void {
    const last = this.#intervals.at(-1);
    if (last === undefined || last.to !== null) return;
    last.to = this.#at;
    last.isEarlier = isEarlier;
  }

  #takeReceipt(entry: ReceiptLeaf, at: number, isEarlier: boolean, name: Namer): void {
    const { agent, agent_sequence, event } = entry;
    if (!this.#isLinked) name('link', `${event}, but the account was not linked`);
    const expected = this.#leavesOf(agent) + 1;
    if (agent_sequence >= expected) this.table.setLeavesOf(keyOf(agent, this.#branches), agent_sequence);
    if (agent_sequence !== expected)
      name('agent_sequence', `it is leaf ${agent_sequence} of its agent, whose next leaf is ${expected}`);
    const known = this.table.find(entry.receipt_id);
    if (!isEarlier && this.from !== null) this.#judged.add(known?.ordinal ?? this.table.size);
    this.#takeEvent(entry, at, known, name);
  }

  /** Returns the number of leaves of an agent, on the way to the newest leaf. */
  #leavesOf(agent: string): number {
    for (let depth = this.#branches.length; depth > 0; depth--) {
      const leaves = this.table.leavesOf(keyOf(agent, this.#branches.slice(0, depth)));
      if (leaves > 0) return leaves;
    }
    return this.table.leavesOf(agent);
  }

  #takeEvent(entry: ReceiptLeaf, at: number, known: LoggedReceipt | null, name: Namer): void {
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
    if (agent !== known.agent) name('event', 'its agent is not that of the leaf before');
    const newest = newestOf(known);
    if (event === 'issued' || newest === 'revoked' || newest === event) {
      name('event', `${event}, but the receipt was ${newest} before`);
      return;
    }
    this.table.put(
      event === 'finalized' ? { ...known, finalized: content_hash } : { ...known, revoked: content_hash },
    );
  }
}

/** Names a problem of the leaf that is taken. */
type Namer = (problem: 'sequence' | 'agent_sequence' | 'link' | 'event' | 'time', detail: string) => void;

/** Returns under what the table has the leaves of an agent, in a branch after a fork. */
function keyOf(agent: string, branches: readonly number[]): string {
  const branch = branches.at(-1);
  return branch === undefined ? agent : `${agent}/${branch}`;
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
