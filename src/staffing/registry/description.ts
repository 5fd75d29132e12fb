import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { type Connection, openReader } from '../../platform/store/connection.ts';
import { factsOf, taxonomyIn } from './store.ts';
import type { TaxonomyEntry } from './vocabulary/taxonomy.ts';

/** What a registry file is as a whole. */
export interface RegistryDescription {
  name: string;
  /** YYYY-MM-DD. */
  asOf: string;
  records: number;
  /** True if the clinicians are fictitious. */
  sample: boolean;
  /** The groupings to which the clinicians are limited; null for all. */
  groupings: readonly string[] | null;
}

export const HINT =
  'import a monthly file with --force to replace it, or write the name of another file from its directory into registry/current';

/**
 * Reads the description of a registry file without opening it for searches. @throws Failure for a file that
 * is not a registry
 */
export function describeRegistry(path: string): RegistryDescription {
  return readFrom(path, (connection) => {
    const row = factsOf.on(connection);
    if (row === null) throw new Failure(`${basename(path)} has no description of the registry`, HINT);
    return {
      name: basename(path),
      asOf: row.asOf,
      records: row.records,
      sample: row.sample,
      groupings: row.groupings === null ? null : namesIn(row.groupings),
    };
  });
}

/**
 * Reads the taxonomy with which a registry file was built. @throws Failure for a file that is not a registry
 */
export function taxonomyOf(path: string): TaxonomyEntry[] {
  return readFrom(path, (connection) => taxonomyIn.on(connection));
}

function readFrom<T>(path: string, body: (connection: Connection) => T): T {
  const name = basename(path);
  if (!existsSync(path)) throw new Failure(`the registry file ${path} does not exist`, HINT);
  const connection = openReader(path);
  const { sqlite } = connection;
  try {
    const owner = sqlite.query<{ application_id: number }, []>('PRAGMA application_id').get();
    const format = sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get();
    if (
      owner?.application_id !== registrySchema.applicationId ||
      format?.user_version !== registrySchema.format
    ) {
      throw new Failure(`${name} is not a registry of this version of the program`, HINT);
    }
    return body(connection);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${name} cannot be read: ${error instanceof Error ? error.message : error}`, HINT);
  } finally {
    sqlite.close();
  }
}

function namesIn(text: string): string[] {
  const names: unknown = JSON.parse(text);
  return Array.isArray(names) ? names.map(String) : [];
}
