import type { Transaction } from './transaction.ts';

/**
 * On whose authority a transaction writes. What let a request in may be gone by the time it writes: its key deleted, its account
 * suspended. So the writer asks again inside the transaction, before the body, for every write alike.
 */
export interface Authority {
  /** Called in the transaction before its body. @throws the service's refusal, with which the write rejects; nothing is written */
  admitIn(tx: Transaction): void | Promise<void>;
  /**
   * Called in the transaction after its body with the bytes that it stored, as `Growth` counts them: whole database pages that it
   * allocated, and a few bytes for each row that it wrote. @throws the service's refusal, with which the write rejects; nothing is written
   */
  chargeIn?(tx: Transaction, bytes: number): void | Promise<void>;
}

/** The service itself, whose own tasks and commands nobody has to allow. */
export const SERVICE: Authority = { admitIn: () => undefined };
