import { freshDatabase } from '../src/platform/store/migrations/apply.ts';
import { schemaDigest } from '../src/platform/store/migrations/schema-check.ts';
import { staffingDatabase } from '../src/staffing/database.ts';
import { trustDatabase } from '../src/trust/database.ts';
import { witnessDatabase } from '../src/witness/database.ts';

/** Prints what databases of this version look like. The build puts it into the executable, so that no start has to make one to know. */
const digests = [trustDatabase.schema, staffingDatabase.schema, witnessDatabase.schema].map((schema) => {
  const database = freshDatabase(schema);
  const digest = schemaDigest(database, schema.service);
  database.close();
  return digest;
});
process.stdout.write(digests.join(' '));
