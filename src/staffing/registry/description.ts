import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { openReader } from '../../platform/store/connection.ts';
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

interface Row {
  as_of: string;
  records: number;
  sample: number;
  groupings: string | null;
}

export const HINT =
  'import a monthly file with --force to replace it, or write the name of another file from its directory into registry/current';

/**
 * Reads the description of a registry file without opening it for searches. @throws Failure for a file that
 * is not a registry
 */
export function describeRegistry(path: string): RegistryDescription {
  return readFrom(path, (sqlite) => {
    const row = sqlite.query<Row, []>('SELECT as_of, records, sample, groupings FROM registry').get();
    if (row === null) throw new Failure(`${basename(path)} has no description of the registry`, HINT);
    return {
      name: basename(path),
      asOf: row.as_of,
      records: row.records,
      sample: row.sample === 1,
      groupings: row.groupings === null ? null : namesIn(row.groupings),
    };
  });
}

/**
 * Reads the taxonomy with which a registry file was built. @throws Failure for a file that is not a registry
 */
export function taxonomyOf(path: string): TaxonomyEntry[] {
  return readFrom(path, (sqlite) =>
    sqlite
      .query<TaxonomyEntry, []>('SELECT code, grouping, classification, specialization, name FROM taxonomy')
      .all(),
  );
}

function readFrom<T>(path: string, body: (sqlite: ReturnType<typeof openReader>['sqlite']) => T): T {
  const name = basename(path);
  if (!existsSync(path)) throw new Failure(`the registry file ${path} does not exist`, HINT);
  const { sqlite } = openReader(path);
  try {
    const owner = sqlite.query<{ application_id: number }, []>('PRAGMA application_id').get();
    const format = sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get();
    if (
      owner?.application_id !== registrySchema.applicationId ||
      format?.user_version !== registrySchema.format
    ) {
      throw new Failure(`${name} is not a registry of this version of the program`, HINT);
    }
    return body(sqlite);
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
