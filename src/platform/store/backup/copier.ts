/**
 * The Worker that copies a database: one message names it and the new file, one answer says how it ended. A thread of its
 * own, since the copy is one call of SQLite that lets nothing else run.
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
  /** Null when the copy is whole. */
  problem: string | null;
}

self.onmessage = ({ data }: MessageEvent<CopyRequest>) => {
  const answer: CopyResult = { problem: copy(data) };
  self.postMessage(answer);
};

function copy({ database, fresh }: CopyRequest): string | null {
  try {
    const { sqlite } = openReader(database);
    // A reader's connection is told to write nothing at all, and would take that for the copy as well.
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
