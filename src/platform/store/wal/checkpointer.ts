/**
 * The Worker that moves the write-ahead log into the database file. It has its own thread and connection, so
 * that no commit waits for it. `start` names the file. Then it runs a PASSIVE checkpoint in every period,
 * which never blocks, and a RESTART on request, while the writer pauses.
 */
import { Database } from 'bun:sqlite';
import type { CheckpointReport, CheckpointRequest } from './checkpoints.ts';

declare const self: Worker;

const PERIOD_MS = 100;
/**
 * The writer waits while a RESTART waits for readers, so the wait is short and the RESTART is retried later.
 */
const BUSY_MS = 20;
let database: Database | null = null;
let period: Timer | undefined;

self.onmessage = ({ data }: MessageEvent<CheckpointRequest>) => {
  if (data.order === 'start') {
    database = new Database(data.file, { readwrite: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.run('PRAGMA synchronous = FULL');
    period = setInterval(() => checkpoint('PASSIVE'), PERIOD_MS);
  } else if (data.order === 'restart') {
    checkpoint('RESTART');
    report('done');
  } else {
    clearInterval(period);
    // Closing the last connection would run a checkpoint, so `halt` closes none.
    if (data.order === 'halt') database = null;
    database?.close();
    report('done');
  }
};

/**
 * Runs a checkpoint. Ignores errors: the writer's commits report a full or failing disk to the clients, and
 * the next period retries.
 */
function checkpoint(mode: 'PASSIVE' | 'RESTART'): void {
  try {
    const { log = 0, checkpointed = 0 } =
      database?.query<{ log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get() ??
      {};
    report({ remaining: log - checkpointed });
  } catch {
    // The next period retries.
  }
}

function report(message: CheckpointReport): void {
  self.postMessage(message);
}
