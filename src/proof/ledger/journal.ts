import type { Primitives } from '../primitives.ts';
import { detailHash, entryHash, type JournalEntry, type MovementDetail } from './journal-entry.ts';

/** An entry of an agent's credit journal as the service returns it, without the agent's commitment. */
export interface PublishedEntry extends Omit<JournalEntry, 'subject_commitment'> {
  entry_hash: string;
}

/** What only the parties of a movement see of its entry, as the service returns it to them. */
export interface PrivateDetail extends Omit<MovementDetail, 'creditor' | 'debtor'> {
  /** The name of the other account; `locked` for what the agent locks or unlocks, which stays its own. */
  counterparty: string;
}

/** The counterparty of what an agent locks and unlocks. */
export const OWN_LOCKED = 'locked';

/**
 * Verifies the credit journal of one agent, entry by entry, newest first, as the pages of the service have
 * it. It checks that each hash is the digest of its entry, that the entries form one chain, and that each
 * balance follows from the one before it.
 */
export class JournalVerifier {
  /**
   * The hash that the next entry must have; undefined before the first one, null after the agent's first
   * entry.
   */
  private expectedHash: string | null | undefined;
  /**
   * By class: the balance before the last entry that was checked, which the next entry of the class must
   * have.
   */
  private readonly balances = new Map<string, number>();

  /** @param subject the commitment of the agent @param head the hash of its newest entry, if that is known */
  constructor(
    private readonly primitives: Primitives,
    private readonly subject: string,
    head?: string | null,
  ) {
    this.expectedHash = head;
  }

  /**
   * Checks the entry that precedes the last one.
   * @param detail verified too if it is given
   * @returns the problem as a sentence; null if there is none
   */
  check(entry: PublishedEntry, detail?: PrivateDetail): string | null {
    const { entry_hash, ...hashed } = entry;
    if (this.expectedHash !== undefined && entry_hash !== this.expectedHash)
      return this.expectedHash === null
        ? 'The entry follows the first entry of the chain.'
        : `Its entry_hash is not the ${this.expectedHash} that its successor names.`;
    this.expectedHash = entry.prev_entry_hash;
    if (entryHash(this.primitives, { ...hashed, subject_commitment: this.subject }) !== entry_hash)
      return 'Its entry_hash is not the digest of the entry.';
    return this.checkBalance(entry) ?? (detail === undefined ? null : this.checkDetail(entry, detail));
  }

  /**
   * Checks after the last entry that the journal is complete. @returns the problem as a sentence; null if
   * there is none
   */
  end(): string | null {
    if (typeof this.expectedHash === 'string')
      return `The entry with the hash ${this.expectedHash} is missing.`;
    const [open] = [...this.balances].filter(([, balance]) => balance !== 0);
    return open === undefined
      ? null
      : `The ${open[0]} credits began with a balance of ${open[1]}, not with 0.`;
  }

  private checkBalance({ asset, amount, direction, balance_after }: PublishedEntry): string | null {
    const expected = this.balances.get(asset) ?? balance_after;
    const before = direction === 'credit' ? balance_after - amount : balance_after + amount;
    this.balances.set(asset, before);
    if (balance_after !== expected)
      return `Its balance_after is ${balance_after}; the next entry of the class ${asset} began with ${expected}.`;
    return amount >= 1 && before >= 0
      ? null
      : `An amount of ${amount} and a balance of ${balance_after} cannot be.`;
  }

  private checkDetail(
    { direction, detail_hash }: PublishedEntry,
    { counterparty, ...rest }: PrivateDetail,
  ): string | null {
    const own = this.subject;
    const other = counterparty === OWN_LOCKED ? own : counterparty;
    const sides =
      direction === 'credit' ? { creditor: own, debtor: other } : { creditor: other, debtor: own };
    return detailHash(this.primitives, { ...rest, ...sides }) === detail_hash
      ? null
      : 'Its detail_hash is not the digest of its parties, reference, memo, receipt_id and salt.';
  }
}
