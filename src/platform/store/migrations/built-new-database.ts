import { readFileSync } from 'node:fs';
import { newDatabaseName } from './new-database.ts';
import type { Schema } from './schema.ts';

/**
 * Returns the SQL of a new database of a schema that the build has put into the executable; null when the
 * program runs from source, and for the schema of a test.
 */
export function builtNewDatabase(schema: Schema): string | null {
  if (Bun.embeddedFiles.length === 0) return null;
  const begin = newDatabaseName(schema);
  for (const file of Bun.embeddedFiles) {
    const name = 'name' in file ? String(file.name) : '';
    if (name.startsWith(begin)) return readFileSync(`/$bunfs/root/${name}`, 'utf8');
  }
  return null;
}
