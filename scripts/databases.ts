import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase } from '../src/platform/store/migrations/apply-migration.ts';
import { newDatabaseName, newDatabaseSql } from '../src/platform/store/migrations/new-database.ts';
import { schemaDigest } from '../src/platform/store/migrations/schema-check.ts';
import { staffingDatabase } from '../src/staffing/service/database.ts';
import { trustDatabase } from '../src/trust/service/database.ts';
import { witnessDatabase } from '../src/witness/database.ts';

/** What the build puts into the executable, so that a start need not run the migrations of new databases. */
interface BuiltDatabases {
  /** The digests of this version's schemas. */
  digests: readonly string[];
  /** The names of files in the folder of the argument, each with the SQL of a new database. */
  files: readonly string[];
}

const [, , folder = ''] = process.argv;
const built = [trustDatabase.schema, staffingDatabase.schema, witnessDatabase.schema].map((schema) => {
  const database = freshDatabase(schema);
  const file = `${newDatabaseName(schema)}.sql`;
  writeFileSync(join(folder, file), newDatabaseSql(database));
  const digest = schemaDigest(database, schema.service);
  database.close();
  return { digest, file };
});
const printed: BuiltDatabases = {
  digests: built.map(({ digest }) => digest),
  files: built.map(({ file }) => file),
};
process.stdout.write(JSON.stringify(printed));
