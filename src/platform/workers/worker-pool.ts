import { Failure } from '../failure.ts';

/**
 * The number of tasks that each Worker has queued, so that it need not wait for the main thread between two.
 */
const AHEAD = 3;

interface PoolWorker<Task, Result> {
  worker: Worker;
  /** Its tasks with the promises of their results, in the order of the tasks. */
  waiting: { task: Task; result: PromiseWithResolvers<Result> }[];
}

/**
 * A pool of up to `size` Workers, started on demand. Each Worker responds to every message with one message,
 * in order. If one fails or ends, the pool fails: every task without a result rejects, so that none is lost
 * silently.
 */
export class WorkerPool<Task, Result> {
  private readonly workers: PoolWorker<Task, Result>[] = [];
  private failure: Failure | null = null;

  /**
   * @param start starts a Worker that is ready for tasks
   * @param nameOf returns the name of a task, for the error of the Worker that failed
   */
  constructor(
    private readonly start: () => Worker,
    private readonly size: number,
    private readonly nameOf: ((task: Task) => string) | null = null,
  ) {}

  /**
   * Yields the results of `tasks` in their order. At most three tasks per Worker are running or waiting, so
   * that memory does not grow with the number of tasks. Moves the buffers of `transferOf(task)` instead of
   * copying them.
   *
   * @throws Failure when a Worker fails, and any error of `tasks`
   */
  async *results(
    tasks: AsyncIterable<Task>,
    transferOf: (task: Task) => ArrayBuffer[],
  ): AsyncGenerator<Result> {
    const pending: Promise<Result>[] = [];
    for await (const task of tasks) {
      pending.push(this.send(task, transferOf(task)));
      const first = pending.length >= this.size * AHEAD ? pending.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (const result of pending) yield await result;
  }

  /**
   * Terminates the Workers and starts no others: a later task would keep the process running for no purpose.
   */
  end(): void {
    this.failure ??= new Failure('the worker threads have ended');
    for (const { worker } of this.workers.splice(0)) worker.terminate();
  }

  private send(task: Task, transfer: ArrayBuffer[]): Promise<Result> {
    const result = Promise.withResolvers<Result>();
    // The result is awaited later. Until then, a rejection must not count as unhandled.
    result.promise.catch(() => undefined);
    if (this.failure === null) {
      const member = this.leastBusy();
      member.waiting.push({ task, result });
      member.worker.postMessage(task, transfer);
    } else {
      result.reject(this.failure);
    }
    return result.promise;
  }

  private leastBusy(): PoolWorker<Task, Result> {
    const [idlest] = this.workers.toSorted((left, right) => left.waiting.length - right.waiting.length);
    if (idlest === undefined || (idlest.waiting.length > 0 && this.workers.length < this.size)) {
      return this.startWorker();
    }
    return idlest;
  }

  private startWorker(): PoolWorker<Task, Result> {
    const worker = this.start();
    const member: PoolWorker<Task, Result> = { worker, waiting: [] };
    worker.onmessage = ({ data }) => member.waiting.shift()?.result.resolve(data);
    worker.onmessageerror = () => this.fail(member, 'its response cannot be read');
    worker.onerror = ({ message }) => this.fail(member, message);
    worker.addEventListener('close', () => {
      if (member.waiting.length > 0) this.fail(member, 'it ended');
    });
    this.workers.push(member);
    return member;
  }

  private fail({ waiting: [first] }: PoolWorker<Task, Result>, cause: string): void {
    const task = first === undefined || this.nameOf === null ? '' : ` at ${this.nameOf(first.task)}`;
    this.failure ??= new Failure(
      `a worker thread failed${task}: ${cause}`,
      'the work in progress has no result: run the command again, and report the error',
    );
    for (const { waiting } of this.workers) {
      for (const { result } of waiting.splice(0)) result.reject(this.failure);
    }
  }
}
