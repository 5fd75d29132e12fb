import type { Connection } from '../store/connection.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { examine, nameOf, type Task } from './examine.ts';
import type { AuditedTable, RangeReport } from './table.ts';
import type { OpenRequest } from './worker.ts';

/** Examines tasks, and reports in their order. */
export interface Examiner {
  reports(tasks: Iterable<Task>): AsyncIterable<RangeReport>;
}

/** Examines on this thread. */
export function examinerOf(connection: Connection, tables: readonly AuditedTable[]): Examiner {
  return {
    async *reports(tasks) {
      for (const task of tasks) yield await examine(connection, tables, task);
    },
  };
}

/** Examines a database file on threads of their own, each with a connection of its own. */
export class ExaminerPool implements Examiner {
  private readonly pool: WorkerPool<Task, RangeReport>;

  /** @param start starts a Worker that does as `auditOnWorker` */
  constructor(start: () => Worker, file: string, size: number) {
    this.pool = new WorkerPool(
      () => {
        const worker = start();
        worker.postMessage({ kind: 'open', file } satisfies OpenRequest);
        return worker;
      },
      size,
      nameOf,
    );
  }

  reports(tasks: Iterable<Task>): AsyncIterable<RangeReport> {
    return this.pool.results(oneByOne(tasks), () => []);
  }

  end(): void {
    this.pool.end();
  }
}

async function* oneByOne(tasks: Iterable<Task>): AsyncGenerator<Task> {
  yield* tasks;
}
