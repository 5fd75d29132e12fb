import type { Connection } from '../../platform/store/connection.ts';
import { WorkerCrew } from '../../platform/worker-crew.ts';
import { startWorker } from '../../platform/workers.ts';
import type { Examiner } from './database.ts';
import { examine, type Report, type Task } from './stretches.ts';

/** Looks at stretches on this thread. */
export function examinerOf(connection: Connection): Examiner {
  return {
    async *reports(tasks) {
      for (const task of tasks) yield examine(connection, task);
    },
  };
}

/** Looks at stretches of a database file on threads of their own, each with a connection of its own. */
export class ExaminerCrew implements Examiner {
  private readonly crew: WorkerCrew<Task, Report>;

  constructor(file: string, size: number) {
    this.crew = new WorkerCrew(() => {
      const worker = startWorker('auditor');
      worker.postMessage(file);
      return worker;
    }, size);
  }

  reports(tasks: Iterable<Task>): AsyncIterable<Report> {
    return this.crew.answers(oneByOne(tasks), () => []);
  }

  end(): void {
    this.crew.end();
  }
}

async function* oneByOne(tasks: Iterable<Task>): AsyncGenerator<Task> {
  yield* tasks;
}
