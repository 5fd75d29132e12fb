import type { Primitives } from '../primitives.ts';
import { availableBy, earnedBy, grantedBy, lockedBy, spentBy } from './figures.ts';
import {
  detailHash,
  entryHash,
  type JournalEntry,
  type JournalOwner,
  type MovementDetail,
} from './journal-entry.ts';

/** An entry of a credit journal as the service returns it. */
export interface PublishedEntry extends JournalEntry {
  entry_hash: string;
}

/** What an agent has of one class: available = granted + earned - spent - locked. */
export interface ClassFigures {
  granted: number;
  earned: number;
  spent: number;
  locked: number;
  available: number;
}

/** What an agent had of a class when its journal became complete. */
export interface Opening extends ClassFigures {
  /** The hash of its newest entry then. */
  entry_hash: string;
}

/** The figures that the entries of a journal must add up to. */
export interface Statement {
  /** By class. Without any, the whole journal is complete. */
  opening: Readonly<Record<string, Opening>>;
  /** By class, of all classes that the account ever had. A pool has available credits only. */
  figures: Readonly<Record<string, Partial<ClassFigures>>>;
}

/** What only the parties of a movement see of its entry, as the service returns it to them. */
export interface PrivateDetail extends Omit<MovementDetail, 'creditor' | 'debtor'> {
  /** The name of the other account; `locked` for what the agent locks or unlocks, which stays its own. */
  counterparty: string;
}

const FIGURES = ['granted', 'earned', 'spent', 'locked', 'available'] as const;
const NOTHING: ClassFigures = { granted: 0, earned: 0, spent: 0, locked: 0, available: 0 };

/** The counterparty of what an agent locks and unlocks. */
export const OWN_LOCKED = 'locked';

/**
 * Verifies the credit journal of one account, entry by entry, newest first, as the pages of the service have
 * it. It checks that each hash is the digest of its entry, that the entries form one chain, that each balance
 * follows from the one before it, and that an agent's figures are the sums of its entries.
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
  /** By class: the sums of the entries since the opening. */
  private readonly sums = new Map<string, ClassFigures>();
  /** The hash of the last entry before the opening; null if all entries are after it. */
  private readonly openingHash: string | null;
  /** Whether the last entry that was checked is older than the opening. */
  isBeforeOpening = false;

  /**
   * @param head the hash of the newest entry, if that is known
   * @param statement the figures of an agent, if they are known
   */
  constructor(
    private readonly primitives: Primitives,
    private readonly owner: JournalOwner,
    head?: string | null,
    private readonly statement?: Statement,
  ) {
    this.expectedHash = head;
    this.openingHash = Object.values(statement?.opening ?? {})[0]?.entry_hash ?? null;
  }

  /**
   * Checks the entry that precedes the last one.
   * @param detail verified too if it is given
   * @returns the problem as a sentence; null if there is none
   */
  check(entry: PublishedEntry, detail?: PrivateDetail): string | null {
    const { entry_hash } = entry;
    if (this.expectedHash !== undefined && entry_hash !== this.expectedHash)
      return this.expectedHash === null
        ? 'The entry follows the first entry of the chain.'
        : `Its entry_hash is not the ${this.expectedHash} that its successor names.`;
    this.expectedHash = entry.prev_entry_hash;
    if (entryHash(this.primitives, this.owner, entry) !== entry_hash)
      return 'Its entry_hash is not the digest of the entry.';
    if (entry_hash === this.openingHash) this.isBeforeOpening = true;
    if (!this.isBeforeOpening && !this.add(entry)) return 'The sums of its class are too large.';
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
    if (open !== undefined) return `The ${open[0]} credits began with a balance of ${open[1]}, not with 0.`;
    if (this.openingHash !== null && !this.isBeforeOpening)
      return `The entry of the opening, with the hash ${this.openingHash}, is missing.`;
    return this.statement === undefined ? null : this.checkFigures(this.statement);
  }

  /** @returns whether the sums are exact */
  private add(entry: PublishedEntry): boolean {
    const sums = this.sums.get(entry.asset) ?? { ...NOTHING };
    sums.granted += grantedBy(entry);
    sums.earned += earnedBy(entry);
    sums.spent += spentBy(entry);
    sums.locked += lockedBy(entry);
    sums.available += availableBy(entry);
    this.sums.set(entry.asset, sums);
    return FIGURES.every((name) => Number.isSafeInteger(sums[name]));
  }

  private checkFigures({ opening, figures }: Statement): string | null {
    const names = 'operator_id' in this.owner ? (['available'] as const) : FIGURES;
    const classes = new Set([...this.sums.keys(), ...Object.keys(opening), ...Object.keys(figures)]);
    for (const asset of classes) {
      const start = opening[asset] ?? NOTHING;
      const sums = this.sums.get(asset) ?? NOTHING;
      for (const name of names) {
        const [expected, found] = [start[name] + sums[name], figures[asset]?.[name] ?? 0];
        if (expected !== found)
          return `The ${name} ${asset} credits are ${found}, and the entries add up to ${expected}.`;
      }
    }
    return null;
  }

  private checkBalance(entry: PublishedEntry): string | null {
    const { asset, amount, balance_after } = entry;
    const known = this.balances.get(asset);
    const stated = this.statement?.figures[asset]?.available ?? 0;
    if (known === undefined && this.statement !== undefined && balance_after !== stated)
      return `Its balance_after is ${balance_after}, and the available ${asset} credits are ${stated}.`;
    const expected = known ?? balance_after;
    const before = balance_after - availableBy(entry);
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
    const own = 'operator_id' in this.owner ? this.owner.operator_id : this.owner.subject_commitment;
    const other = counterparty === OWN_LOCKED ? own : counterparty;
    const sides =
      direction === 'credit' ? { creditor: own, debtor: other } : { creditor: other, debtor: own };
    return detailHash(this.primitives, { ...rest, ...sides }) === detail_hash
      ? null
      : 'Its detail_hash is not the digest of its parties, reference, memo, receipt_id and salt.';
  }
}
