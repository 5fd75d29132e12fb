import { OrderQueue } from '../../../platform/workers/order-queue.ts';
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
  private readonly queue: OrderQueue<BuildOrder, BuildReport>;

  /** @param file the database that the Workers read */
  constructor(
    file: string,
    start: () => Worker = () => startWorker('packager', true),
    { limitMs = LIMIT_MS, idleMs = IDLE_MS }: Limits = {},
  ) {
    this.queue = new OrderQueue({
      start() {
        const worker = start();
        const open: OpenMessage = { file };
        worker.postMessage(open);
        return worker;
      },
      ...{ atOnce: AT_ONCE, maxWaiting: MAX_WAITING, limitMs, idleMs },
      work: 'building a package',
      isFirst: ({ view }) => view === 'sponsor',
      ...{ busy, tooSlow, ended },
    });
  }

  /** The Workers that exist now. */
  get workers(): number {
    return this.queue.workers;
  }

  /**
   * Builds a package.
   * @returns null if its builder knows nothing of the subject
   * @throws ApiError overloaded while eight others wait that do not come after it, for one that a sponsor's
   * order displaced, and for a build that takes longer than eight seconds; LogDamage
   */
  async build(order: BuildOrder): Promise<BuiltPackage | null> {
    const report = await this.queue.report(order);
    if ('built' in report) return report.built;
    if ('damage' in report) throw new LogDamage(report.damage.log, report.damage.reason);
    throw new Error(`building a package failed: ${report.failure}`);
  }

  /** Ends the Workers. What is being built is rejected. */
  close(): void {
    this.queue.close();
  }
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
