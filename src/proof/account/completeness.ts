import type { AccountHistory } from './account-history.ts';
import { Bits } from './bits.ts';
import type { ListedReceipt } from './listed-receipt.ts';
import { outOfOrder } from './order.ts';
import type { AccountProblem, AccountProblemKind, ProblemSink } from './problems.ts';
import type { LoggedReceipt } from './receipt-table.ts';

type Named = [problem: AccountProblemKind, detail: string];

/**
 * Compares a list of receipts with the leaves of their account, which are all read before. Every line of the
 * list is taken in its order, then `finish` yields what the list lacks.
 */
export class Completeness {
  /** The receipts of the log that a line had, by ordinal. */
  readonly #seen: Bits;
  /**
   * The ordinals of the receipts in the order of the list, and their lines, for those whose issue is in the
   * log.
   */
  readonly #order = new Numbers();
  readonly #lines = new Numbers();
  #earlier = 0;

  /**
   * @param history with all leaves of the account
   * @param now the time for which the log is complete, in milliseconds
   */
  constructor(
    private readonly history: AccountHistory,
    private readonly operatorId: string,
    private readonly now: number,
    private readonly report: ProblemSink,
  ) {
    this.#seen = new Bits(history.table.size);
  }

  /** The number of receipts that are both in the list and in the log. */
  get matched(): number {
    return this.#seen.count;
  }

  /** How many of these have only leaves from before the time from which on the account is judged. */
  get earlier(): number {
    return this.#earlier;
  }

  /**
   * Takes a line that is not an authentic receipt. @param receiptId of a well-formed receipt; it then is not
   * missing as well
   */
  takeForged(line: number, receiptId: string | null, detail: string): void {
    const logged = receiptId === null ? null : this.history.table.find(receiptId);
    if (logged !== null) this.#see(logged.ordinal);
    this.report({
      problem: 'not_authentic',
      receipt_id: receiptId,
      line,
      sequence: logged?.sequence ?? null,
      detail,
    });
  }

  /** Takes an authentic receipt. */
  take(line: number, listed: ListedReceipt): void {
    const logged = this.history.table.findInOrder(listed.receiptId);
    const { receiptId } = listed;
    for (const [problem, detail] of this.#problemsOf(line, listed, logged))
      this.report({ problem, receipt_id: receiptId, line, sequence: logged?.sequence ?? null, detail });
  }

  #problemsOf(line: number, listed: ListedReceipt, logged: LoggedReceipt | null): Named[] {
    if (listed.operatorId !== this.operatorId) return [['foreign', `it is of ${listed.operatorId}`]];
    if (logged === null) {
      return this.history.wasUnlinked(listed.issuedAt)
        ? [['unproven', 'it was issued while the account was not linked']]
        : [['extra', 'the account was linked when the receipt was issued, and its leaf is missing']];
    }
    if (!this.#see(logged.ordinal)) return [['duplicate', 'an earlier line has the same receipt']];
    if (logged.issued !== null) {
      this.#order.push(logged.ordinal);
      this.#lines.push(line);
    }
    const different = this.#differenceOf(listed, logged);
    if (different !== null) return [['altered', different]];
    const problems: Named[] = [];
    if (logged.issued === null) problems.push(['issue_unproven', 'the log has no leaf of its issue']);
    if (lacksOutcome(listed, logged))
      problems.push(['outcome_unproven', 'the log has no leaf of its finalization or revocation']);
    if (listed.finalized === null && listed.revoked === null && listed.expiry <= this.now)
      problems.push(['pending', `it expired at ${new Date(listed.expiry).toISOString()}`]);
    return problems;
  }

  /**
   * Yields what is wrong after the last line: the receipts that are out of order, those that the list lacks,
   * and the times without proof. They can be as many as the log has receipts.
   */
  *finish(): Generator<AccountProblem, void, void> {
    const { table, intervals } = this.history;
    for (const index of outOfOrder(this.#order.all)) {
      const { receiptId, sequence } = table.at(this.#order.at(index));
      const detail = `it was issued by leaf ${sequence}, before or after its neighbours in the list`;
      const line = this.#lines.at(index);
      yield { problem: 'reordered', receipt_id: receiptId, line, sequence, detail };
    }
    for (let ordinal = 0; ordinal < table.size; ordinal++) {
      if (this.#seen.has(ordinal) || !this.history.isJudged(ordinal)) continue;
      const logged = table.at(ordinal);
      const { receiptId, sequence } = logged;
      const detail = `the log has it: ${eventsOf(logged)}`;
      yield { problem: 'missing', receipt_id: receiptId, line: null, sequence, detail };
    }
    for (const { sequence, from, to, isEarlier } of intervals) {
      if (isEarlier) continue;
      const until = to === null ? 'now' : new Date(to).toISOString();
      const detail = `the account was not linked from ${new Date(from).toISOString()} to ${until}`;
      yield { problem: 'unlinked', receipt_id: null, line: null, sequence, detail };
    }
  }

  /** Returns how a receipt differs from its leaves, in a sentence; null if it does not. */
  #differenceOf(listed: ListedReceipt, logged: LoggedReceipt): string | null {
    if (listed.agent !== logged.agent) return 'its leaf is of another agent';
    if (logged.issued === null) {
      if (!this.history.wasUnlinked(listed.issuedAt))
        return 'the account was linked when the receipt was issued, and the leaf of the issue is missing';
    } else if (logged.issued !== listed.issued) return 'its content is not that of its issue';
    else if (logged.issuedAt !== listed.issuedAt) return 'issued_at is not the time of its leaf';
    const revocation = this.#differenceOfAct('revoked', listed.revoked, logged);
    return revocation ?? this.#differenceOfAct('finalized', listed.finalized, logged);
  }

  #differenceOfAct(
    event: 'finalized' | 'revoked',
    listed: string | null,
    logged: LoggedReceipt,
  ): string | null {
    const expected = logged[event];
    if (listed === expected) return null;
    if (listed === null) return `it is an older version: the log has it as ${event}`;
    if (expected !== null) return `its content is not what was ${event}`;
    // Without a leaf, it can have been done while the account was not linked, and only then.
    if (this.history.wasUnlinkedAfter(logged.sequence)) return null;
    if (logged.issued === null && event === 'finalized') return null;
    return `it is ${event}, and the log has no leaf of that`;
  }

  /** @returns false if it was seen before */
  #see(ordinal: number): boolean {
    const isNew = this.#seen.add(ordinal);
    if (isNew && !this.history.isJudged(ordinal)) this.#earlier++;
    return isNew;
  }
}

function lacksOutcome(listed: ListedReceipt, logged: LoggedReceipt): boolean {
  const lacks = (event: 'finalized' | 'revoked'): boolean => listed[event] !== null && logged[event] === null;
  return lacks('finalized') || lacks('revoked');
}

function eventsOf(logged: LoggedReceipt): string {
  return (['issued', 'finalized', 'revoked'] as const).filter((event) => logged[event] !== null).join(', ');
}

/** A growing list of whole numbers below 2^32, in four bytes each. */
class Numbers {
  #numbers = new Uint32Array(64);
  #count = 0;

  get all(): Uint32Array {
    return this.#numbers.subarray(0, this.#count);
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  push(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count++] = number;
  }
}
