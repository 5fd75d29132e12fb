/** What the log has of a receipt. */
export interface LoggedReceipt {
  /** The position among the receipts of the account, in the order of their first leaves, from 0. */
  ordinal: number;
  receiptId: string;
  /** The sequence of its first leaf. */
  sequence: number;
  agent: string;
  /** The `at` of its leaf `issued` in milliseconds; null if there is none. */
  issuedAt: number | null;
  /** The content_hash of its leaf for each event; null if there is none. */
  issued: string | null;
  finalized: string | null;
  revoked: string | null;
}

/** The receipts and agents of an account. An implementation may keep them outside of the memory. */
export interface ReceiptTable {
  /** The number of receipts. */
  readonly size: number;
  find(receiptId: string): LoggedReceipt | null;
  /** Like `find`, for callers that ask nearly always in the order of the log, after everything was put. */
  findInOrder(receiptId: string): LoggedReceipt | null;
  /** Returns a receipt that was put. */
  at(ordinal: number): LoggedReceipt;
  /** Puts a new receipt, whose ordinal is `size`, or replaces a known one. */
  put(receipt: LoggedReceipt): void;
  /** The number of leaves of an agent so far. */
  leavesOf(agent: string): number;
  setLeavesOf(agent: string, leaves: number): void;
}

/** A table in memory. */
export class MemoryReceiptTable implements ReceiptTable {
  readonly #byId = new Map<string, LoggedReceipt>();
  readonly #all: LoggedReceipt[] = [];
  readonly #agents = new Map<string, number>();

  get size(): number {
    return this.#all.length;
  }

  find(receiptId: string): LoggedReceipt | null {
    return this.#byId.get(receiptId) ?? null;
  }

  findInOrder(receiptId: string): LoggedReceipt | null {
    return this.find(receiptId);
  }

  at(ordinal: number): LoggedReceipt {
    const receipt = this.#all[ordinal];
    if (receipt === undefined) throw new RangeError(`there is no receipt ${ordinal}`);
    return receipt;
  }

  put(receipt: LoggedReceipt): void {
    this.#byId.set(receipt.receiptId, receipt);
    this.#all[receipt.ordinal] = receipt;
  }

  leavesOf(agent: string): number {
    return this.#agents.get(agent) ?? 0;
  }

  setLeavesOf(agent: string, leaves: number): void {
    this.#agents.set(agent, leaves);
  }
}
