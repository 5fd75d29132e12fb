import { join } from 'node:path';
import { hasKeyFile } from '../../../../platform/crypto/key-files.ts';
import type { ServiceDatabase } from '../../../../platform/service-definition.ts';
import { readMigrated } from '../../../../platform/store/migrations/migrate.ts';
import { allKeys } from '../store.ts';

/**
 * Returns the kids of signing keys that the database of a data directory names and its keys directory lacks.
 */
export async function missingKeys(data: string, { name, schema }: ServiceDatabase): Promise<string[]> {
  const rows = await readMigrated(join(data, name), schema, allKeys);
  return rows.map(({ kid }) => kid).filter((kid) => !hasKeyFile(join(data, 'keys'), kid));
}
