import { Failure } from './failure.ts';

/** So many tasks lie with each Worker that it need not wait for the main thread between two. */
const AHEAD = 3;

interface Member<Task, Answer> {
  worker: Worker;
  /** The tasks that it has, and those that wait for its answers, which come in the order of the tasks. */
  waiting: { task: Task; answer: PromiseWithResolvers<Answer> }[];
}

/**
 * Workers that each answer every message with one message, in order. They start as the work needs them, up to `size`.
 * One that fails or ends takes the crew with it: every task without an answer rejects, none is lost in silence.
 */
export class WorkerPool<Task, Answer> {
  private readonly members: Member<Task, Answer>[] = [];
  private failure: Failure | null = null;

  /**
   * @param start gives a Worker that is ready for tasks
   * @param nameOf names a task, for the error of the Worker that failed at it
   */
  constructor(
    private readonly start: () => Worker,
    private readonly size: number,
    private readonly nameOf: ((task: Task) => string) | null = null,
  ) {}

  /**
   * Answers to `tasks` in the order of the tasks. At most three tasks a Worker are under way or wait to be taken, so
   * that memory does not grow with the number of tasks. What is in `transferOf(task)` is moved, not copied.
   *
   * @throws Failure when a Worker fails, and whatever `tasks` throws
   */
  async *answers(
    tasks: AsyncIterable<Task>,
    transferOf: (task: Task) => ArrayBuffer[],
  ): AsyncGenerator<Answer> {
    const pending: Promise<Answer>[] = [];
    for await (const task of tasks) {
      pending.push(this.send(task, transferOf(task)));
      const first = pending.length >= this.size * AHEAD ? pending.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (const answer of pending) yield await answer;
  }

  /** Ends the Workers, and hires no other: a task that comes after would keep the process alive for nobody. */
  end(): void {
    this.failure ??= new Failure('the worker threads have ended');
    for (const { worker } of this.members.splice(0)) worker.terminate();
  }

  private send(task: Task, transfer: ArrayBuffer[]): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    // It is awaited in its turn; until then a rejection must not count as unheard.
    answer.promise.catch(() => undefined);
    if (this.failure === null) {
      const member = this.leastBusy();
      member.waiting.push({ task, answer });
      member.worker.postMessage(task, transfer);
    } else {
      answer.reject(this.failure);
    }
    return answer.promise;
  }

  private leastBusy(): Member<Task, Answer> {
    const [idlest] = this.members.toSorted((left, right) => left.waiting.length - right.waiting.length);
    if (idlest === undefined || (idlest.waiting.length > 0 && this.members.length < this.size)) {
      return this.hire();
    }
    return idlest;
  }

  private hire(): Member<Task, Answer> {
    const worker = this.start();
    const member: Member<Task, Answer> = { worker, waiting: [] };
    worker.onmessage = ({ data }) => member.waiting.shift()?.answer.resolve(data);
    worker.onmessageerror = () => this.fail(member, 'its answer cannot be read');
    worker.onerror = ({ message }) => this.fail(member, message);
    worker.addEventListener('close', () => {
      if (member.waiting.length > 0) this.fail(member, 'it ended');
    });
    this.members.push(member);
    return member;
  }

  private fail({ waiting: [first] }: Member<Task, Answer>, cause: string): void {
    const task = first === undefined || this.nameOf === null ? '' : ` at ${this.nameOf(first.task)}`;
    this.failure ??= new Failure(
      `a worker thread failed${task}: ${cause}`,
      'the work in progress has no result: run the command again, and report the error',
    );
    for (const { waiting } of this.members) {
      for (const { answer } of waiting.splice(0)) answer.reject(this.failure);
    }
  }
}
