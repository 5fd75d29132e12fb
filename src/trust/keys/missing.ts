import { join } from 'node:path';
import { hasKeyFile } from '../../platform/key-files.ts';
import type { ServiceDatabase } from '../../platform/service.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { snapshotOf } from '../../platform/store/transaction.ts';
import { trustDatabase } from '../database.ts';
import { allKeys } from './store.ts';

/** The kids of signing keys that a data directory's database names and its keys directory lacks. */
export async function missingKeys(
  data: string,
  { name, schema }: ServiceDatabase = trustDatabase,
): Promise<string[]> {
  const connection = openMigrated(join(data, name), schema);
  const rows = await allKeys(snapshotOf(connection)).finally(() => connection.sqlite.close());
  return rows.map(({ kid }) => kid).filter((kid) => !hasKeyFile(join(data, 'keys'), kid));
}
