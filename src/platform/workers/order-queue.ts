/** How a queue works. */
export interface QueueRules<Order> {
  /** Starts a Worker, and says what it works with. */
  start(): Worker;
  /** The orders that are worked on at the same time, each in a Worker. */
  atOnce: number;
  /** The orders that wait for a Worker. */
  maxWaiting: number;
  /** An order that takes longer is ended. */
  limitMs: number;
  /** A Worker without work is ended after this time. */
  idleMs: number;
  /** What the Worker does, in errors of a Worker that failed: `building a package`. */
  work: string;
  /** Returns whether an order goes before the others. */
  isFirst(order: Order): boolean;
  /** Returns who pays for an order: payers take turns. Without it, all have one payer. */
  payerOf?(order: Order): number | null;
  /** The errors of an order that is refused, that took too long, and that a stopping server ends. */
  busy(): Error;
  tooSlow(): Error;
  ended(): Error;
}

/** A Worker with the order that it works on. */
interface Busy<Order, Report> {
  worker: Worker;
  current: Task<Order, Report> | null;
  /** Ends the Worker: while it works, at the limit; else because it is idle. */
  timer: Timer;
}

interface Task<Order, Report> {
  order: Order;
  result: PromiseWithResolvers<Report>;
}

/**
 * Gives orders to a few Workers, which start with the first order and end some time after the last one. A
 * Worker posts one report for each order. Payers take turns, and none keeps more places than others while
 * these find none.
 */
export class OrderQueue<Order, Report> {
  private readonly busy: Busy<Order, Report>[] = [];
  private readonly waiting: Task<Order, Report>[] = [];
  /** When payers had their last turn, while others wait. */
  private readonly turns = new Map<number | null, number>();
  private turn = 0;
  private closed = false;

  constructor(private readonly rules: QueueRules<Order>) {}

  /** The Workers that exist now. */
  get workers(): number {
    return this.busy.length;
  }

  /**
   * Returns the report of an order.
   * @throws the errors of the rules: while too many others wait that do not come after it, for one that
   * another order displaced, and for one that takes too long
   */
  report(order: Order): Promise<Report> {
    const { atOnce, maxWaiting, isFirst } = this.rules;
    const result = Promise.withResolvers<Report>();
    const task = { order, result };
    const idle = this.busy.find(({ current }) => current === null);
    if (this.closed) result.reject(this.rules.ended());
    else if (idle !== undefined) this.give(idle, task);
    else if (this.busy.length < atOnce) this.give(this.startWorker(), task);
    else if (this.waiting.length < maxWaiting || (isFirst(order) && this.displace(order)))
      this.waiting.push(task);
    else result.reject(this.rules.busy());
    return result.promise;
  }

  /** Ends the Workers. What they work on is rejected. */
  close(): void {
    this.closed = true;
    for (const { result } of this.waiting.splice(0)) result.reject(this.rules.ended());
    for (const busy of [...this.busy]) this.end(busy, this.rules.ended());
  }

  /**
   * Rejects the last order that does not come first; without one, the last of the payer with the most, if
   * that has more than the payer of `order` gets with it.
   * @returns false if there is none
   */
  private displace(order: Order): boolean {
    const other = this.waiting.findLastIndex((task) => !this.rules.isFirst(task.order));
    const at = other === -1 ? this.lastOfMost(order) : other;
    for (const { result } of at === -1 ? [] : this.waiting.splice(at, 1)) result.reject(this.rules.busy());
    return at !== -1;
  }

  /** Returns the index of the last order of the payer that has the most; −1 if it is a fair share. */
  private lastOfMost(order: Order): number {
    const counts = new Map<number | null, number>();
    for (const task of this.waiting) {
      const payer = this.payerOf(task.order);
      counts.set(payer, (counts.get(payer) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    if (most <= (counts.get(this.payerOf(order)) ?? 0) + 1) return -1;
    return this.waiting.findLastIndex((task) => counts.get(this.payerOf(task.order)) === most);
  }

  /** Takes the next order that waits, of the payer whose last turn is the longest ago; null if none waits. */
  private takeNext(): Task<Order, Report> | null {
    const first = this.waiting.filter(({ order }) => this.rules.isFirst(order));
    const turnOf = ({ order }: Task<Order, Report>): number => this.turns.get(this.payerOf(order)) ?? 0;
    let next: Task<Order, Report> | null = null;
    for (const task of first.length > 0 ? first : this.waiting)
      if (next === null || turnOf(task) < turnOf(next)) next = task;
    if (next === null) this.turns.clear();
    else this.waiting.splice(this.waiting.indexOf(next), 1);
    return next;
  }

  private payerOf(order: Order): number | null {
    return this.rules.payerOf?.(order) ?? null;
  }

  private startWorker(): Busy<Order, Report> {
    const { work } = this.rules;
    const worker = this.rules.start();
    const busy: Busy<Order, Report> = { worker, current: null, timer: setTimeout(() => undefined, 0) };
    worker.onmessage = ({ data }: MessageEvent<Report>) => this.finish(busy, data);
    worker.onmessageerror = () => this.end(busy, new Error(`the report of ${work} cannot be read`));
    worker.onerror = ({ message }) => this.end(busy, new Error(`${work} failed: ${message}`));
    worker.addEventListener('close', () => this.end(busy, new Error(`the Worker for ${work} ended`)));
    this.busy.push(busy);
    return busy;
  }

  private give(busy: Busy<Order, Report>, task: Task<Order, Report>): void {
    clearTimeout(busy.timer);
    this.turns.set(this.payerOf(task.order), ++this.turn);
    busy.current = task;
    busy.timer = setTimeout(() => this.end(busy, this.rules.tooSlow()), this.rules.limitMs);
    busy.worker.postMessage(task.order);
  }

  private finish(busy: Busy<Order, Report>, report: Report): void {
    const { current } = busy;
    clearTimeout(busy.timer);
    busy.current = null;
    const next = this.takeNext();
    if (next !== null) this.give(busy, next);
    else {
      busy.timer = setTimeout(() => this.end(busy, this.rules.ended()), this.rules.idleMs);
      busy.timer.unref();
    }
    current?.result.resolve(report);
  }

  /**
   * Terminates a Worker, since its work cannot be stopped in another way. Its order is rejected, and the next
   * one gets a new Worker.
   */
  private end(busy: Busy<Order, Report>, reason: Error): void {
    const at = this.busy.indexOf(busy);
    if (at === -1) return;
    this.busy.splice(at, 1);
    clearTimeout(busy.timer);
    busy.worker.terminate();
    busy.current?.result.reject(reason);
    const next = this.closed ? null : this.takeNext();
    if (next !== null) this.give(this.startWorker(), next);
  }
}
