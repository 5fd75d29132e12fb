import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '../../src/platform/store/store.ts';

/** Who writes: a request, by its authority, or the service itself. */
type Writer = 'request' | 'service';

/**
 * Records in which order the transactions of concurrent tasks ran. Wraps the store's writes: the bodies, their results and the commits are
 * unchanged.
 */
export class SerialOrder<Task> {
  private readonly current = new AsyncLocalStorage<{ task: Task; writer: Writer }>();
  private ran: Task[] = [];

  constructor(store: Store) {
    const write = store.write.bind(store);
    const writeAsService = store.writeAsService.bind(store);
    store.write = (authority, body) => write(authority, this.recorded(body, 'request'));
    store.writeAsService = (body) => writeAsService(this.recorded(body, 'service'));
  }

  /**
   * Runs a task. The transactions of `writer` are recorded under its name. Others are not: a request also writes, as the service, when its
   * key was last used.
   */
  run<T>(task: Task, writer: Writer, act: () => Promise<T>): Promise<T> {
    return this.current.run({ task, writer }, act);
  }

  /** Returns the tasks in the order of their transactions since the last call. */
  take(): Task[] {
    const { ran } = this;
    this.ran = [];
    return ran;
  }

  private recorded<Tx, T>(body: (tx: Tx) => T | Promise<T>, writer: Writer): (tx: Tx) => T | Promise<T> {
    const current = this.current.getStore();
    if (current?.writer !== writer) return body;
    return async (tx) => {
      try {
        return await body(tx);
      } finally {
        this.ran.push(current.task);
      }
    };
  }
}
