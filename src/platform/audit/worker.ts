import { lazy } from '../lazy.ts';
import { type Connection, openReader } from '../store/connection.ts';
import { type AuditTask, examine } from './examine.ts';
import type { AuditedTable } from './table.ts';

declare const self: Worker;

/** The first message to a Worker: what to open of the database. Its schema was checked before. */
export interface OpenRequest {
  kind: 'open';
  name: string;
}

/**
 * Makes the calling Worker examine tasks. The first message is an `OpenRequest`. Each later message is a
 * task, and the Worker posts its report.
 * @param load returns the tables that the service has audited
 */
export function runAuditWorker(load: () => Promise<readonly AuditedTable[]>): void {
  // One that only examines the file needs none.
  const tables = lazy(load);
  let connection: Connection | null = null;
  // Tasks run one after the other because they share a connection.
  let before: Promise<void> = Promise.resolve();
  self.onmessage = ({ data }: MessageEvent<OpenRequest | AuditTask>) => {
    if (data.kind === 'open') {
      connection = openReader(data.name);
      return;
    }
    const open = connection;
    if (open === null) throw new Error('a task came before the file');
    before = before.then(async () => {
      const report = await examine(open, data.kind === 'file' ? [] : await tables(), data);
      const moved = [report.hashes, report.sums].flatMap((part) => (part?.length ? [part.buffer] : []));
      self.postMessage(report, moved);
    });
  };
}
