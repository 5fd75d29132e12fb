import type { Connection } from '../store/connection.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { type AuditTask, examine, nameOf } from './examine.ts';
import type { AuditedTable, RangeReport } from './table.ts';
import type { OpenRequest } from './worker.ts';

/** Examines tasks and yields their reports in the order of the tasks. */
export interface Examiner {
  reports(tasks: Iterable<AuditTask>): AsyncIterable<RangeReport>;
}

/** Returns an examiner that works on this thread. */
export function examinerOf(connection: Connection, tables: readonly AuditedTable[]): Examiner {
  return {
    async *reports(tasks) {
      for (const task of tasks) yield await examine(connection, tables, task);
    },
  };
}

/** Examines a database file on several threads. Each thread has its own connection. */
export class ExaminerPool implements Examiner {
  private readonly pool: WorkerPool<AuditTask, RangeReport>;

  /** @param start starts a Worker that calls `runAuditWorker` @param name what each opens of the database */
  constructor(start: () => Worker, name: string, size: number) {
    this.pool = new WorkerPool(
      () => {
        const worker = start();
        worker.postMessage({ kind: 'open', name } satisfies OpenRequest);
        return worker;
      },
      size,
      nameOf,
    );
  }

  reports(tasks: Iterable<AuditTask>): AsyncIterable<RangeReport> {
    return this.pool.results(oneByOne(tasks), () => []);
  }

  end(): void {
    this.pool.end();
  }
}

async function* oneByOne(tasks: Iterable<AuditTask>): AsyncGenerator<AuditTask> {
  yield* tasks;
}
