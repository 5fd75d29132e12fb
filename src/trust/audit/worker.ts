/**
 * The Worker that looks at stretches of a database on a thread of its own. The first message names the file; every other is a
 * task and is answered with its report.
 */
import type { Connection } from '../../platform/store/connection.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { examine, type Task } from './stretches.ts';

declare const self: Worker;

let connection: Connection | null = null;

self.onmessage = ({ data }: MessageEvent<string | Task>) => {
  if (typeof data === 'string') connection = openMigrated(data, trustDatabase.schema);
  else if (connection === null) throw new Error('a task came before the file');
  else {
    const report = examine(connection, data);
    self.postMessage(report, report.hashes.length > 0 ? [report.hashes.buffer] : []);
  }
};
