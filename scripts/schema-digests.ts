import { freshDatabase } from '../src/platform/store/migrations/apply-migration.ts';
import { schemaDigest } from '../src/platform/store/migrations/schema-check.ts';
import { staffingDatabase } from '../src/staffing/service/database.ts';
import { trustDatabase } from '../src/trust/service/database.ts';
import { witnessDatabase } from '../src/witness/database.ts';

/**
 * Prints the schema digests of this version's databases. The build stores them in the executable, so that a
 * start need not compute them.
 */
const digests = [trustDatabase.schema, staffingDatabase.schema, witnessDatabase.schema].map((schema) => {
  const database = freshDatabase(schema);
  const digest = schemaDigest(database, schema.service);
  database.close();
  return digest;
});
process.stdout.write(digests.join(' '));
