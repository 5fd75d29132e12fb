/**
 * The Worker that moves the write-ahead log into the database file, on a thread and a connection of its own, so that
 * no commit waits for it. `start` names the file; then it runs a PASSIVE checkpoint at every period, which never
 * blocks, and one RESTART whenever it is asked for, while the writer pauses.
 */
import { Database } from 'bun:sqlite';
import type { CheckpointReport, CheckpointRequest } from './checkpoints.ts';

declare const self: Worker;

const PERIOD_MS = 100;
/** The writer waits while a RESTART waits for readers: rather try again later. */
const BUSY_MS = 20;
let database: Database | null = null;
let period: Timer | undefined;

self.onmessage = ({ data }: MessageEvent<CheckpointRequest>) => {
  if (data.order === 'start') {
    database = new Database(data.file, { readwrite: true });
    database.run('PRAGMA synchronous = FULL');
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    period = setInterval(() => checkpoint('PASSIVE'), PERIOD_MS);
  } else if (data.order === 'restart') {
    checkpoint('RESTART');
    report('done');
  } else {
    clearInterval(period);
    // The connection that is closed last would run a checkpoint: after `halt` none is closed.
    if (data.order === 'halt') database = null;
    database?.close();
    report('done');
  }
};

/** A full or failing disk shows in the writer's own commits, which tell the clients; the next period tries again. */
function checkpoint(mode: 'PASSIVE' | 'RESTART'): void {
  try {
    const { log = 0, checkpointed = 0 } =
      database?.query<{ log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get() ??
      {};
    report({ remaining: log - checkpointed });
  } catch {
    // See above.
  }
}

function report(message: CheckpointReport): void {
  self.postMessage(message);
}
