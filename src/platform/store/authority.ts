import type { Transaction } from './transaction.ts';

/**
 * The authority of a transaction. The permission of a request may be gone when it writes: its key deleted,
 * its account suspended. So the writer checks the authority again inside every transaction, before the body.
 */
export interface Authority {
  /**
   * Called in the transaction before its body. @throws the service's error, with which the write rejects;
   * nothing is written
   * @returns undefined if there is nothing to wait for
   */
  admitIn(tx: Transaction): Promise<void> | undefined;
  /**
   * Called in the transaction after its body with the number of stored bytes, as `Growth` counts them:
   * allocated database pages, and a few bytes for each written row. @throws the service's error, with which
   * the write rejects; nothing is written
   */
  chargeIn?(tx: Transaction, bytes: number): Promise<void> | undefined;
}

/** The authority of the service's own tasks and commands, which need no permission. */
export const SERVICE: Authority = { admitIn: () => undefined };
