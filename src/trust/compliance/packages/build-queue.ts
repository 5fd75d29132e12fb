import { startWorker } from '../../../platform/workers/workers.ts';
import { commonErrors } from '../../http/errors.ts';
import { LogDamage } from '../../log/damage.ts';
import type { BuildOrder, BuildReport, BuiltPackage, OpenMessage } from './build-order.ts';

/** The builds that run at the same time, each in a Worker. */
const AT_ONCE = 2;
/** The builds that wait for a Worker. */
const MAX_WAITING = 8;
/** A build that takes longer is ended. */
const LIMIT_MS = 8000;
/** A Worker without work is ended after this time. */
const IDLE_MS = 60_000;

/** A Worker with the order that it works on. */
interface Builder {
  worker: Worker;
  current: Task | null;
  /** Ends the Worker: while it works, at the limit; else because it is idle. */
  timer: Timer;
}

interface Task {
  order: BuildOrder;
  result: PromiseWithResolvers<BuiltPackage | null>;
}

/** The limits of a queue, which tests change. */
interface Limits {
  limitMs?: number;
  idleMs?: number;
}

/**
 * Builds packages in up to two Workers, which start with the first order and end after a minute without one.
 * Orders with the view `sponsor` come before those that anybody may make, so that strangers do not keep
 * sponsors from the packages of their agents.
 */
export class BuildQueue {
  private readonly builders: Builder[] = [];
  private readonly waiting: Task[] = [];
  private readonly limitMs: number;
  private readonly idleMs: number;
  private closed = false;

  /** @param file the database that the Workers read */
  constructor(
    private readonly file: string,
    private readonly start: () => Worker = () => startWorker('packager', true),
    { limitMs = LIMIT_MS, idleMs = IDLE_MS }: Limits = {},
  ) {
    this.limitMs = limitMs;
    this.idleMs = idleMs;
  }

  /** The Workers that exist now. */
  get workers(): number {
    return this.builders.length;
  }

  /**
   * Builds a package.
   * @returns null if its builder knows nothing of the subject
   * @throws ApiError overloaded while eight others wait that do not come after it, for one that a sponsor's
   * order displaced, and for a build that takes longer than eight seconds; LogDamage
   */
  build(order: BuildOrder): Promise<BuiltPackage | null> {
    const result = Promise.withResolvers<BuiltPackage | null>();
    const task = { order, result };
    const idle = this.builders.find(({ current }) => current === null);
    if (this.closed) result.reject(ended());
    else if (idle !== undefined) this.give(idle, task);
    else if (this.builders.length < AT_ONCE) this.give(this.startBuilder(), task);
    else if (this.waiting.length < MAX_WAITING || (isOfSponsor(task) && this.displacePublic()))
      this.waiting.push(task);
    else result.reject(busy());
    return result.promise;
  }

  /** Ends the Workers. What is being built is rejected. */
  close(): void {
    this.closed = true;
    for (const { result } of this.waiting.splice(0)) result.reject(ended());
    for (const builder of [...this.builders]) this.end(builder, ended());
  }

  /** Rejects the order without a sponsor that came last. @returns false if only orders of sponsors wait */
  private displacePublic(): boolean {
    const at = this.waiting.findLastIndex((task) => !isOfSponsor(task));
    for (const { result } of at === -1 ? [] : this.waiting.splice(at, 1)) result.reject(busy());
    return at !== -1;
  }

  /** Takes the next order that waits: the first of a sponsor, else the first; null if none waits. */
  private takeNext(): Task | null {
    const at = Math.max(0, this.waiting.findIndex(isOfSponsor));
    return this.waiting.splice(at, 1)[0] ?? null;
  }

  private startBuilder(): Builder {
    const worker = this.start();
    const builder: Builder = { worker, current: null, timer: setTimeout(() => undefined, 0) };
    worker.onmessage = ({ data }: MessageEvent<BuildReport>) => this.finish(builder, data);
    worker.onmessageerror = () => this.end(builder, new Error('the report of a package cannot be read'));
    worker.onerror = ({ message }) => this.end(builder, new Error(`building a package failed: ${message}`));
    worker.addEventListener('close', () =>
      this.end(builder, new Error('the Worker that builds packages ended')),
    );
    const open: OpenMessage = { file: this.file };
    worker.postMessage(open);
    this.builders.push(builder);
    return builder;
  }

  private give(builder: Builder, task: Task): void {
    clearTimeout(builder.timer);
    builder.current = task;
    builder.timer = setTimeout(() => this.end(builder, tooSlow()), this.limitMs);
    builder.worker.postMessage(task.order);
  }

  private finish(builder: Builder, report: BuildReport): void {
    const { current } = builder;
    clearTimeout(builder.timer);
    builder.current = null;
    const next = this.takeNext();
    if (next !== null) this.give(builder, next);
    else {
      builder.timer = setTimeout(() => this.end(builder, ended()), this.idleMs);
      builder.timer.unref();
    }
    if (current === null) return;
    if ('built' in report) current.result.resolve(report.built);
    else if ('damage' in report)
      current.result.reject(new LogDamage(report.damage.log, report.damage.reason));
    else current.result.reject(new Error(`building a package failed: ${report.failure}`));
  }

  /**
   * Terminates a Worker, since a build cannot be stopped in another way. Its order is rejected, and the next
   * one gets a new Worker.
   */
  private end(builder: Builder, reason: Error): void {
    const at = this.builders.indexOf(builder);
    if (at === -1) return;
    this.builders.splice(at, 1);
    clearTimeout(builder.timer);
    builder.worker.terminate();
    builder.current?.result.reject(reason);
    const next = this.closed ? null : this.takeNext();
    if (next !== null) this.give(this.startBuilder(), next);
  }
}

function isOfSponsor({ order }: Task): boolean {
  return order.view === 'sponsor';
}

function busy() {
  return commonErrors.overloaded({
    message: `${AT_ONCE} packages are being built and ${MAX_WAITING} wait. Repeat the request later.`,
    headers: { 'retry-after': '2' },
  });
}

function tooSlow() {
  return commonErrors.overloaded({
    message: `Building the package took longer than ${LIMIT_MS / 1000} seconds. Choose a shorter period with from and to.`,
    headers: { 'retry-after': '60' },
  });
}

function ended() {
  return commonErrors.overloaded({
    message: 'The server is stopping. Repeat the request later.',
    headers: { 'retry-after': '5' },
  });
}
