import { staffingSchema } from '../db/staffing/schema.ts';
import { trustSchema } from '../db/trust/schema.ts';
import { witnessSchema } from '../db/witness/schema.ts';
import { freshDatabase } from '../src/platform/store/apply.ts';
import { schemaDigest } from '../src/platform/store/schema-check.ts';

/** Prints what databases of this version look like. The build puts it into the executable, so that no start has to make one to know. */
const digests = [trustSchema, staffingSchema, witnessSchema].map((schema) => {
  const database = freshDatabase(schema);
  const digest = schemaDigest(database, schema.service);
  database.close();
  return digest;
});
process.stdout.write(digests.join(' '));
