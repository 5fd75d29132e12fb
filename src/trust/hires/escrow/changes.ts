import type { Transaction } from '../../../platform/store/transaction.ts';

type Listener = (taskId: string) => void;

/** Tells listeners in this process which tasks changed, once the change is committed. */
class TaskChanges {
  private readonly listeners = new Set<Listener>();

  /** Adds a listener, which must not throw. @returns the function that removes it */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Says that a task changed in a transaction; nobody is told if it rolls back. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, taskId: string): void {
    if (this.listeners.size === 0) return;
    tx.afterCommit(() => {
      for (const listener of this.listeners) listener(taskId);
    });
  }
}

/**
 * The changes in this process of tasks with escrow, and of tasks of protocols, by task_id. A process with
 * several services has one for all: each looks for the task in its own database.
 */
export const taskChanges = new TaskChanges();
