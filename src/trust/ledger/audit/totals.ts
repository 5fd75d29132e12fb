import { earnedBy, grantedBy, lockedBy, spentBy } from '../../../proof/ledger/figures.ts';
import { OF_LOCKED } from '../../../proof/ledger/journal-entry.ts';
import type { MovementRow } from './store.ts';
import { accountKey, isJournalKey, journalKey } from './structure.ts';

/** The numbers of an account in an asset that its movements add up to. */
export interface Sums {
  balance: number;
  granted: number;
  earned: number;
  spent: number;
  /** The entries in the agent's journal. */
  entries: number;
  /** The numbers of its movements, less those of the movements that they name as the ones before. */
  steps: number;
  /** The number of its newest movement. */
  newest: number;
}

/** What the entries of an agent's journal since it is complete add up to. */
export interface JournalSums {
  granted: number;
  earned: number;
  spent: number;
  locked: number;
}

/** The numbers for each account, as a Worker sends them: its key, and the members of `Sums` in order. */
const WIDTH = 8;
const [BALANCE, GRANTED, EARNED, SPENT, ENTRIES, STEPS, NEWEST] = [1, 2, 3, 4, 5, 6, 7] as const;
/** Of a journal. */
const LOCKED = BALANCE;

/** Sums of movements by account and asset. Each takes 64 bytes, so a million accounts fit into memory. */
export class Totals {
  private readonly slots = new Map<number, number>();
  private values = new Float64Array(1024 * WIDTH);

  /** @param complete the newest movement from before journals were complete; 0 if they always were */
  constructor(private readonly complete: number) {}

  /** Adds a movement, by the rules of the trigger that books it. Unknown accounts are left out. */
  book(row: MovementRow): void {
    const { movementSeq, amount, asset, debitKind, debitOwner, creditKind, creditOwner } = row;
    const debit = accountKey(debitKind, debitOwner, asset);
    const credit = accountKey(creditKind, creditOwner, asset);
    const isOwn = debitOwner === creditOwner;
    if (debit !== null) {
      this.add(debit, BALANCE, -amount);
      this.follow(debit, movementSeq, row.debitPrev);
      if (debitKind === 'agent') {
        this.add(debit, ENTRIES, 1);
        if (creditKind !== 'locked' || !isOwn) this.add(debit, SPENT, amount);
      }
    }
    if (debitKind === 'locked' && !(creditKind === 'agent' && isOwn)) {
      const agent = accountKey('agent', debitOwner, asset);
      if (agent !== null) {
        this.add(agent, SPENT, amount);
        if (row.payerHash !== null) {
          this.add(agent, ENTRIES, 1);
          this.follow(agent, movementSeq, row.payerPrev);
        }
      }
    }
    if (credit !== null) {
      this.add(credit, BALANCE, amount);
      this.follow(credit, movementSeq, row.creditPrev);
      if (creditKind === 'agent') {
        this.add(credit, ENTRIES, 1);
        if (debitKind === 'pool') this.add(credit, GRANTED, amount);
        else if (debitKind !== 'locked' || !isOwn) this.add(credit, EARNED, amount);
      }
    }
    this.enter(row);
  }

  /** Adds the entries of a movement to the journals of agents. */
  private enter(row: MovementRow): void {
    const { movementSeq, kind, amount, asset, debitOwner, creditOwner } = row;
    if (movementSeq <= this.complete) return;
    if (row.debitHash !== null) this.addEntry(debitOwner, asset, { kind, amount, direction: 'debit' });
    if (row.creditHash !== null) this.addEntry(creditOwner, asset, { kind, amount, direction: 'credit' });
    if (row.payerHash !== null)
      this.addEntry(debitOwner, asset, { kind, amount, direction: 'debit', of: OF_LOCKED });
  }

  private addEntry(agent: number, asset: string, entry: Parameters<typeof spentBy>[0]): void {
    const key = journalKey(agent, asset);
    if (key === null) return;
    const at = this.slotOf(key);
    this.values[at + GRANTED] = (this.values[at + GRANTED] ?? 0) + grantedBy(entry);
    this.values[at + EARNED] = (this.values[at + EARNED] ?? 0) + earnedBy(entry);
    this.values[at + SPENT] = (this.values[at + SPENT] ?? 0) + spentBy(entry);
    this.values[at + LOCKED] = (this.values[at + LOCKED] ?? 0) + lockedBy(entry);
  }

  /** Adds the sums that `sums` of other movements returned. */
  addAll(sums: Float64Array): void {
    for (let at = 0; at < sums.length; at += WIDTH) {
      const slot = this.slotOf(sums[at] ?? 0);
      for (let column: number = BALANCE; column < NEWEST; column++)
        this.values[slot + column] = (this.values[slot + column] ?? 0) + (sums[at + column] ?? 0);
      this.raise(slot, sums[at + NEWEST] ?? 0);
    }
  }

  /** Returns all sums as numbers, for `addAll`. */
  sums(): Float64Array<ArrayBuffer> {
    return this.values.slice(0, this.slots.size * WIDTH);
  }

  /** Returns and removes the sums of an account; null if it has no movement. */
  take(key: number): Sums | null {
    const slot = this.slots.get(key);
    if (slot === undefined) return null;
    this.slots.delete(key);
    return this.sumsAt(slot);
  }

  /** Returns what the entries of an agent's journal add up to. */
  journal(agent: number, asset: string): JournalSums {
    const key = journalKey(agent, asset);
    const slot = key === null ? undefined : this.slots.get(key);
    if (slot === undefined) return { granted: 0, earned: 0, spent: 0, locked: 0 };
    const of = (column: number): number => this.values[slot + column] ?? 0;
    return { granted: of(GRANTED), earned: of(EARNED), spent: of(SPENT), locked: of(LOCKED) };
  }

  /** Yields the accounts that `take` did not remove. */
  *rest(): Generator<{ key: number; sums: Sums }> {
    for (const [key, slot] of this.slots) if (!isJournalKey(key)) yield { key, sums: this.sumsAt(slot) };
  }

  private sumsAt(slot: number): Sums {
    const of = (column: number): number => this.values[slot + column] ?? 0;
    return {
      balance: of(BALANCE),
      granted: of(GRANTED),
      earned: of(EARNED),
      spent: of(SPENT),
      entries: of(ENTRIES),
      steps: of(STEPS),
      newest: of(NEWEST),
    };
  }

  private follow(key: number, movementSeq: number, previous: number | null): void {
    this.add(key, STEPS, movementSeq - (previous ?? 0));
    this.raise(this.slotOf(key), movementSeq);
  }

  private raise(slot: number, newest: number): void {
    this.values[slot + NEWEST] = Math.max(this.values[slot + NEWEST] ?? 0, newest);
  }

  private add(key: number, column: number, amount: number): void {
    const at = this.slotOf(key) + column;
    this.values[at] = (this.values[at] ?? 0) + amount;
  }

  private slotOf(key: number): number {
    const known = this.slots.get(key);
    if (known !== undefined) return known;
    const slot = this.slots.size * WIDTH;
    if (slot + WIDTH > this.values.length) {
      const larger = new Float64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.slots.set(key, slot);
    this.values[slot] = key;
    return slot;
  }
}
