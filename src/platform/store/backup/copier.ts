/**
 * The Worker that copies a database. One message names the database and the new file, and one response
 * contains the result. It has its own thread because the copy is one blocking call of SQLite.
 */
import { Database } from 'bun:sqlite';
import { openReader } from '../connection.ts';
import { problemsIn } from '../migrations/integrity.ts';

declare const self: Worker;

export interface CopyRequest {
  database: string;
  fresh: string;
}

export interface CopyResult {
  /** The error; null when the copy is complete. */
  problem: string | null;
}

self.onmessage = ({ data }: MessageEvent<CopyRequest>) => {
  const result: CopyResult = { problem: copy(data) };
  self.postMessage(result);
};

function copy({ database, fresh }: CopyRequest): string | null {
  try {
    const { sqlite } = openReader(database);
    // A reader's connection refuses all writes, including those to the copy.
    sqlite.run('PRAGMA query_only = OFF');
    sqlite.query('VACUUM INTO ?').run(fresh);
    sqlite.close();
    const copied = new Database(fresh, { readonly: true });
    const [problem = null] = problemsIn(copied, 'quick');
    copied.close();
    return problem;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
