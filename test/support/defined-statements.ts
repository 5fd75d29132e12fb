import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { Glob } from 'bun';
import { getTableName } from 'drizzle-orm';
import { definitions } from '../../src/platform/store/sql.ts';

declare const self: Worker;

const SOURCE = join(import.meta.dir, '../../src');

/** A statement of a store. */
export interface DefinedStatement {
  text: string;
  /**
   * The name and the type of each column of its rows; null for an expression, or instead of all if only
   * SQLite knows them.
   */
  columns: ({ name: string; type: string } | null)[] | null;
  scans: string | null;
  /** True for a statement of fsck, which reads everything. */
  isAudit: boolean;
  /** The names of its store's tables. */
  tables: string[];
}

if (!isMainThread) self.postMessage(await loadAll());

/**
 * Returns the statements that the modules of the source define when they are loaded: in a Worker, so that
 * there are none of other tests among them, nor statements whose shape depends on a call.
 */
export async function definedStatements(): Promise<DefinedStatement[]> {
  const worker = new Worker(import.meta.url);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  } finally {
    worker.terminate();
  }
}

async function loadAll(): Promise<DefinedStatement[]> {
  const files = [...new Glob('{platform,trust,staffing,witness}/**/*.ts').scanSync(SOURCE)].filter((file) =>
    readFileSync(join(SOURCE, file), 'utf8').includes('sqlOf('),
  );
  const isAudit = (file: string): boolean => file.includes('/audit/');
  for (const file of files) if (!isAudit(file)) await import(join(SOURCE, file));
  const count = definitions.length;
  for (const file of files) if (isAudit(file)) await import(join(SOURCE, file));
  return definitions.map(({ text, columns, scans, tables }, index) => ({
    isAudit: index >= count,
    text: text(),
    columns:
      columns()?.map((column) =>
        column === null ? null : { name: column.name, type: column.getSQLType().toUpperCase() },
      ) ?? null,
    scans,
    tables: tables.map((table) => getTableName(table)),
  }));
}
