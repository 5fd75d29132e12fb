import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '../../src/platform/store/store.ts';
import type { Transaction } from '../../src/platform/store/transaction.ts';

/** Who writes: a request, by its authority, or the service itself. */
type Writer = 'request' | 'service';

/** A transaction of a task, and the movements that it booked. */
export interface RanTransaction<Task> {
  task: Task;
  movements: readonly BookedMovement[];
}

export interface BookedMovement {
  kind: string;
  reference: string | null;
  /** The owner of the account that it debited. */
  debitOwner: number;
}

/**
 * Records in which order the transactions of concurrent tasks ran. Wraps the store's writes: the bodies,
 * their results and the commits are unchanged.
 */
export class SerialOrder<Task> {
  private readonly current = new AsyncLocalStorage<{ task: Task; writer: Writer; others: Task | null }>();
  private ran: RanTransaction<Task>[] = [];

  /** @param noted called inside of each transaction, when its body has ended; `isKept` unless it threw */
  constructor(
    store: Store,
    private readonly noted: (tx: Transaction, ran: RanTransaction<Task>, isKept: boolean) => void = () =>
      undefined,
  ) {
    const write = store.write.bind(store);
    const writeAsService = store.writeAsService.bind(store);
    store.write = (authority, body) => write(authority, this.recorded(body, 'request'));
    store.writeAsService = (body) => writeAsService(this.recorded(body, 'service'));
  }

  /**
   * Runs a task. The transactions of `writer` are recorded under its name. Others are not: a request also
   * writes, as the service, when its key was last used. @param others the task of the others, to record them
   */
  run<T>(task: Task, writer: Writer, act: () => Promise<T>, others: Task | null = null): Promise<T> {
    return this.current.run({ task, writer, others }, act);
  }

  /** Returns the transactions since the last call, in their order. */
  take(): RanTransaction<Task>[] {
    const { ran } = this;
    this.ran = [];
    return ran;
  }

  private recorded<T>(
    body: (tx: Transaction) => T | Promise<T>,
    writer: Writer,
  ): (tx: Transaction) => T | Promise<T> {
    const current = this.current.getStore();
    const task = current?.writer === writer ? current.task : (current?.others ?? null);
    if (task === null) return body;
    return async (tx) => {
      const before = newestMovement(tx);
      let isKept = false;
      try {
        const result = await body(tx);
        isKept = true;
        return result;
      } finally {
        const ran = { task, movements: movementsAfter(tx, before) };
        this.ran.push(ran);
        this.noted(tx, ran, isKept);
      }
    };
  }
}

function newestMovement({ connection: { sqlite } }: Transaction): number {
  return (
    sqlite.query<{ seq: number | null }, []>('SELECT max(movement_seq) AS seq FROM movement').get()?.seq ?? 0
  );
}

function movementsAfter({ connection: { sqlite } }: Transaction, seq: number): BookedMovement[] {
  return sqlite
    .query<BookedMovement, [number]>(
      'SELECT kind, reference, debit_owner AS debitOwner FROM movement WHERE movement_seq > ? GROUP BY transaction_id ORDER BY movement_seq',
    )
    .all(seq);
}
