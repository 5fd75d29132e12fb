import { type Connection, openReader } from '../store/connection.ts';
import { examine, type Task } from './examine.ts';
import type { AuditedTable } from './table.ts';

declare const self: Worker;

/** What a Worker is told first: the database that it reads, whose schema is known by then. */
export interface OpenRequest {
  kind: 'open';
  file: string;
}

/**
 * Makes the Worker that calls it examine tasks: after the first message, an `OpenOrder`, each message is one and is answered with its
 * report.
 * @param load the tables that the service has audited
 */
export function runAuditWorker(load: () => Promise<readonly AuditedTable[]>): void {
  const tables = load();
  let connection: Connection | null = null;
  // One after the other: they share a connection.
  let before: Promise<void> = Promise.resolve();
  self.onmessage = ({ data }: MessageEvent<OpenRequest | Task>) => {
    if (data.kind === 'open') {
      connection = openReader(data.file);
      return;
    }
    const open = connection;
    if (open === null) throw new Error('a task came before the file');
    before = before.then(async () => {
      const report = await examine(open, await tables, data);
      self.postMessage(report, report.hashes.length > 0 ? [report.hashes.buffer] : []);
    });
  };
}
